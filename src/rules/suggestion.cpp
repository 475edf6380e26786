// SPDX-License-Identifier: MIT
#include "rules/suggestion.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "moorea/rule.h"
#include "moorea/support/nearest.h"
#include "rules/rule_families.h"
#include "rules/rule_folders.h"

namespace moorea {
namespace {

constexpr std::size_t min_begin = 3;  // characters

struct Guess {
  std::string text;
  std::size_t distance = SIZE_MAX;  // characters that would have to change
  std::size_t length = 0;           // of the name

  bool is_better_than(const Guess& other) const {
    return std::pair(distance, length) < std::pair(other.distance, other.length);
  }
};

// A name's distance from a text; the begin of a name is as good as one that is misspelt.
std::size_t name_distance(std::string_view plain, std::string_view name) {
  const std::string known = plain_name(name);
  return plain.size() >= min_begin && known.starts_with(plain) ? 1 : edit_distance(plain, known);
}

Guess nearest_named(std::string_view plain) {
  Guess best;
  for (const NamedRule& entry : named_rules()) {
    std::size_t distance = name_distance(plain, entry.name);
    // Without its slashes, "/2/3" is near every short text
    if (entry.rule.states() == 2)
      distance = std::min(distance, edit_distance(plain, plain_name(entry.rule.str())));
    const Guess guess = {fmt::format("with a name is {}, {}", entry.name, entry.rule.str()), distance,
                         entry.name.size()};
    if (guess.is_better_than(best)) best = guess;
  }
  return best;
}

Guess nearest_in_files(std::string_view plain) {
  std::vector<std::string> files = names_of_rule_files();
  std::ranges::sort(files);
  Guess best;
  for (const std::string& name : files) {
    const Guess guess = {"by transitions is " + name, name_distance(plain, name), name.size()};
    if (guess.is_better_than(best)) best = guess;
  }
  return best;
}

}  // namespace

std::string suggestion(std::string_view core) {
  const std::string plain = plain_name(core.substr(0, core.rfind(".rule")));
  Guess best = nearest_named(plain);
  if (core.find('/') == std::string_view::npos) {
    Guess other = nearest_in_files(plain);
    if (other.distance < best.distance) best = std::move(other);
  }
  // Not if most characters would have to change
  return 2 * best.distance < plain.size() ? "\n  the nearest rule " + best.text : "";
}

}  // namespace moorea
