// SPDX-License-Identifier: MIT
// The single file that has fmt's code in it: all others include <fmt/core.h>, which declares these functions,
// and nothing more. Debian has no static library of fmt, and with fmt's headers alone each file would compile
// all of it, 2.5 s a file (g++ 12). The functions are inline here, hence weak symbols, so that a program that
// links a fmt of its own may do so.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

namespace moorea {

// The address of the one function that <fmt/core.h> leaves to the linker, so that the compiler emits it
extern std::string (*const format_function)(fmt::string_view, fmt::format_args);
std::string (*const format_function)(fmt::string_view, fmt::format_args) = &fmt::vformat;

}  // namespace moorea
