// SPDX-License-Identifier: MIT
// moorea run, divided among ranks.
#pragma once

#include <functional>
#include <string>

#include "cli/app.h"
#include "cli/world.h"
#include "media/saved_run.h"

namespace app {

/// Options of the division.
struct RankOptions {
  double timeout = 60;             ///< seconds that a rank may take more than the others
  std::string shares;              ///< of the rows, one for each rank
  std::string transport = "auto";  ///< of rows
};

void add_rank_options(Command& command, RankOptions& options);

/// The part of a run that is not about ranks.
struct RankedRun {
  WorldOptions world;
  EngineOptions engine;
  RankOptions ranks;
  std::string generations;  ///< as the command line has them
  std::string output, format;
  std::string populations;
  bool changes = false;
  bool json = false;
  SavedRunOptions saved;
  /// As for one process; every rank calls them.
  std::function<Json(const moorea::Simulation&, double seconds)> report;
  std::function<std::string(const Json&, const moorea::Simulation&)> report_text;
};

/// Runs the world on all ranks, of which rank 0 prints the result. Returns the exit code.
int run_over_ranks(const RankedRun& run);

}  // namespace app
