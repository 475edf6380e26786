// SPDX-License-Identifier: MIT
#include "rules/rule_folders.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <list>
#include <map>
#include <mutex>

#include "moorea/error.h"
#include "moorea/transitions.h"
#include "rules/rule_families.h"
#include "rules/transition_tree.h"
#include "rules/von_neumann.h"

namespace moorea {
namespace {

namespace files = std::filesystem;

constexpr std::string_view ending = ".rule";
constexpr std::uintmax_t max_bytes = 64 << 20;
constexpr std::size_t max_definition = 1 << 20;  // bytes of a rule that a pattern contains
constexpr const char* golly_folder = "/usr/share/golly/Rules";

// After A. K. Dewdney, "Computer Recreations", Scientific American, January 1990: electron heads become
// tails, tails wire, and wire next to one or two heads a head. In Golly's colours.
constexpr std::string_view wireworld = R"(@RULE WireWorld
@TABLE
n_states:4
neighborhood:Moore
symmetries:permute
var a={0,1,2,3}
var b={a}
var c={a}
var d={a}
var e={a}
var f={a}
var g={a}
var h={a}
var i={0,2,3}
var j={i}
var k={i}
var l={i}
var m={i}
var n={i}
var o={i}
1,a,b,c,d,e,f,g,h,2
2,a,b,c,d,e,f,g,h,3
3,1,i,j,k,l,m,n,o,1
3,1,1,i,j,k,l,m,n,1
@COLORS
0 48 48 48
1 0 128 255
2 255 255 255
3 255 128 0
)";

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

Transitions read(const files::path& path) { return Transitions::parse(text_of(path), path.string()); }

// The text of a rule for a pattern that contains it; empty if it is too long, or Golly has the rule.
std::string definition_in(const files::path& path) {
  std::error_code error;
  if (path.parent_path() == golly_folder || files::file_size(path, error) > max_definition || error)
    return "";
  return text_of(path);
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
  if (name.ends_with(ending)) {
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
      if (path.extension() == ending && plain_name(path.stem().string()) == plain_name(name)) return path;
    }
  }
  return {};
}

// The transitions of a file. One without colours has those of the file that is called as its part before the
// last hyphen with "-shared" behind.
Transitions read_with_colours(const files::path& path) {
  Transitions transitions = read(path);
  const std::string name = path.stem().string();
  const std::size_t hyphen = name.rfind('-');
  if (!transitions.colours().empty() || hyphen == std::string::npos) return transitions;
  const files::path shared = path.parent_path() / (name.substr(0, hyphen) + "-shared" + std::string(ending));
  std::error_code error;
  if (shared == path || !files::is_regular_file(shared, error)) return transitions;
  const Transitions other = read(shared);
  const std::span<const Colour> colours = other.colours();
  if (std::ssize(colours) < transitions.states()) return transitions;
  return transitions.with_colours({colours.begin(), colours.begin() + transitions.states()});
}

// The births of a rule of wires, which count: survivals are such that the centre counts as a neighbour, which
// is simpler logic, and without consequences where the centre is not live. Empty for other rules.
std::optional<Rule> births_of_wires(const Transitions& transitions) {
  if (transitions.states() != 4) return {};
  std::array<std::optional<bool>, 9> births;
  for (unsigned n = 0; n < 1u << 18; ++n) {
    Transitions::Neighbourhood cells;
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = n >> 2 * i & 3;
    const int state = cells[4], next = transitions.next(cells);
    if (state < 3) {
      if (next != (state == 0 ? 0 : state + 1)) return {};
      continue;
    }
    std::optional<bool>& birth = births[static_cast<std::size_t>(std::ranges::count(cells, 1))];
    if ((next != 1 && next != 3) || birth.value_or(next == 1) != (next == 1)) return {};
    birth = next == 1;
  }
  unsigned mask = 0;
  for (std::size_t i = 0; i < births.size(); ++i) mask |= *births[i] ? 1u << i : 0;
  if ((mask & 1) != 0) return {};
  return Rule(mask, mask >> 1);
}

struct Known {
  files::file_time_type time;
  Rule rule;
  std::string definition;  // read with the rule: the file may change later
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

struct Given {
  Rule rule;
  std::string text;  // of define(), or of the file
  bool is_file = false;
};

// Rules whose files were given by their paths or texts, by name.
class GivenRules {
 public:
  static GivenRules& all() {
    static GivenRules given;
    return given;
  }

  void add(const std::string& name, Given given) {
    const std::lock_guard lock(mutex_);
    rules_.insert_or_assign(name, std::move(given));
  }

  std::optional<Given> find(std::string_view name) const {
    const std::lock_guard lock(mutex_);
    const auto found = rules_.find(name);
    return found == rules_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Given, std::less<>> rules_;
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

namespace {

// Transitions that need no file; each is made when it is asked for first.
std::optional<Rule> built_in_rule(std::string_view name) {
  const std::string plain = plain_name(name);
  if (plain == "wireworld") {
    static const Rule rule = Rule::by(Transitions::parse(wireworld, "WireWorld"));
    return rule;
  }
  const std::optional<VonNeumannRule> which = von_neumann_rule_of(plain);
  if (!which) return {};
  static std::mutex mutex;
  static std::map<VonNeumannRule, Rule> made;
  const std::lock_guard lock(mutex);
  const auto found = made.find(*which);
  if (found != made.end()) return found->second;
  return made.emplace(*which, Rule::by(von_neumann_transitions(*which))).first->second;
}

}  // namespace

Rule Rule::by(Transitions transitions) {
  require_complete(transitions.tree(), transitions.name());
  if (transitions.states() == 2) {
    Table table{};
    for (unsigned n = 0; n < 512; ++n) {
      Transitions::Neighbourhood cells;
      for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = n >> (8 - i) & 1;
      table[n / 64] |= static_cast<std::uint64_t>(transitions.next(cells)) << n % 64;
    }
    return Rule(table);
  }
  static std::mutex mutex;
  static std::list<Transitions> all;
  const std::lock_guard lock(mutex);
  auto kept = std::ranges::find(all, transitions);
  if (kept == all.end()) kept = all.insert(all.end(), std::move(transitions));
  const std::optional<Rule> wires = births_of_wires(*kept);
  Rule rule = wires ? *wires : Rule(kept->next({}) == 0 ? 0 : 1, 0);
  rule.wires_ = wires.has_value();
  rule.states_ = static_cast<std::uint16_t>(kept->states());
  rule.transitions_ = &*kept;
  return rule;
}

void Rule::define(std::string_view text, std::string_view source) {
  Transitions transitions = Transitions::parse(text, source);
  const std::string name = transitions.name();
  // A notation, or a name of Moorea's own, keeps its meaning
  const std::optional<Given> earlier = GivenRules::all().find(name);
  if (!earlier || earlier->is_file) {
    try {
      const Rule known = parse(name);
      if (known.transitions() == nullptr || known.is_wires() || von_neumann_rule_of(plain_name(name))) return;
    } catch (const Error&) {
      // Nothing is called so
    }
  }
  GivenRules::all().add(name, {by(std::move(transitions)), std::string(text)});
}

std::string Rule::definition(std::string_view name) {
  if (const std::optional<Given> given = GivenRules::all().find(name)) return given->text;
  const std::optional<files::path> path = built_in_rule(name) ? std::nullopt : find(name);
  if (!path) return "";
  const std::lock_guard lock(KnownFiles::all().mutex);
  const auto found = KnownFiles::all().rules.find(path->string());
  return found == KnownFiles::all().rules.end() ? "" : found->second.definition;
}

std::optional<Rule> given_rule(std::string_view name) {
  const std::optional<Given> given = GivenRules::all().find(name);
  return given ? std::optional(given->rule) : std::nullopt;
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
  if (found == known.rules.end() || found->second.time != time) {
    const Rule rule = Rule::by(read_with_colours(*path));
    found = known.rules.insert_or_assign(path->string(), Known{time, rule, definition_in(*path)}).first;
  }
  const auto& [read_at, rule, definition] = found->second;
  if (path->string() == name && rule.transitions() != nullptr)
    GivenRules::all().add(rule.str(), {rule, definition, true});
  return rule;
}

std::vector<std::string> names_of_rule_files() {
  std::vector<std::string> names = {"WireWorld"};
  for (const std::string_view name : von_neumann_names()) names.emplace_back(name);
  for (const std::string& folder : rule_folders()) {
    std::error_code error;
    for (const files::directory_entry& entry : files::directory_iterator(folder, error))
      if (entry.path().extension() == ending) names.push_back(entry.path().stem().string());
  }
  return names;
}

int Transitions::next(const Neighbourhood& cells) const {
  std::int32_t at = tree_.root;
  const auto ask = [&](int place) {
    at = tree_.nodes[static_cast<std::size_t>(at) * static_cast<std::size_t>(tree_.states) +
                     cells[static_cast<std::size_t>(place)]];
  };
  if (tree_.corners)
    for (const int place : order_with_corners) ask(place);
  else
    for (const int place : order_without) ask(place);
  return at;
}

}  // namespace moorea
