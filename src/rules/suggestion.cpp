// SPDX-License-Identifier: MIT
#include "rules/suggestion.h"

#include <fmt/core.h>

#include <algorithm>

#include "moorea/rule.h"
#include "moorea/support/nearest.h"
#include "rules/rule_families.h"
#include "rules/rule_folders.h"

namespace moorea {
namespace {

// Returns the nearest named rule; null if most characters would have to change.
const NamedRule* nearest(std::string_view text) {
  const std::string plain = plain_name(text);
  const NamedRule* best = nullptr;
  std::size_t best_distance = 0;
  for (const NamedRule& entry : named_rules()) {
    std::size_t distance = edit_distance(plain, plain_name(entry.name));
    // Without its slashes, "/2/3" is near every short text
    if (entry.rule.states() == 2)
      distance = std::min(distance, edit_distance(plain, plain_name(entry.rule.str())));
    if (best == nullptr || distance < best_distance) best = &entry, best_distance = distance;
  }
  return 2 * best_distance < plain.size() ? best : nullptr;
}

}  // namespace

std::string suggestion(std::string_view core) {
  if (const NamedRule* const guess = nearest(core); guess != nullptr)
    return fmt::format("\n  the nearest rule with a name is {}, {}", guess->name, guess->rule.str());
  if (core.find('/') != std::string_view::npos) return "";
  const std::string file = nearest_name(core.substr(0, core.rfind(".rule")), names_of_rule_files());
  return file.empty() ? "" : fmt::format("\n  the nearest rule in a file is {}", file);
}

}  // namespace moorea
