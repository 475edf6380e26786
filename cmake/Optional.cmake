# Libraries that a build may lack.

# Uses a library if the option is on and the library is found; otherwise warns that something is missing.
#   moorea_optional(OPTION PACKAGE NAME [VERSION] | HEADER FILE
#                   TARGETS TARGET... [LINK LIBRARY...] [PC FLAG]
#                   FILES FILE... DEFINE MACRO... [PROPERTIES NAME VALUE...] [ELSE WARNING])
# PACKAGE is for find_package; HEADER is for libraries without compiled code. The targets link LINK, and
# pkg-config lists PC. Only FILES are compiled with the macros and properties, so that the others are not
# compiled again (ccache, ./test). Sets optional_FOUND. A macro, because MooreaConfig.cmake asks which packages
# were found.
macro(moorea_optional option)
  cmake_parse_arguments(optional "" "HEADER;PC;ELSE" "PACKAGE;TARGETS;LINK;FILES;DEFINE;PROPERTIES" ${ARGN})
  set(optional_FOUND FALSE)
  # With and without the library, so that the units of other files are equal in both builds
  set_source_files_properties(${optional_FILES} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(${option})
    if(optional_PACKAGE)
      find_package(${optional_PACKAGE})
      list(GET optional_PACKAGE 0 optional_name)
      set(optional_FOUND ${${optional_name}_FOUND})
    else()
      find_path(${option}_INCLUDE_DIR ${optional_HEADER})
      if(${option}_INCLUDE_DIR)
        set(optional_FOUND TRUE)
      endif()
    endif()
    if(optional_FOUND)
      foreach(optional_target IN LISTS optional_TARGETS)
        target_link_libraries(${optional_target} PRIVATE ${optional_LINK})
        if(optional_HEADER)
          target_include_directories(${optional_target} SYSTEM PRIVATE ${${option}_INCLUDE_DIR})
        endif()
      endforeach()
      set_source_files_properties(${optional_FILES} PROPERTIES COMPILE_DEFINITIONS "${optional_DEFINE}" ${optional_PROPERTIES})
      if(optional_PC)
        string(APPEND MOOREA_PC_LIBS " ${optional_PC}")
      endif()
    elseif(optional_ELSE)
      message(WARNING "${optional_ELSE}")
    endif()
  endif()
endmacro()
