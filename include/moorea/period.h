// SPDX-License-Identifier: MIT
// The period of a whole world: from which generation on it repeats, and after how many generations.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "moorea/box.h"
#include "moorea/simulation.h"

#pragma GCC visibility push(default)
namespace moorea {

/// From `generation` on, and not before, all cells of a world are the same after each `period` generations.
struct WorldPeriod {
  std::uint64_t generation = 0;
  std::uint64_t period = 1;
  /// In a period, on an unbounded plane: a spaceship alone is the same world elsewhere. (0, 0) in worlds of
  /// fixed size, whose cells have to be the same at the same places.
  Position displacement;
};

struct PeriodOptions {
  std::uint64_t max_generations =
      100'000;                       ///< by which the world has to repeat, counted from the present one
  std::uint64_t max_period = 5'000;  ///< largest period that is searched
  std::function<bool()> go_on;       ///< called now and then; returning false ends the search
};

/// Finds the period of a world, by comparisons of all its cells. Empty if the world does not repeat from one
/// of the next `max_generations` on.
///
/// Of a world of fixed size, every period up to `max_period` is found, and longer ones if the populations of
/// the last third of the generations recur. It is advanced, several times as far as `max_generations` at
/// most, and has its cells and generation again afterwards; two copies of its cells are in memory. Observers
/// are called as in Simulation::step(). Throws Error (memory) if the copies do not fit, Error (usage) for a
/// `max_period` of 0.
///
/// An unbounded plane repeats if nothing is left but objects that do not move or spaceships that all move
/// alike. identify() decides that, within its limits; the world stays at its generation. Throws Error as
/// identify() does.
std::optional<WorldPeriod> find_period(Simulation& world, const PeriodOptions& options = {});

}  // namespace moorea
#pragma GCC visibility pop
