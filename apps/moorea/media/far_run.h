// SPDX-License-Identifier: MIT
// moorea run with generations, populations and sizes beyond 64 bits: --kernel hashlife, and unbounded planes
// without a named kernel.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/cell_output.h"
#include "cli/until.h"
#include "cli/world.h"
#include "moorea/big_integer.h"

namespace app {

struct FarRun {
  WorldOptions world;
  EngineOptions engine;
  moorea::BigInteger generations;
  Until until;  ///< not one that is searched
  CellOutput output;
  bool json = false;
};

/// Parses -g as parse_count() does, or a number of any size; empty: the default.
moorea::BigInteger parse_generations(const std::string& text);

/// Whether a run without a named kernel may need numbers of more than 64 bits or a tree that is not expanded.
bool may_run_far(const FarRun& run);

/// Runs a world as a tree, or a plane that can become one, writes its last generation if asked to, and prints
/// the result. Returns the exit code; empty if the world is another one whose generations fit a Simulation:
/// `other` is that world then.
std::optional<int> run_far(FarRun run, std::unique_ptr<World>& other);

/// Whether the world is a plane whose dead cells are all born at once, which only a tree can run.
bool needs_tree(const World& world, const EngineOptions& engine);

/// As run_far(), of a world that has been read.
int run_tree(FarRun run, const World& world);

}  // namespace app
