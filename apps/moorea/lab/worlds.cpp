// SPDX-License-Identifier: MIT
#include "lab/worlds.h"

#include <utility>
#include "moorea/lab/starting_worlds.h"
#include "moorea/support/nine_cells.h"

namespace app {
namespace {

constexpr double max_kept_bytes = 2e9;

double bytes_of(const moorea::Grid& world) {
  return static_cast<double>(world.words_per_row() * world.height()) * 8;
}

}  // namespace

std::shared_ptr<const moorea::Grid> Worlds::at(const Start& start) {
  if (const auto found = kept_.find(start.key()); found != kept_.end()) return found->second;
  moorea::Grid cells = moorea::starting_world(start.world, start.size.width, start.size.height);
  if (start.after != 0) {
    moorea::require_nine_cells(start.rule, "--after");
    moorea::Simulation simulation(start.spec(), cells);
    simulation.step(start.after, [] { return !was_interrupted(); });
    cells = simulation.grid();
  }
  double bytes = 0;
  for (const auto& [key, world] : kept_) bytes += bytes_of(*world);
  if (bytes > max_kept_bytes) kept_.clear();
  return kept_[start.key()] = std::make_shared<const moorea::Grid>(std::move(cells));
}

}  // namespace app
