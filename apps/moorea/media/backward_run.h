// SPDX-License-Identifier: MIT
// moorea run with generations before the start.
#pragma once

#include <string>

#include "cli/app.h"
#include "cli/cell_output.h"
#include "cli/world.h"
#include "moorea/simulation.h"

namespace app {

/// A run of -g -N, under a rule that can be reversed.
struct BackwardRun {
  const WorldOptions& world;
  const EngineOptions& engine;
  const std::string& generations;  ///< with a minus
  const CellOutput& output;
  bool json;
  /// As report/outcome.h has them.
  Json (*outcome_json)(const moorea::Simulation& simulation, double seconds);
  std::string (*outcome_text)(const Json& json, const moorea::Simulation& simulation);
};

/// Whether generations are given as before the start.
bool goes_back(const std::string& generations);

/// Returns the exit code. Throws Error (usage) if the rule cannot be reversed.
int run_back(const BackwardRun& run);

}  // namespace app
