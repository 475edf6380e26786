// SPDX-License-Identifier: MIT
#include "cli/trees.h"

#include <fmt/core.h>

namespace app {

bool is_tree_file(const std::string& path) { return path.ends_with(".mc") || path.ends_with(".mc.gz"); }

Json number_json(const moorea::BigInteger& number) {
  const auto value = number.as_signed();
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  if (value && *value <= exact && *value >= -exact) return *value;
  return number.str();
}

std::string number_text(const Json& json) {
  return json.is_string() ? json.get<std::string>() : fmt::format("{}", json.get<std::int64_t>());
}

}  // namespace app
