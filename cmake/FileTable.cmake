# Tables generated from file names: an additional file is an additional entry, and nothing else has to be
# edited.

# Sets <out> to the names of the files without folder and extension: those of ORDER first, the rest sorted.
function(moorea_file_names out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ORDER;FILES")
  set(names "")
  foreach(file IN LISTS arg_FILES)
    get_filename_component(name ${file} NAME_WE)
    list(APPEND names ${name})
  endforeach()
  list(SORT names)
  list(REMOVE_ITEM names ${arg_ORDER})
  set(${out} ${arg_ORDER} ${names} PARENT_SCOPE)
endfunction()

# Sets <out> to a source file that defines FUNCTION, `std::span<TYPE> FUNCTION()`, in NAMESPACE: the array of
# ENTRY for each of NAMES, after a DECLARATION for each; both contain NAME for the name.
function(moorea_file_table out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAMESPACE;HEADER;TYPE;FUNCTION;DECLARATION;ENTRY" "NAMES")
  set(declarations "")
  set(entries "")
  foreach(name IN LISTS arg_NAMES)
    string(REPLACE NAME ${name} declaration "${arg_DECLARATION}")
    string(REPLACE NAME ${name} entry "${arg_ENTRY}")
    string(APPEND declarations "${declaration};\n")
    string(APPEND entries "      ${entry},\n")
  endforeach()
  set(path ${CMAKE_CURRENT_BINARY_DIR}/${arg_FUNCTION}.cpp)
  file(CONFIGURE OUTPUT ${path} CONTENT "// Made by cmake/FileTable.cmake
#include \"@arg_HEADER@\"

namespace @arg_NAMESPACE@ {

@declarations@
std::span<@arg_TYPE@> @arg_FUNCTION@() {
  static constexpr @arg_TYPE@ table[] = {
@entries@  };
  return table;
}

}  // namespace @arg_NAMESPACE@
" @ONLY)
  set(${out} ${path} PARENT_SCOPE)
endfunction()
