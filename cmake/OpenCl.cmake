# OpenCL devices: where OpenCL's headers are found and MOOREA_OPENCL does not say OFF. The loader library is opened when it
# is first asked for, so nothing is linked and the program starts on machines without one.

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

# Settings for the target with the sources, and for the one that is linked.
function(moorea_opencl sources linked)
  if(NOT MOOREA_HAS_OPENCL)
    return()
  endif()
  set(cells ${PROJECT_SOURCE_DIR}/src/devices/opencl/cells.cl)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${cells})
  file(READ ${cells} text)
  set(path ${CMAKE_CURRENT_BINARY_DIR}/opencl_kernels/cells_source.cpp)
  file(CONFIGURE OUTPUT ${path} CONTENT "// Made by cmake/OpenCl.cmake
namespace moorea {

extern const char* const opencl_cells_source;
const char* const opencl_cells_source = R\"source(@text@)source\";

}  // namespace moorea
" @ONLY)
  target_sources(${sources} PRIVATE ${path})
  target_compile_definitions(${sources} PRIVATE MOOREA_OPENCL_ENABLED)
  target_include_directories(${sources} SYSTEM PRIVATE ${MOOREA_OPENCL_INCLUDE_DIR})
  target_link_libraries(${linked} PRIVATE ${CMAKE_DL_LIBS})
endfunction()
