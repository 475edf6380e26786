// SPDX-License-Identifier: MIT
// Access of the laboratory and of ranks to the parts of a simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "boards/board.h"
#include "boards/rank_board.h"
#include "choose/choose.h"
#include "choose/plan.h"
#include "moorea/simulation.h"

namespace moorea {

class SimulationAccess {
 public:
  static Board& board(const Simulation& simulation);
  static const Choice& choice(const Simulation& simulation);
  /// Null for a simulation without ranks.
  static const RankBoard* ranked(const Simulation& simulation);

  static Simulation make(PlannedChoice planned, std::unique_ptr<RankBoard> board, std::uint64_t generation);

  /// Adds to Simulation::cell_updates() what another one has computed for it.
  static void add_cell_updates(Simulation& simulation, double updates);

  /// As Simulation::step(); `advance` advances the board by at most `max_at_once` generations per call.
  static std::uint64_t step_with(Simulation& simulation, std::uint64_t generations,
                                 const std::function<bool()>& go_on, std::uint64_t max_at_once,
                                 const std::function<void(std::uint64_t)>& advance);
};

}  // namespace moorea
