// SPDX-License-Identifier: MIT
#include "rules/rule_folders.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <span>
#include <utility>

#include "moorea/error.h"
#include "moorea/support/file_names.h"
#include "moorea/support/rule_text.h"
#include "moorea/transitions.h"
#include "rules/rule_definitions.h"
#include "rules/rule_families.h"
#include "rules/von_neumann.h"

namespace moorea {
namespace {

namespace files = std::filesystem;

constexpr std::string_view ending = ".rule";
constexpr std::uintmax_t max_bytes = 64 << 20;
constexpr const char* golly_folder = "/usr/share/golly/Rules";

std::string text_of(const files::path& path) {
  std::error_code error;
  if (const std::uintmax_t bytes = files::file_size(path, error); !error && bytes > max_bytes)
    throw Error(fmt::format("{}: a rule of more than {} bytes", path.string(), max_bytes));
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.good() && !file.eof()) throw Error(fmt::format("{}: cannot be read", path.string()));
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // of editors on Windows
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

// Names without slashes: they are looked for in folders.
bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) || c >= 0x80 ||
           std::string_view("-_+.' ").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::optional<files::path> find(std::string_view name) {
  std::error_code error;
  if (has_ending(name, ending)) {
    if (files::is_regular_file(name, error)) return files::path(name);
    name.remove_suffix(ending.size());
  }
  if (!is_name(name)) return {};
  for (const std::string& folder : rule_folders()) {
    const files::path exact = files::path(folder) / (std::string(name) + std::string(ending));
    if (files::is_regular_file(exact, error)) return exact;
    // As for other names, case, blanks and hyphens do not matter
    for (const files::directory_entry& entry : files::directory_iterator(folder, error)) {
      const files::path& path = entry.path();
      if (has_ending(path.native(), ending) && plain_name(path.stem().string()) == plain_name(name))
        return path;
    }
  }
  return {};
}

// Colours of the states, if the file of a rule has none: those of the file that is called as its part before
// the last hyphen with "-shared" behind.
std::vector<Colour> shared_colours(const files::path& path, int states) {
  const std::string name = path.stem().string();
  const std::size_t hyphen = name.rfind('-');
  if (hyphen == std::string::npos) return {};
  const files::path shared = path.parent_path() / (name.substr(0, hyphen) + "-shared" + std::string(ending));
  std::error_code error;
  if (shared == path || !files::is_regular_file(shared, error)) return {};
  const Transitions other = Transitions::parse(text_of(shared), shared.string());
  const std::span<const Colour> colours = other.colours();
  if (std::ssize(colours) < states) return {};
  return {colours.begin(), colours.begin() + states};
}

Rule read(const files::path& path) {
  std::string text = text_of(path);
  Transitions transitions = Transitions::parse(text, path.string());
  if (transitions.colours().empty()) {
    transitions = transitions.with_colours(shared_colours(path, transitions.states()));
    text += colours_text(transitions.colours());
  }
  return rule_with_text(std::move(transitions), {std::move(text), path.parent_path() == golly_folder});
}

struct Known {
  files::file_time_type time;
  Rule rule;
};

// Rules in files that have been read, by path.
struct KnownFiles {
  std::mutex mutex;
  std::map<std::string, Known> rules;

  static KnownFiles& all() {
    static KnownFiles known;
    return known;
  }
};

}  // namespace

std::vector<std::string> rule_folders() {
  std::vector<std::string> folders;
  const char* const named = std::getenv("MOOREA_RULES");
  for (std::string_view rest = named == nullptr ? "" : named; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    if (!folder.empty()) folders.emplace_back(folder);
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
  }
  if (const char* const data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/') {
    folders.push_back(std::string(data) + "/moorea/rules");
  } else if (const char* const home = std::getenv("HOME"); home != nullptr && *home == '/') {
    folders.push_back(std::string(home) + "/.local/share/moorea/rules");
  }
  folders.emplace_back(golly_folder);
  return folders;
}

std::optional<Rule> rule_in_files(std::string_view name) {
  while (name.ends_with(' ') || name.ends_with('\t')) name.remove_suffix(1);
  if (const std::optional<Rule> rule = built_in_rule(name)) return rule;
  const std::optional<files::path> path = find(name);
  if (!path) return {};
  std::error_code error;
  const files::file_time_type time = files::last_write_time(*path, error);
  KnownFiles& known = KnownFiles::all();
  const std::lock_guard lock(known.mutex);
  auto found = known.rules.find(path->string());
  if (found == known.rules.end() || found->second.time != time)
    found = known.rules.insert_or_assign(path->string(), Known{time, read(*path)}).first;
  const Rule& rule = found->second.rule;
  if (path->string() == name && rule.transitions() != nullptr) give_rule(rule);
  return rule;
}

bool is_own_name(std::string_view core) {
  try {
    (void)parse_without_files(core);
    return false;
  } catch (const Error&) {
    if (given_rule(core)) return true;
  }
  const std::optional<files::path> path = find(core);
  return !path || path->parent_path() != golly_folder;
}

std::vector<std::string> names_of_rule_files() {
  std::vector<std::string> names = {"WireWorld"};
  for (const std::string_view name : von_neumann_names()) names.emplace_back(name);
  for (const std::string& folder : rule_folders()) {
    std::error_code error;
    for (const files::directory_entry& entry : files::directory_iterator(folder, error))
      if (has_ending(entry.path().native(), ending)) names.push_back(entry.path().stem().string());
  }
  return names;
}

}  // namespace moorea
