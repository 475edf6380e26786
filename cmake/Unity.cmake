# Unity builds: several source files of a room are compiled as one, because most of the time goes into the headers that
# they share, and into functions of the standard library that each of them compiles again. Names in the unnamed namespaces of a room are therefore distinct. Files with options of their own, such as
# kernels, are compiled alone (CMake: UNITY_BUILD).

# Settings for a target with the sources.
function(moorea_unity target)
  if(NOT MOOREA_UNITY)
    return()
  endif()
  set(files_a_unit 14)
  foreach(source IN LISTS ARGN)
    get_filename_component(folder ${source} ABSOLUTE)
    get_filename_component(folder ${folder} DIRECTORY)
    get_filename_component(room "${folder}" NAME)
    math(EXPR unit "0${files_${room}} / ${files_a_unit}")
    math(EXPR files_${room} "0${files_${room}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${unit})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# Compile options of the target's units of these rooms. Options of the files would take them out of the units, so those
# of the files that CMake makes of them are set.
function(moorea_unity_options target options)
  foreach(room IN LISTS ARGN)
    foreach(unit RANGE 9)
      set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${room}_${unit}_cxx.cxx
                                  PROPERTIES COMPILE_OPTIONS "${options}")
    endforeach()
  endforeach()
endfunction()
