// SPDX-License-Identifier: MIT
#include "objects/stages.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "objects/meetings.h"
#include "objects/planes.h"

namespace moorea {

const Stage& Stages::before(std::uint64_t generation) const {
  return *std::find_if(all_.rbegin(), all_.rend(),
                       [&](const Stage& stage) { return stage.generation <= generation; });
}

std::uint64_t Stages::first_equal(const SettledWorld& world) const {
  const auto different =
      std::find_if(all_.rbegin(), all_.rend(), [&](const Stage& stage) { return !is(stage, world); });
  const std::uint64_t first = different == all_.rend()
                                  ? all_[0].generation
                                  : first_after(*different, std::prev(different)->generation, world);
  // It may have been equal before objects influenced each other and became the same again
  const auto ago = last_influence(context_, world.objects, last().generation - first);
  if (!ago) return first;
  const std::uint64_t next = last().generation - *ago + 1;
  Stage after = later(before(next), next);
  return is(after, world) ? next : first_after(std::move(after), last().generation, world);
}

bool Stages::is(const Stage& stage, const SettledWorld& world) const {
  return world.at(static_cast<std::int64_t>(stage.generation - last().generation)) == stage.cells;
}

Stage Stages::later(const Stage& stage, std::uint64_t generation) const {
  Simulation plane = plane_of(context_.rule(), stage.cells, options_);
  plane.step(generation - stage.generation, options_.go_on);
  if (plane.generation() != generation - stage.generation) throw SearchStopped();
  return {generation, live_cells(plane, context_)};
}

// First generation at which the pattern equals `world`, after one at which it does not and up to `high`, at
// which it does. No object influences another one after the first of them.
std::uint64_t Stages::first_after(Stage low, std::uint64_t high, const SettledWorld& world) const {
  while (high - low.generation > 1) {
    context_.ask();
    Stage middle = later(low, low.generation + (high - low.generation) / 2);
    if (is(middle, world))
      high = middle.generation;
    else
      low = std::move(middle);
  }
  return high;
}

}  // namespace moorea
