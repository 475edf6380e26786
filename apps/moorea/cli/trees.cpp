// SPDX-License-Identifier: MIT
#include "cli/trees.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <string_view>

namespace app {

bool is_tree_file(const std::string& path) { return path.ends_with(".mc") || path.ends_with(".mc.gz"); }

bool may_hold_tree(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::string begin(8, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  std::string_view text = begin;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text.starts_with("[M2]") || text.starts_with("\x1F\x8B");
}

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
