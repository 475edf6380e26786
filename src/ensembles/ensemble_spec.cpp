// SPDX-License-Identifier: MIT
// Worlds of an ensemble by their index.
#include <limits>

#include <fmt/core.h>

#include "moorea/ensemble.h"
#include "moorea/error.h"

namespace moorea {

std::uint64_t EnsembleSpec::worlds() const {
  std::uint64_t sum = 0;
  for (const RuleGroup& group : groups) {
    if (group.worlds > std::numeric_limits<std::uint64_t>::max() - sum)
      throw Error("an ensemble of more than 2^64 - 1 worlds: give fewer", ErrorKind::usage);
    sum += group.worlds;
  }
  return sum;
}

const Rule& EnsembleSpec::rule(std::uint64_t world) const {
  for (const RuleGroup& group : groups) {
    if (world < group.worlds) return group.rule;
    world -= group.worlds;
  }
  throw Error(fmt::format("a world {} beyond the ensemble's last: expected less than {}", world, worlds()),
              ErrorKind::usage);
}

Grid EnsembleSpec::cells(std::uint64_t world) const {
  if (!start) return Grid::random(size.width, size.height, density, world_seed(seed, world));
  Grid grid = start(world);
  if (grid.width() != size.width || grid.height() != size.height) {
    throw Error(fmt::format("the start of world {} has {} x {} cells: expected {} x {}, as all worlds of the "
                            "ensemble",
                            world, grid.width(), grid.height(), size.width, size.height),
                ErrorKind::usage);
  }
  return grid;
}

}  // namespace moorea
