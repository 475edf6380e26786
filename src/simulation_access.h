// SPDX-License-Identifier: MIT
// Access of the laboratory to the parts of a simulation.
#pragma once

#include <cstdint>
#include <functional>

#include "boards/board.h"
#include "choose/choose.h"
#include "moorea/simulation.h"

namespace moorea {

class SimulationAccess {
 public:
  static Board& board(const Simulation& simulation);
  static const Choice& choice(const Simulation& simulation);

  /// As Simulation::step(); `advance` advances the board by at most `max_at_once` generations per call.
  static std::uint64_t step_with(Simulation& simulation, std::uint64_t generations,
                                 const std::function<bool()>& go_on, std::uint64_t max_at_once,
                                 const std::function<void(std::uint64_t)>& advance);
};

}  // namespace moorea
