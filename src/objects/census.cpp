// SPDX-License-Identifier: MIT
#include "objects/census.h"

#include <fmt/core.h>

#include <cstdlib>
#include <map>
#include <numeric>

#include "objects/apgcode.h"

namespace moorea {
namespace {

// An apgcode compares eight orientations: bitboards that could be evolved in this time, for a phase
constexpr std::uint64_t codes_work = 64;

ObjectCount describe(const Rule& rule, const Cycle& object) {
  ObjectCount entry;
  entry.period = object.period();
  entry.kind = object.moves()     ? ObjectKind::spaceship
               : entry.period > 1 ? ObjectKind::oscillator
                                  : ObjectKind::still_life;
  const auto [low, high] = std::minmax({std::abs(object.displacement.x), std::abs(object.displacement.y)});
  entry.displacement = {high, low};
  entry.population = object.phases[0].size();
  for (const CellList& phase : object.phases) entry.population = std::min(entry.population, phase.size());
  // The orientations of a code are those under which a rule does not change
  if (rule.is_isotropic()) entry.apgcode = apgcode(object);
  if (rule == Rule()) entry.name = object_name(entry.apgcode);
  return entry;
}

// Objects that are too large for an apgcode count as equal if what is printed of them is.
std::string key(const ObjectCount& entry) {
  if (!entry.apgcode.empty()) return entry.apgcode;
  return fmt::format("~{} {} {} {}", entry.period, entry.displacement.x, entry.displacement.y,
                     entry.population);
}

}  // namespace

std::vector<ObjectCount> count_objects(SearchContext& context, std::span<const Cycle> objects) {
  std::map<std::string, ObjectCount> counts;
  for (const Cycle& object : objects) {
    ObjectCount entry = describe(context.rule(), object);
    context.add_work(codes_work * entry.period);
    ++counts.try_emplace(key(entry), entry).first->second.count;
  }
  std::vector<ObjectCount> census;
  for (auto& [code, entry] : counts) census.push_back(std::move(entry));
  std::stable_sort(census.begin(), census.end(),
                   [](const ObjectCount& a, const ObjectCount& b) { return a.count > b.count; });
  return census;
}

std::string speed_text(const Position& displacement, std::uint64_t period) {
  const auto [low, high] = std::minmax({std::abs(displacement.x), std::abs(displacement.y)});
  if (high == 0) return "";
  if (low != 0 && low != high) return fmt::format("({},{})c/{}", high, low, period);
  const auto common = static_cast<std::int64_t>(std::gcd(static_cast<std::uint64_t>(high), period));
  const std::int64_t cells = high / common;
  const std::uint64_t generations = period / static_cast<std::uint64_t>(common);
  std::string text = cells == 1 ? "c" : fmt::format("{}c", cells);
  if (generations > 1) text += fmt::format("/{}", generations);
  return text + (low == 0 ? " orthogonal" : " diagonal");
}

std::string_view to_string(ObjectKind kind) {
  constexpr std::string_view names[] = {"still life", "oscillator", "spaceship"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view to_string(PatternKind kind) {
  constexpr std::string_view names[] = {"dies", "object", "objects", "settles", "methuselah",
                                        "gun",  "rake",   "puffer",  "unknown"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace moorea
