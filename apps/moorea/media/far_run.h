// SPDX-License-Identifier: MIT
// moorea run --kernel hashlife: generations, populations and sizes beyond 64 bits.
#pragma once

#include <string>

#include "cli/cell_output.h"
#include "cli/until.h"
#include "cli/world.h"

namespace app {

struct FarRun {
  WorldOptions world;
  EngineOptions engine;
  std::string generations;  ///< as typed; empty: the default
  Until until;              ///< not one that is searched
  CellOutput output;
  bool json = false;
};

/// Runs a world as a tree, writes its last generation if asked to, and prints the result. Returns the exit
/// code.
int run_far(const FarRun& run);

}  // namespace app
