# OpenCL devices, if OpenCL's headers are found and MOOREA_OPENCL is not OFF. The loader library is opened at
# first use, so nothing is linked and the program starts on machines without one.

set(MOOREA_HAS_OPENCL FALSE)
if(NOT MOOREA_OPENCL STREQUAL OFF)
  find_path(MOOREA_OPENCL_INCLUDE_DIR CL/cl.h)
  if(MOOREA_OPENCL_INCLUDE_DIR)
    set(MOOREA_HAS_OPENCL TRUE)
  elseif(MOOREA_OPENCL STREQUAL ON)
    message(FATAL_ERROR "MOOREA_OPENCL is ON, but CL/cl.h was not found (Debian: opencl-c-headers): install it, or set MOOREA_OPENCL to OFF")
  else()
    message(STATUS "CL/cl.h was not found: Moorea will not run on OpenCL devices")
  endif()
endif()

# Settings for the target with the sources.
function(moorea_opencl sources)
  if(NOT MOOREA_HAS_OPENCL)
    return()
  endif()
  moorea_embed_text(texts moorea opencl_cells_source ${PROJECT_SOURCE_DIR}/src/devices/opencl/cells.cl)
  moorea_embed_text(texts moorea opencl_wide_rows_source ${PROJECT_SOURCE_DIR}/src/devices/opencl/wide_rows.cl)
  moorea_embed_text(texts moorea opencl_step_source ${PROJECT_SOURCE_DIR}/src/kernels/opencl/opencl.h)
  moorea_embed_text(texts moorea opencl_walk_source ${PROJECT_SOURCE_DIR}/src/kernels/opencl/strided_rows.h
                     ${PROJECT_SOURCE_DIR}/src/kernels/opencl/strided_walk.h)
  target_sources(${sources} PRIVATE ${texts})
  set_source_files_properties(src/devices/no_opencl.cpp PROPERTIES COMPILE_DEFINITIONS MOOREA_OPENCL_ENABLED)
  target_include_directories(${sources} SYSTEM PRIVATE ${MOOREA_OPENCL_INCLUDE_DIR})
endfunction()

# Sets <out> to generated source files for the OpenCL kernels among the kernel files: their text, and the
# values of their "// @..." lines; see src/kernels/opencl/opencl.h.
function(moorea_opencl_kernels out)
  set(made "")
  foreach(source IN LISTS ARGN)
    if(NOT source MATCHES "[.]cl$")
      continue()
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(READ ${source} text)
    foreach(key summary layout group)
      if(NOT text MATCHES "\n// @${key} ([^\n]+)")
        message(FATAL_ERROR "${source}: there is no line that begins with \"// @${key}\"")
      endif()
      set(${key} "${CMAKE_MATCH_1}")
    endforeach()
    string(REPLACE x ", " group "${group}")
    # Initialisers of the kernel's binding and contract
    set(steps 1)
    set(binding "")
    set(contract "")
    if(text MATCHES "\n// @item ([0-9]+)x([0-9]+)")
      string(APPEND binding ", .item = {${CMAKE_MATCH_1}, ${CMAKE_MATCH_2}}")
    elseif(text MATCHES "\n// @partition ([a-z_]+)")
      string(APPEND binding ", .partition = ${CMAKE_MATCH_1}")
    else()
      message(FATAL_ERROR "${source}: there is no line that begins with \"// @item\" or \"// @partition\"")
    endif()
    if(text MATCHES "\n// @sides ")
      string(APPEND binding ", .fills_halo_columns = true")
    endif()
    set(lanes 0)
    if(text MATCHES "\n// @lanes ([0-9]+)")
      set(lanes ${CMAKE_MATCH_1})
      string(APPEND binding ", .word_bits = ${lanes}")
    elseif(text MATCHES "\n// @word ([0-9]+)")
      string(APPEND binding ", .word_bits = ${CMAKE_MATCH_1}")
    endif()
    if(text MATCHES "\n// @steps ([0-9]+)")
      set(steps ${CMAKE_MATCH_1})
      string(APPEND binding ", .steps = ${steps}")
    endif()
    if(text MATCHES "\n// @walk ")
      string(APPEND binding ", .walks = true")
    endif()
    # A group of one work-item is fixed; others are defaults and may be changed
    if(NOT group STREQUAL "1, 1")
      string(APPEND contract ", .block = {${group}}")
    endif()
    string(APPEND contract ", .lanes = ${lanes}")
    if(text MATCHES "\n// @flags ")
      string(APPEND contract ", .activity = Activity::skipped")
    endif()
    set(supports "")
    if(text MATCHES "\n// @mesh ([a-z_]+)")
      string(APPEND contract ", .mesh = MeshTable::${CMAKE_MATCH_1}")
      set(supports "\n    .supports = {.surface = true},")
    endif()
    if(text MATCHES "\n// @cells ")
      set(supports "\n    .supports = {.families = life_like | nine_cells},")
    endif()
    if(text MATCHES "\n// @families ([^\n]+)")
      set(families ${CMAKE_MATCH_1})
      set(form "")
      if(text MATCHES "\n// @tables ")
        set(form ", .transition_form = TransitionForm::gpu_text")
      endif()
      set(supports "\n    .supports = {.families = ${families}${form}},")
    endif()
    if(text MATCHES "\n// @refuses ([a-z_]+)")
      string(APPEND contract ", .refuses = ${CMAKE_MATCH_1}")
    endif()
    string(REGEX REPLACE "^.*/kernels/(.*)[.]cl$" "\\1" name ${source})
    string(MAKE_C_IDENTIFIER ${name} identifier)
    set(path ${CMAKE_CURRENT_BINARY_DIR}/opencl_kernels/${identifier}.cpp)
    file(CONFIGURE OUTPUT ${path} CONTENT "// Made by cmake/OpenCl.cmake
#include \"kernels/kernel.h\"
#include \"kernels/opencl/partition.h\"

namespace moorea::kernels {
namespace {

const char* const text = R\"source(@text@)source\";

OpenClBinding bind(RuleMask) { return {.text = text, .group = {@group@}@binding@}; }

}  // namespace

extern const Kernel @identifier@;
constexpr Kernel @identifier@ = {
    .summary = \"@summary@\",
    .layout = Layout::@layout@,
    .max_steps = @steps@,@supports@
    .contract = OpenClContract{.bind = bind@contract@},
};

}  // namespace moorea::kernels
" @ONLY)
    list(APPEND made ${path})
  endforeach()
  set(${out} ${made} PARENT_SCOPE)
endfunction()
