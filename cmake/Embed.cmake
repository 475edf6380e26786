# Texts of files as C++.

# Appends to <list> a source file that defines `const char* const <constant>` in the namespace: the texts of
# the files, one after the other.
function(moorea_embed_text list namespace constant)
  set(text "")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} part)
    string(APPEND text " R\"moorea(${part})moorea\"")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${constant}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Made by cmake/Embed.cmake
namespace @namespace@ {

extern const char* const @constant@;
const char* const @constant@ =@text@;

}  // namespace @namespace@
" @ONLY)
  set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
  list(APPEND ${list} ${source})
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()

# Sets <out> to a source file that embeds the texts of files in the program: a function `std::span<const TYPE>
# <function>()` in the namespace, where <header> declares TYPE {name, text} of
# std::string_view.
function(moorea_embed_table out namespace function header type)
  set(texts "")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME)
    file(READ ${file} text)
    string(APPEND texts "    {\"${name}\", R\"moorea(${text})moorea\"sv},\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${function}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Made by cmake/Embed.cmake
#include \"@header@\"

namespace @namespace@ {

std::span<const @type@> @function@() {
  using namespace std::string_view_literals;  // their length needs no loop, whose steps compilers limit
  static constexpr @type@ texts[] = {
@texts@  };
  return texts;
}

}  // namespace @namespace@
" @ONLY)
  set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
  set(${out} ${source} PARENT_SCOPE)
endfunction()
