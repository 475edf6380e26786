// SPDX-License-Identifier: MIT
#include "cli/rule_facts.h"

#include <fmt/core.h>

#include <bit>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>

#include "moorea/inventory.h"
#include "moorea/larger_than_life.h"
#include "moorea/picture.h"
#include "moorea/rule.h"
#include "moorea/transitions.h"

namespace app {
namespace {

const char* class_of(const moorea::Rule& rule) {
  if (rule.larger_than_life() != nullptr) return "Larger than Life";
  if (rule.blocks() != nullptr) return "blocks";
  if (rule.transitions() != nullptr) return "transitions";
  if (rule.has_history()) return "history";
  return rule.states() > 2 ? "Generations" : rule.is_life_like() ? "life-like" : "table";
}

// Neighbours that a rule counts.
void add_counts(Json& json, const moorea::Rule& rule) {
  Json birth = Json::array(), survival = Json::array();
  bool total = true;
  std::string totals = "T";
  for (int n = 0; n <= 9; ++n) {
    if (n <= 8 && rule.next(false, n)) birth.push_back(n);
    if (n <= 8 && rule.next(true, n)) survival.push_back(n);
    // With the centre counted, a live cell with n - 1 neighbours and a dead one with n have the same total
    const bool dead = n <= 8 && rule.next(false, n), alive = n >= 1 && rule.next(true, n - 1);
    if (n >= 1 && n <= 8 && dead != alive) total = false;
    if (dead || alive) totals += static_cast<char>('0' + n);
  }
  json["birth"] = birth;
  json["survival"] = survival;
  if (total && rule.states() == 2) json["totals"] = totals;
}

Json intervals_json(std::span<const moorea::LargerThanLife::Interval> intervals) {
  Json list = Json::array();
  for (const auto& [first, last] : intervals) list.push_back({first, last});
  return list;
}

void add_wide_counts(Json& json, const moorea::LargerThanLife& counts) {
  json["radius"] = counts.radius();
  json["neighbours"] = counts.neighbours();
  json["birth_intervals"] = intervals_json(counts.birth());
  json["survival_intervals"] = intervals_json(counts.survival());
}

// The block after a quarter turn.
unsigned turned(unsigned block) {
  return (block >> 2 & 1) | (block & 1) << 1 | (block >> 3 & 1) << 2 | (block >> 1 & 1) << 3;
}

void add_blocks(Json& json, const moorea::Rule& rule) {
  const moorea::Rule::Blocks& next = *rule.blocks();
  bool conserves = true, turns = true;
  for (unsigned block = 0; block < next.size(); ++block) {
    conserves = conserves && std::popcount(block) == std::popcount(unsigned{next[block]});
    turns = turns && next[turned(block)] == turned(next[block]);
  }
  json["blocks"] = next;
  json["reversible"] = rule.inverse().has_value();
  json["conserves_live_cells"] = conserves;
  json["quarter_turns"] = turns;
}

std::string intervals_text(const Json& intervals) {
  std::string text;
  for (const Json& each : intervals) {
    const int first = each[0], last = each[1];
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (first != last) text += " to " + std::to_string(last);
  }
  return text.empty() ? "never" : "with " + text + " live neighbours";
}

}  // namespace

Json rule_facts(const moorea::WorldSpec& spec) {
  const moorea::Rule& rule = spec.rule;
  Json json = {{"rule", rule.str()}, {"name", rule.name()}};
  Json aliases = Json::array();
  for (const moorea::NamedRule& named : moorea::named_rules()) {
    if (named.rule == rule && named.name != rule.name()) aliases.push_back(named.name);
  }
  json["aliases"] = aliases;
  json["class"] = class_of(rule);
  json["states"] = rule.states();
  json["born_from_nothing"] = rule.births_from_nothing();
  if (!spec.is_unbounded()) json["bounds"] = spec.bounds().suffix();
  if (const moorea::Transitions* const transitions = rule.transitions()) {
    json["neighbours"] = transitions->has_corners() ? 8 : 4;
    json["nodes"] = std::ssize(transitions->tree().nodes) / rule.states();
    json["ignored"] = transitions->ignored();
    if (rule.is_wires()) {
      json["heads_from"] = Json::array();
      for (int n = 0; n <= 8; ++n)
        if (rule.two_state().next(false, n)) json["heads_from"].push_back(n);
    }
  }
  if (const moorea::LargerThanLife* const counts = rule.larger_than_life()) {
    add_wide_counts(json, *counts);
    return json;
  }
  if (rule.blocks() != nullptr) {
    add_blocks(json, rule);
    return json;
  }
  if (rule.transitions() == nullptr && rule.two_state().is_life_like()) add_counts(json, rule);
  const moorea::RuleCost cost = moorea::rule_cost(rule);
  if (cost.gates_per_word == 0 && rule.transitions() != nullptr) return json;  // looked up
  json["gates_per_word"] = cost.gates_per_word;
  json["operations_per_word"] = cost.operations_per_word;
  return json;
}

Json colours_json(const moorea::Rule& rule) {
  const std::optional<moorea::Palette> palette = moorea::state_colours(rule);
  if (!palette) return nullptr;
  Json colours = Json::array();
  for (int state = 0; state < rule.states(); ++state) {
    const moorea::Colour& colour = (*palette)[static_cast<std::size_t>(state)];
    colours.push_back(fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue));
  }
  return colours;
}

std::string rule_text(const Json& facts) {
  std::string text = fmt::format("rule      {}\n", facts["rule"].get<std::string>());
  std::string names = facts["name"];
  for (const Json& alias : facts["aliases"]) names += ", " + alias.get<std::string>();
  if (!names.empty()) text += fmt::format("name      {}\n", names);
  const int states = facts["states"];
  const auto counts = [](const Json& list) {
    std::string digits;
    for (const Json& n : list) digits += (digits.empty() ? "" : ", ") + std::to_string(n.get<int>());
    return digits.empty() ? "never" : "with " + digits + " live neighbours";
  };
  if (facts.contains("nodes")) {
    text += fmt::format(
        "class     transitions, a decision tree of {} nodes\nstates    {}\nreads     {} neighbours\n",
        facts["nodes"].get<std::int64_t>(), states, facts["neighbours"].get<int>());
    std::string ignored;
    for (const Json& section : facts["ignored"])
      ignored += (ignored.empty() ? "" : ", ") + section.get<std::string>();
    if (facts.contains("heads_from"))
      text += fmt::format("wires     a wire becomes a head {}\n", counts(facts["heads_from"]));
    if (!ignored.empty()) text += fmt::format("note      not used: {}\n", ignored);
  } else if (facts.contains("radius")) {
    text += fmt::format("class     Larger than Life, radius {}, {} neighbours\n", facts["radius"].get<int>(),
                        facts["neighbours"].get<int>());
    if (states > 2) text += fmt::format("states    {}: dead, alive and {} dying\n", states, states - 2);
    text += fmt::format("birth     {}\nsurvival  {}\n", intervals_text(facts["birth_intervals"]),
                        intervals_text(facts["survival_intervals"]));
  } else if (facts.contains("blocks")) {
    text += fmt::format("class     blocks of 2 x 2 cells (Margolus){}{}{}\n",
                        facts["reversible"] ? ", reversible" : "",
                        facts["conserves_live_cells"] ? ", the number of live cells stays" : "",
                        facts["quarter_turns"] ? ", the same after quarter turns" : "");
  } else if (facts["class"] == "history") {
    text += fmt::format(
        "class     history\nstates    {}: dead, alive, once alive, marked (3, 4, 5), boundary\n", states);
  } else if (states > 2) {
    text +=
        fmt::format("class     Generations\nstates    {}: dead, alive and {} dying\n", states, states - 2);
  }
  if (facts.contains("birth"))
    text += fmt::format("birth     {}\nsurvival  {}\n", counts(facts["birth"]), counts(facts["survival"]));
  if (facts.contains("totals"))
    text +=
        fmt::format("totals    {}: the centre counts like a neighbour\n", facts["totals"].get<std::string>());
  if (facts.contains("gates_per_word"))
    text += fmt::format("logic     {} gates per word with three inputs, {} operations with two{}\n",
                        facts["gates_per_word"].get<double>(), facts["operations_per_word"].get<double>(),
                        facts.contains("heads_from") ? ", for heads"
                        : facts.contains("nodes")    ? ", for all digits of a state"
                        : states > 2                 ? ", for births and survivals"
                                                     : "");
  else if (facts.contains("nodes"))
    text += "logic     none: the next state is looked up\n";
  if (facts["born_from_nothing"])
    text += "note      B0: empty space does not stay empty, so a world needs a size\n";
  return text;
}

}  // namespace app
