// SPDX-License-Identifier: MIT
#include "moorea/support/nearest.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

namespace moorea {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// The part of a name with slashes after the last one; empty if there is none.
std::string_view last_part(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : name.substr(slash + 1);
}

// Whether the text is the beginning of a word of the other one: of words with underscores between them.
bool begins_word(std::string_view text, std::string_view words) {
  std::size_t at = words.find(text);
  while (at != std::string_view::npos && at > 0 && words[at - 1] != '_') at = words.find(text, at + 1);
  return at != std::string_view::npos;
}

// Patterns that are installed with the program, if this is one that is.
std::filesystem::path installed_patterns() {
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  return program.parent_path().parent_path() / "share/moorea/patterns";
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * columns + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      at(i, j) = std::min({at(i - 1, j - 1) + (a[i - 1] != b[j - 1]), at(i - 1, j) + 1, at(i, j - 1) + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.size(), b.size());
}

std::string nearest_name(std::string_view text, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 200, fewest_letters = 2;
  const std::string wanted = lower(text);
  if (wanted.size() < fewest_letters || wanted.size() > longest) return {};
  const std::string *prefixed = nullptr, *last = nullptr, *in_last = nullptr, *best = nullptr;
  std::size_t best_distance = 0;
  for (const std::string& name : names) {
    if (name.size() > longest) continue;
    const std::string known = lower(name);
    if (known.starts_with(wanted) && (prefixed == nullptr || name.size() < prefixed->size()))
      prefixed = &name;
    if (last == nullptr && last_part(known) == wanted) last = &name;
    if (in_last == nullptr && wanted.size() >= 3 && begins_word(wanted, last_part(known))) in_last = &name;
    const std::size_t distance = edit_distance(wanted, known);
    if (best == nullptr || distance < best_distance) best = &name, best_distance = distance;
  }
  if (best != nullptr && best_distance <= 1) return *best;
  if (prefixed != nullptr) return *prefixed;
  if (last != nullptr) return *last;
  if (in_last != nullptr) return *in_last;
  return best != nullptr && 2 * best_distance < wanted.size() ? *best : std::string();
}

std::string did_you_mean(std::string_view text, const std::vector<std::string>& names) {
  const std::string name = nearest_name(text, names);
  return name.empty() ? name : fmt::format("; did you mean {}?", name);
}

std::string nearest_file(const std::string& path) {
  constexpr int max_files = 10000;
  const std::filesystem::path wanted(path), folder = wanted.parent_path();
  std::vector<std::string> stems, others;
  std::error_code error;
  std::filesystem::directory_iterator file(folder.empty() ? "." : folder, error), end;
  for (int i = 0; !error && file != end && i < max_files; ++i, file.increment(error)) {
    if (file->is_directory(error)) continue;
    const std::filesystem::path& other = file->path();
    if (other.extension() == wanted.extension())
      stems.push_back(other.stem().string());
    else if (other.stem() == wanted.stem() ||
             edit_distance(other.filename().string(), wanted.filename().string()) == 1)
      others.push_back(other.filename().string());
  }
  std::string name = nearest_name(wanted.stem().string(), stems);
  if (!name.empty())
    name += wanted.extension().string();
  else if (!others.empty())
    name = *std::ranges::min_element(others);
  if (!name.empty()) return fmt::format("; did you mean {}?", (folder / name).string());
  for (const std::filesystem::path& patterns : {folder / "patterns", installed_patterns()}) {
    if (std::filesystem::is_regular_file(patterns / wanted.filename(), error))
      return fmt::format("; did you mean {}?", (patterns / wanted.filename()).string());
  }
  return "";
}

}  // namespace moorea
