// SPDX-License-Identifier: MIT
#include "patterns/pattern_rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "moorea/error.h"
#include "moorea/support/rule_text.h"
#include "moorea/world_spec.h"

namespace moorea {
namespace {

// Divides a pattern's rule into its name or notation and a bounded grid.
std::pair<std::string_view, std::string_view> divided(std::string_view rule) {
  const std::size_t colon = std::min(rule.find(':'), rule.size());
  return {rule.substr(0, colon), rule.substr(colon)};
}

}  // namespace

WorldSpec Pattern::world() const {
  if (rule.empty() && mesh == nullptr) return {};
  try {
    const auto [core, suffix] = divided(rule);
    const bool has_own = own_rule && own_rule->str() == core;
    if (mesh != nullptr) {
      const Rule named = rule.empty() ? Rule() : Rule::parse(core);
      return WorldSpec::on(has_own ? *own_rule : named, mesh, adjacency);
    }
    return has_own ? WorldSpec::in_bounds(*own_rule, suffix) : WorldSpec::parse(rule);
  } catch (const Error& error) {
    throw Error(std::string("the pattern's rule is not supported: ") + error.what());
  }
}

void Pattern::set_world(const WorldSpec& world) {
  rule = world.str();
  own_rule.reset();
  if (world.rule.transitions() != nullptr) own_rule = world.rule;
  mesh = world.mesh;
  adjacency = world.adjacency;
}

void Pattern::take_texts(const Pattern& other) {
  name = other.name;
  author = other.author;
  comments = other.comments;
}

namespace patterns {

std::optional<Rule> rule_of(const Pattern& pattern) {
  try {
    const std::string_view name = divided(pattern.rule).first;
    return pattern.own_rule && pattern.own_rule->str() == name ? *pattern.own_rule : Rule::parse(name);
  } catch (const Error&) {
    return {};
  }
}

std::string_view core_of(const Pattern& pattern) { return divided(pattern.rule).first; }

std::string notation_of(const Pattern& pattern, const Rule& rule) {
  const auto [core, suffix] = divided(pattern.rule);
  if (rule.transitions() != nullptr || !is_own_name(core)) return pattern.rule;
  return rule.str() + std::string(suffix);
}

int states_of_rule(const Pattern& pattern) {
  const std::optional<Rule> rule = rule_of(pattern);
  return rule && rule->states() > 2 ? rule->states() : 0;
}

}  // namespace patterns
}  // namespace moorea
