// SPDX-License-Identifier: MIT
#include "rules/suggestion.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <utility>

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
};

Guess nearest_named(std::string_view plain) {
  Guess best;
  for (const NamedRule& entry : named_rules()) {
    std::size_t distance = edit_distance(plain, plain_name(entry.name));
    // Without its slashes, "/2/3" is near every short text
    if (entry.rule.states() == 2)
      distance = std::min(distance, edit_distance(plain, plain_name(entry.rule.str())));
    if (distance < best.distance)
      best = {fmt::format("with a name is {}, {}", entry.name, entry.rule.str()), distance};
  }
  return best;
}

Guess nearest_in_files(std::string_view plain) {
  Guess best;
  for (const std::string& name : names_of_rule_files()) {
    const std::string known = plain_name(name);
    // The begin of a name is as good as one that is misspelt
    const bool is_begin = plain.size() >= min_begin && known.starts_with(plain);
    const std::size_t distance = is_begin ? 1 : edit_distance(plain, known);
    if (distance < best.distance) best = {"by transitions is " + name, distance};
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
