# NVIDIA GPUs, if nvcc is found and MOOREA_CUDA is not OFF. The runtime is linked statically and loads the
# driver at first use, so the program starts on machines without one.

set(MOOREA_HAS_CUDA FALSE)
if(NOT MOOREA_CUDA STREQUAL OFF AND NOT MOOREA_SANITIZE)
  include(CheckLanguage)
  if(NOT CMAKE_CUDA_COMPILER AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_ARCHITECTURES ${MOOREA_CUDA_ARCHITECTURES})
    enable_language(CUDA)
    # CMake 3.25 does not know that nvcc supports C++20
    foreach(kind STANDARD EXTENSION)
      if(NOT CMAKE_CUDA20_${kind}_COMPILE_OPTION)
        set(CMAKE_CUDA20_${kind}_COMPILE_OPTION -std=c++20)
      endif()
    endforeach()
    find_package(CUDAToolkit REQUIRED)
    set(MOOREA_HAS_CUDA TRUE)
  elseif(MOOREA_CUDA STREQUAL ON)
    message(FATAL_ERROR "MOOREA_CUDA is ON, but nvcc was not found: set CMAKE_CUDA_COMPILER, or MOOREA_CUDA to OFF")
  else()
    message(STATUS "nvcc was not found: Moorea will not run on NVIDIA GPUs")
  endif()
endif()

# Adds an object library of the variants of cuda/strided: sources for the named rules, several per file
# because nvcc takes longer to start than to compile a rule, and its code as text for run-time compilation.
# For GPUs other than Hopper the driver compiles a named rule's PTX at first use, unless Moorea is built for a
# single architecture.
function(moorea_strided_rules target)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/cuda_rules)
  set(kernels ${PROJECT_SOURCE_DIR}/src/kernels)
  set(sources "")
  set(declarations "")
  set(finds "")
  set(entry "X[(](next_[a-z0-9_]+), (0x[0-9A-F]+), (0x[0-9A-F]+)[)]")
  file(READ ${kernels}/common/networks.h networks)
  file(READ ${kernels}/cuda/strided_rule.cu.in rule_code)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernels}/cuda/strided_rule.cu.in)
  set(rules_a_source 6)
  set(count 0)
  set(code "")
  string(REGEX MATCHALL "${entry}" entries "${networks}")
  foreach(found IN LISTS entries)
    string(REGEX MATCH "${entry}" found "${found}")
    set(function ${CMAKE_MATCH_1})
    string(APPEND declarations "extern const void* const ${function}_functions[2];\n")
    string(APPEND finds "  if (rule.birth == ${CMAKE_MATCH_2} && rule.survival == ${CMAKE_MATCH_3}) return ${function}_functions;\n")
    string(CONFIGURE "${rule_code}" this_rule @ONLY)
    string(APPEND code "${this_rule}")
    math(EXPR count "${count} + 1")
    math(EXPR left "${count} % ${rules_a_source}")
    if(left EQUAL 0)
      math(EXPR number "${count} / ${rules_a_source}")
      configure_file(${kernels}/cuda/strided_rules.cu.in ${folder}/rules_${number}.cu @ONLY)
      list(APPEND sources ${folder}/rules_${number}.cu)
      set(code "")
    endif()
  endforeach()
  if(code)
    configure_file(${kernels}/cuda/strided_rules.cu.in ${folder}/rules_rest.cu @ONLY)
    list(APPEND sources ${folder}/rules_rest.cu)
  endif()
  list(APPEND sources ${folder}/rules.cpp)
  file(CONFIGURE OUTPUT ${folder}/rules.cpp CONTENT "// Made by cmake/Cuda.cmake
#include \"kernels/kernel.h\"

namespace moorea::kernels {

@declarations@
const void* const* strided_functions(RuleMask rule);
const void* const* strided_functions(RuleMask rule) {
@finds@  return nullptr;
}

}  // namespace moorea::kernels
" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernels}/common/networks.h)
  # Code of the kernels for run-time compilation
  set(folder ${kernels}/cuda)
  moorea_embed_text(sources moorea::kernels strided_source ${folder}/strided_call.h ${folder}/row_logic.cuh ${folder}/state_logic.cuh ${folder}/block_logic.cuh ${folder}/strided_rows.cuh ${folder}/strided_walk.cuh ${folder}/strided.cuh)
  moorea_embed_text(sources moorea::kernels strided_lazy_source ${folder}/strided_call.h ${folder}/row_logic.cuh ${folder}/state_logic.cuh ${folder}/block_logic.cuh ${folder}/strided_rows.cuh ${folder}/strided_walk.cuh ${folder}/strided_lazy.cuh)
  moorea_embed_text(sources moorea::kernels wide_source ${folder}/wide_call.h ${folder}/state_logic.cuh ${folder}/wide.cuh)
  moorea_embed_text(sources moorea::kernels transitions_source ${folder}/transitions_call.h ${folder}/transitions.cuh)
  moorea_embed_text(sources moorea::kernels chip_source ${folder}/chip_call.h ${folder}/row_logic.cuh ${folder}/chip.cuh)
  moorea_embed_text(sources moorea::kernels lanes_source_text ${folder}/lanes_call.h ${folder}/lanes.cuh)
  moorea_embed_text(sources moorea::kernels lanes_search_source_text ${folder}/lanes_call.h ${folder}/lanes.cuh ${folder}/lanes_search.cuh)
  moorea_embed_text(sources moorea::kernels lanes_memory_source_text ${folder}/lanes_call.h ${folder}/lanes_memory.cuh)
  moorea_embed_text(sources moorea::kernels soups_source_text ${PROJECT_SOURCE_DIR}/src/devices/soups_call.h ${folder}/soup_names.cuh ${folder}/row_logic.cuh ${folder}/soup_cells.cuh ${folder}/soup_clusters.cuh ${folder}/soups.cuh)
  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE moorea_flags)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-O3>)
  list(LENGTH MOOREA_CUDA_ARCHITECTURES kinds)
  set(architectures "90-real;75-virtual")
  if(kinds EQUAL 1)
    set(architectures ${MOOREA_CUDA_ARCHITECTURES})
  endif()
  set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${architectures}" CUDA_RUNTIME_LIBRARY Static
                                             POSITION_INDEPENDENT_CODE ON CUDA_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden)
endfunction()

# Settings for the target with the sources, and for the one that is linked.
function(moorea_cuda sources linked)
  if(NOT MOOREA_HAS_CUDA)
    return()
  endif()
  set_target_properties(${sources} PROPERTIES CUDA_RUNTIME_LIBRARY Static)
  target_compile_options(${sources} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-O3 -Xcompiler=-Wall,-Wextra>)
  set_source_files_properties(src/devices/no_cuda.cpp PROPERTIES COMPILE_DEFINITIONS MOOREA_CUDA_ENABLED)
  file(GLOB hosts CONFIGURE_DEPENDS src/devices/cuda/*.cpp)
  list(TRANSFORM CUDAToolkit_INCLUDE_DIRS PREPEND -isystem OUTPUT_VARIABLE include_options)
  set_source_files_properties(${hosts} PROPERTIES COMPILE_OPTIONS "${include_options}")
  set_target_properties(${linked} PROPERTIES CUDA_RUNTIME_LIBRARY Static)
  target_link_libraries(${linked} PRIVATE CUDA::cudart_static)
  set(folder ${CUDAToolkit_LIBRARY_DIR})
  if(MOOREA_STATIC_LIBRARIES)
    set(folder "\${libdir}/moorea")  # pkg-config's libdir: cmake/Install.cmake installs a copy there
  endif()
  string(APPEND MOOREA_PC_LIBS " -L${folder} -lcudart_static -lrt -lpthread")
  set(MOOREA_PC_LIBS "${MOOREA_PC_LIBS}" PARENT_SCOPE)
endfunction()
