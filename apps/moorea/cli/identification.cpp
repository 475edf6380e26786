// SPDX-License-Identifier: MIT
#include "cli/identification.h"

#include <fmt/core.h>

#include "cli/numbers.h"

namespace app {

std::string motion_text(const moorea::Position& displacement, std::uint64_t period) {
  const std::string speed = moorea::speed_text(displacement, period);
  return fmt::format("period {}{}{}", period, speed.empty() ? "" : ", ", speed);
}

std::string verdict_text(const moorea::Identification& found) {
  using enum moorea::PatternKind;
  const std::string name = found.name.empty() ? "" : ": " + found.name;
  const std::string recurs = motion_text(found.displacement, found.period);
  switch (found.kind) {
    case dies:
      return fmt::format("dies at generation {}", found.settled);
    case object: {
      const moorea::ObjectCount& entry = found.census[0];
      const std::string kind(moorea::to_string(entry.kind));
      return kind + name + (entry.period > 1 ? ", " + recurs : "");
    }
    case objects:
      return fmt::format("objects that do not influence each other, {}", recurs);
    case settles:
      return fmt::format("settles at generation {}", found.settled);
    case methuselah:
      return fmt::format("methuselah, settles at generation {} with {}", found.settled,
                         counted(found.population, "live cell"));
    case gun:
      return fmt::format("gun{}, {}", name, recurs);
    case rake:
      return fmt::format("rake{}, {}", name, recurs);
    case puffer:
      return fmt::format("puffer{}, {}", name, recurs);
    case unknown:
      break;
  }
  return fmt::format("not identified within {}: {}", counted(found.searched, "generation"),
                     counted(found.population, "live cell"));
}

Json identification_json(const moorea::Identification& found) {
  Json census = Json::array();
  for (const moorea::ObjectCount& entry : found.census) {
    census.push_back({{"count", entry.count},
                      {"kind", moorea::to_string(entry.kind)},
                      {"name", entry.name},
                      {"apgcode", entry.apgcode},
                      {"period", entry.period},
                      {"displacement", {entry.displacement.x, entry.displacement.y}},
                      {"speed", moorea::speed_text(entry.displacement, entry.period)},
                      {"population", entry.population}});
  }
  return {{"kind", moorea::to_string(found.kind)},
          {"settled", found.settled},
          {"period", found.period},
          {"displacement", {found.displacement.x, found.displacement.y}},
          {"apgcode", found.apgcode},
          {"name", found.name},
          {"speed", moorea::speed_text(found.displacement, found.period)},
          {"initial_population", found.initial_population},
          {"population", found.population},
          {"searched", found.searched},
          {"census", census}};
}

}  // namespace app
