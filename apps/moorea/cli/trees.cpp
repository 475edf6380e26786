// SPDX-License-Identifier: MIT
#include "cli/trees.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include "moorea/checkpoint.h"
#include "moorea/support/file_names.h"

namespace app {
namespace {

// Of an ordinary file: standard input and pipes can be read only once.
std::string first_bytes(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return "";
  std::string begin(32, '\0');
  std::ifstream(path, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin;
}

}  // namespace

bool is_tree_file(const std::string& path) {
  return moorea::has_ending(path, ".mc") || moorea::has_ending(path, ".mc.gz");
}

bool begins_as_tree(const std::string& path) {
  if (is_tree_file(path)) return true;
  if (!moorea::CheckpointReader::recognises(first_bytes(path))) return false;
  return moorea::CheckpointReader(path).header().tree_words.has_value();
}

bool may_hold_tree(const std::string& path) {
  const std::string begin = first_bytes(path);
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
