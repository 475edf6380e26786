# Source revision of a build: queried from git at every build, written only when it changes. Included, this
# file sets MOOREA_REVISION_SOURCE; run as a script (cmake -P), it writes that file.
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)
  if(DEFINED ENV{MOOREA_REVISION})
    set(revision $ENV{MOOREA_REVISION})  # for a copy without history
  else()
    execute_process(COMMAND git -C ${SOURCE_DIR} describe --always --dirty --abbrev=12 --exclude=*
                    OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
    if(NOT status EQUAL 0 OR revision STREQUAL "")
      set(revision unknown)
    endif()
  endif()
  file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "// Made by cmake/Revision.cmake
#include \"moorea/inventory.h\"

namespace moorea {

std::string version() { return \"@VERSION@\"; }
std::string revision() { return \"@revision@\"; }
std::string compiler() { return \"@COMPILER@\"; }

}  // namespace moorea
" @ONLY)
  return()
endif()

set(MOOREA_REVISION_SOURCE ${CMAKE_CURRENT_BINARY_DIR}/revision.cpp)
add_custom_target(moorea_revision
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${CMAKE_CURRENT_SOURCE_DIR} -DOUTPUT=${MOOREA_REVISION_SOURCE} -DVERSION=${PROJECT_VERSION}
          "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" -P ${CMAKE_CURRENT_LIST_FILE}
  BYPRODUCTS ${MOOREA_REVISION_SOURCE} VERBATIM)
