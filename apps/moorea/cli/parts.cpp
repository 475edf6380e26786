// SPDX-License-Identifier: MIT
#include "cli/parts.h"

#include <fmt/core.h>

#include "cli/numbers.h"

namespace app {
namespace {

double speed(const moorea::PartState& part, std::int64_t width) {
  return part.busy_seconds > 0 ? part.row_generations * static_cast<double>(width) / part.busy_seconds : 0;
}

double idle(const moorea::PartState& part) {
  const double all = part.busy_seconds + part.idle_seconds;
  return all > 0 ? part.idle_seconds / all : 0;
}

double share(const moorea::PartState& part, std::int64_t height) {
  return static_cast<double>(part.rows) / static_cast<double>(height);
}

}  // namespace

std::string parts_text(const moorea::Simulation& simulation) {
  std::string text;
  for (const moorea::PartState& part : simulation.parts())
    text += fmt::format("{}{} rows on {}", text.empty() ? "  parts   " : ", ", part.rows, part.device);
  return text.empty() ? text : text + "\n";
}

Json parts_json(const moorea::Simulation& simulation) {
  Json all;
  for (const moorea::PartState& part : simulation.parts()) {
    all.push_back({{"device", part.device},
                   {"kernel", part.kernel},
                   {"y", part.y},
                   {"rows", part.rows},
                   {"share", share(part, simulation.height())},
                   {"cells_per_second", speed(part, simulation.width())},
                   {"idle", idle(part)},
                   {"path", part.path}});
  }
  return all;
}

void explain_parts(const moorea::Simulation& simulation) {
  for (const moorea::PartState& part : simulation.parts()) {
    const std::string path = part.path.empty() ? "" : fmt::format("; rows pass on by {}", part.path);
    say(
        fmt::format("  {} on {}: {} rows at the end, {:.1f} %; {} while busy, idle for {:.1f} % of the "
                    "time{}",
                    part.kernel, part.device, part.rows, 100 * share(part, simulation.height()),
                    human_rate(speed(part, simulation.width())), 100 * idle(part), path));
  }
}

}  // namespace app
