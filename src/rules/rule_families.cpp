// SPDX-License-Identifier: MIT
#include "rules/rule_families.h"

#include <fmt/core.h>
#include <regex.h>

#include <array>
#include <cctype>
#include <optional>

#include "moorea/error.h"
#include "moorea/support/life_like.h"
#include "moorea/support/nine_cells.h"
#include "rules/neighbourhoods.h"

namespace moorea {
namespace {

// Whether the whole text matches a POSIX extended regular expression. Uses the system's functions, because
// the templates of <regex> take seconds to compile and g++ 12 warns about them.
bool matches(const std::string& text, const std::string& pattern) {
  regex_t compiled;
  if (regcomp(&compiled, ("^(" + pattern + ")$").c_str(), REG_EXTENDED | REG_NOSUB) != 0) return false;
  const bool found = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

}  // namespace

// A name without case, blanks and punctuation.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c))) plain += static_cast<char>(std::tolower(c));
  }
  return plain;
}

void require_two_states(const Rule& rule, std::string_view what, ErrorKind kind) {
  if (rule.states() == 2) return;
  throw Error(fmt::format("{} needs a rule of two states, such as B3/S23; {} has {}", what, rule.str(),
                          rule.states()),
              kind);
}

void require_nine_cells(const Rule& rule, std::string_view what, ErrorKind kind) {
  if (rule.has_nine_cells()) return;
  require_two_states(rule, what, kind);
  throw Error(fmt::format("{} needs a rule of a cell and its eight neighbours, such as B3/S23; {} is {}",
                          what, rule.str(), rule.blocks() != nullptr ? "one of blocks" : "Larger than Life"),
              kind);
}

bool Rule::is_isotropic() const {
  if (!has_nine_cells()) return false;
  std::array<std::array<std::array<std::optional<bool>, 16>, 9>, 2> known;  // by centre, count and letter
  for (unsigned n = 0; n < 512; ++n) {
    const neighbourhoods::Name name = neighbourhoods::name_of(n);
    std::optional<bool>& first = known[n >> 4 & 1][name.count][name.letter];
    if (!first) first = next(n);
    if (*first != next(n)) return false;
  }
  return true;
}

void require_life_like(const Rule& rule, std::string_view what) {
  if (rule.is_life_like()) return;
  require_nine_cells(rule, what);
  throw Error(
      fmt::format("{} needs a life-like rule, which counts the eight neighbours, such as B3/S23; {} does not",
                  what, rule.str()),
      ErrorKind::usage);
}

std::optional<Rule> history_rule(std::string_view core) {
  constexpr std::string_view ending = "history";
  core = core.substr(0, core.find_last_not_of(" \t") + 1);
  if (core.size() <= ending.size()) return {};
  const std::size_t start = core.size() - ending.size();
  if (plain_name(core.substr(start)) != ending) return {};
  try {
    const Rule rule = Rule::parse(core.substr(0, start));
    if (rule.has_nine_cells()) return rule.with_history();
  } catch (const Error&) {
    // The whole text may be something else, and has the better message
  }
  return {};
}

// The notations are Golly's and MCell's (LifeWiki, "Rulestring").
std::string other_family(std::string_view core) {
  struct Family {
    const char* pattern;
    const char* name;
  };
  static constexpr Family families[] = {
      {"(b[0-9xyz]*/?s[0-9xyz]*|[0-9xyz]*/[0-9xyz]*)l[a-z]?", "Life-like on a triangular neighbourhood"},
      {"w[0-9]+|rule ?[0-9]+", "elementary (Wolfram's one-dimensional rules)"},
      {"nw[0-9,]+.*|nw.*,rs.*", "weighted Life"},
  };
  std::string text;
  for (const char c : core) text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
  for (const Family& family : families) {
    if (matches(text, family.pattern)) return family.name;
  }
  return {};
}

}  // namespace moorea
