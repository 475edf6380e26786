// SPDX-License-Identifier: MIT
// The only file that contains fmt's code: all others include <fmt/core.h>, which only declares these
// functions. Debian has no static library of fmt, and with fmt's headers alone each file would compile all of
// it, 2.5 s per file (g++ 12). The functions are inline here, hence weak symbols, so that a program may link
// an fmt of its own.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

namespace moorea {

// Address of the one function that <fmt/core.h> leaves to the linker, so that the compiler emits it
extern std::string (*const format_function)(fmt::string_view, fmt::format_args);
std::string (*const format_function)(fmt::string_view, fmt::format_args) = &fmt::vformat;

}  // namespace moorea
