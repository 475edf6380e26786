// SPDX-License-Identifier: MIT
#include "moorea/device_list.h"

#include <fmt/core.h>

#include "moorea/error.h"

namespace moorea {
namespace {

// Place of the first separator that is not between quotes; the text's size if there is none.
std::size_t separator_in(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (!quoted && (text[i] == ',' || text[i] == '+')) return i;
  }
  if (quoted) {
    throw Error(
        fmt::format("device {}: a quote is not closed; the name of an OpenCL device that has a comma or "
                    "a plus sign is written as in opencl:\"A, B\", but bench, which separates devices by "
                    "commas, needs a part of it without them",
                    text),
        ErrorKind::usage);
  }
  return text.size();
}

}  // namespace

bool is_device_list(std::string_view text) { return separator_in(text) != text.size(); }

std::vector<std::string> split_devices(std::string_view list) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t end = separator_in(list);
    std::string_view name = list.substr(0, end);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    names.emplace_back(name);
    if (end == list.size()) return names;
    list.remove_prefix(end + 1);
  }
}

}  // namespace moorea
