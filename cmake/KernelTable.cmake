# Kernel table from kernel files. A file <folder>/cpu/bits.cpp defines moorea::kernels::cpu_bits and becomes
# the kernel "cpu/bits", and likewise in subfolders; nothing else has to be edited to add one. Names that end
# in avx2, avx512 or x86 are compiled for that processor only. Files below <folder>/reduce are reductions,
# with their own table.

# Sets <out> to the kernel files below the folders, each of which is laid out as src/kernels.
function(moorea_kernel_sources out)
  set(sources "")
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${folder}/*/*.cpp)
    if(MOOREA_HAS_CUDA)
      file(GLOB_RECURSE found_cuda CONFIGURE_DEPENDS ${folder}/*/*.cu)
      list(APPEND found ${found_cuda})
    endif()
    if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      list(FILTER found EXCLUDE REGEX "(avx2|avx512|x86)[.]cpp$")
    endif()
    if(MOOREA_HAS_OPENCL)
      file(GLOB_RECURSE found_opencl CONFIGURE_DEPENDS ${folder}/*/*.cl)
      list(APPEND found ${found_opencl})
    endif()
    list(FILTER found EXCLUDE REGEX "/kernels/reduce/")
    list(APPEND sources ${found})
  endforeach()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# Sets <out> to the reductions below the folders.
function(moorea_reduction_sources out)
  set(sources "")
  if(MOOREA_HAS_CUDA)
    foreach(folder IN LISTS ARGN)
      file(GLOB_RECURSE found CONFIGURE_DEPENDS ${folder}/reduce/*.cu)
      list(APPEND sources ${found})
    endforeach()
  endif()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# Compiles kernels for speed, and those whose names end in an instruction set for it; their bind() queries the
# device, so they do not run elsewhere. With MOOREA_SANITIZE the build type selects the optimisation.
function(moorea_kernel_flags)
  foreach(source IN LISTS ARGN)
    if(source MATCHES "[.](cu|cl)$")
      continue()
    endif()
    # Functions and loops at fixed addresses modulo the cache line: otherwise the speed of a loop depends on the
    # length of the code before it, by up to 6 %
    set(flags -falign-functions=64 -falign-loops=32)
    if(NOT MOOREA_SANITIZE)
      list(APPEND flags -O3)
    endif()
    if(source MATCHES "avx2[.]cpp$")
      list(APPEND flags -mavx2)
    elseif(source MATCHES "avx512[.]cpp$")
      list(APPEND flags -mavx512f -mavx512bw -mavx512dq -mavx512vl)
    endif()
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${flags}")
  endforeach()
endfunction()

# Sets <out> to a generated source file that defines moorea::kernels::table for the kernel files, sorted by name.
function(moorea_kernel_table out file_name)
  moorea_table(path ${file_name} kernel.h Kernel TableEntry table ${ARGN})
  set(${out} ${path} PARENT_SCOPE)
endfunction()

# Sets <out> to a generated source file that defines moorea::kernels::reduction_table for the reductions.
function(moorea_reduction_table out file_name)
  moorea_table(path ${file_name} reduction.h Reduction ReductionEntry reduction_table ${ARGN})
  set(${out} ${path} PARENT_SCOPE)
endfunction()

# A table of constants of one type, in an array of entries.
function(moorea_table out file_name header type entry table)
  set(names "")
  foreach(source IN LISTS ARGN)
    string(REGEX REPLACE "^.*/kernels/(.*)[.][a-z]+$" "\\1" name ${source})
    list(APPEND names ${name})
  endforeach()
  list(SORT names)
  set(declarations "")
  set(rows "")
  foreach(name IN LISTS names)
    string(MAKE_C_IDENTIFIER ${name} identifier)
    string(APPEND declarations "extern const ${type} ${identifier};\n")
    string(APPEND rows "    {\"${name}\", &${identifier}},\n")
  endforeach()
  set(path ${CMAKE_CURRENT_BINARY_DIR}/kernel_table/${file_name}.cpp)
  file(CONFIGURE OUTPUT ${path} CONTENT "// Made by cmake/KernelTable.cmake
#include \"kernels/@header@\"

namespace moorea::kernels {

@declarations@
const @entry@ @table@[] = {
@rows@    {nullptr, nullptr},
};

}  // namespace moorea::kernels
" @ONLY)
  set(${out} ${path} PARENT_SCOPE)
endfunction()
