// SPDX-License-Identifier: MIT
// The base case: squares of 32 x 32 cells to their centres of 16 x 16, up to 8 generations later. Many
// squares are computed at a time, side by side in the window of vectors of the tile kernels, whose code for a
// rule (compiled, or generated at run time) serves all life-like rules. Errors enter at the edges of each
// square, one cell per generation, and do not reach its centre.
#pragma once

#include <array>
#include <memory>

#include "kernels/kernel.h"
#include "logic/emit_x86.h"
#include "trees/node_store.h"

namespace moorea {

/// One generation of a window of vectors under a rule; see kernels::StepWindow.
struct WindowStep {
  kernels::StepWindow step = nullptr;
  kernels::RuleMask rule{};
  int lanes = 64;                           ///< cells per vector: 64, 256 or 512
  std::shared_ptr<const MachineCode> code;  ///< of `step`, if it was generated
};

/// The four leaves of a square of 32 x 32 cells: north-west, north-east, south-west, south-east.
using LeafSquare = std::array<const LeafRows*, 4>;

class BaseSteps {
 public:
  static constexpr int max_generations = 8;
  static constexpr int max_squares = 16;

  /// Even generations, from the first on, are computed by `even` and the others by `odd`, of as many lanes.
  BaseSteps(WindowStep even, WindowStep odd) : steps_{std::move(even), std::move(odd)} {}

  /// Number of squares that cost as much as one.
  int squares() const { return steps_[0].lanes / 32; }

  /// Writes the centres of the first `count` squares, up to squares(), after `generations`, 0 to 8.
  void advance(const LeafSquare* squares, int count, int generations, LeafRows* centres) const;

 private:
  std::array<WindowStep, 2> steps_;
};

}  // namespace moorea
