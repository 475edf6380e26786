// SPDX-License-Identifier: MIT
// Cells of rules with more than two states.
#pragma once

#include <cstdint>
#include <vector>

#include "moorea/grid.h"

#pragma GCC visibility push(default)
namespace moorea {

/// A rectangle of cells with states from 0, dead, up to a largest one. Plane p has binary digit p of each
/// cell's state, so that a world of two states has one plane, which is its Grid.
class Cells {
 public:
  /// No cells, of two states.
  Cells() = default;

  /// All cells in state 0. `states` is 2 to Rule::max_states. Throws Error (usage) for a negative size or
  /// another number of states, Error (memory) if the cells do not fit in the memory that is available.
  Cells(std::int64_t width, std::int64_t height, int states);

  /// The live cells in state 1.
  Cells(Grid live, int states);

  /// Noise: the cells of Grid::random with the same arguments are in one of the states 1 to states - 1, with
  /// equal probability; the others are dead. The cell in column x and row y is a pure function of (seed,
  /// density, states, y, x), see docs/rules.md.
  static Cells random(std::int64_t width, std::int64_t height, double density, std::uint64_t seed,
                      int states);

  std::int64_t width() const { return planes_.empty() ? 0 : planes_[0].width(); }
  std::int64_t height() const { return planes_.empty() ? 0 : planes_[0].height(); }
  int states() const { return states_; }
  bool empty() const { return width() == 0 || height() == 0; }

  /// The state of the cell in column x and row y, which must lie inside.
  int state(std::int64_t x, std::int64_t y) const;
  /// Throws Error (usage) unless the state is 0 to states() - 1.
  void set(std::int64_t x, std::int64_t y, int state);

  /// Number of planes: of binary digits of the largest state.
  int planes() const { return static_cast<int>(planes_.size()); }
  Grid& plane(int digit) { return planes_[static_cast<std::size_t>(digit)]; }
  const Grid& plane(int digit) const { return planes_[static_cast<std::size_t>(digit)]; }

  /// The cells that are not in state 0.
  Grid live() const;

  /// The largest state of a cell; 0 if all are dead.
  int largest_state() const;

  /// Number of cells in each state from 0 to states() - 1.
  std::vector<std::uint64_t> census() const;

  /// The state hash, with the top-left cell at `origin`: the sum of each state times the hash of the cells in
  /// it (Grid::hash), modulo 2^61 - 1. Throws Error (usage) for coordinates beyond max_coordinate.
  std::uint64_t hash(Position origin = {}) const;

  /// The cells inside `box`, which may reach beyond the edges; what lies outside is dead. Throws Error
  /// (usage) for a box beyond max_coordinate.
  Cells crop(const Box& box) const;

  /// Replaces the cells from `at` on by those of `source`, which has no state that these have not; cells that
  /// fall outside are dropped. Throws Error (usage) for coordinates beyond max_coordinate or too many states.
  void paste(const Cells& source, Position at);

  bool operator==(const Cells& other) const = default;

 private:
  int states_ = 2;
  std::vector<Grid> planes_ = std::vector<Grid>(1);
};

}  // namespace moorea
#pragma GCC visibility pop
