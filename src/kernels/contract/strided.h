// SPDX-License-Identifier: MIT
// Contract of CPU kernels of the strided layout, which advance a band of rows in place; docs/cpu.md has
// drawings.
#pragma once

#include "moorea/kernel.h"

namespace moorea::kernels {

/// Inner loop for one rule, which may be machine code generated at run time: advances `pairs` pairs of rows
/// by one generation, in `columns` columns of vectors. `at` is the first vector of the row that precedes the
/// first pair in the order of the sweep, `row` the distance of successive rows in bytes (negative in an
/// upward sweep). Each result is stored one row and one column before the place of its cell, in that order.
using StepPairs = void (*)(RuleMask rule, void* at, std::ptrdiff_t row, std::int64_t columns,
                           std::int64_t pairs);
struct PairSteps {
  StepPairs rightwards = nullptr;  ///< columns from left to right
  StepPairs leftwards = nullptr;
  /// In upward sweeps, of rules to which above and below are not the same; null: those of downward sweeps.
  StepPairs rightwards_up = nullptr, leftwards_up = nullptr;
};

/// Rows of a world in the strided (dimension-lifted) layout, Henretty et al. 2011, advanced in place by a
/// kernel that maintains the halo columns itself. A row is `stride` vectors of StridedContract::lanes cells,
/// so that the left and right neighbours of a cell are at the same bit of the adjacent vectors. It has one
/// halo vector on each side and a third, spare vector: to update in place, the kernel stores each vector one
/// place further left and each row one place further up (or right, or down, by direction), and so overwrites
/// no input that it still needs.
struct Band {
  std::byte* memory;     ///< row 0 of the memory; vectors begin at a multiple of their size
  std::ptrdiff_t pitch;  ///< bytes from row to row: stride + 3 vectors or more
  std::int64_t rows;     ///< of memory: height + 4 * Kernel::max_steps + 4
  std::int64_t width;    ///< cells in a row
  std::int64_t stride;   ///< width / lanes, rounded up
  std::int64_t height;   ///< rows of cells
  std::int64_t top;      ///< row of memory where the cells begin; updated by the kernel
  int shifted;  ///< 1: vector 0 of each row is the second of memory, 0: the third; updated by the kernel
  bool torus;   ///< left and right edges are joined; otherwise cells beyond them are dead
  bool dead_above, dead_below;  ///< edge of a plane: rows beyond it are dead
  RuleMask rule;
  PairSteps code;  ///< for StridedBinding::code_sweep
  /// Rows that a generation computes before the next one follows, even; 0: the kernel chooses.
  std::int64_t wave = 0;
  /// Bit i of each vector is a cell of world i, of which the band has `lanes`: `stride` is `width`, and halo
  /// columns are copies of the opposite edge without a change of lanes.
  bool lanes_are_worlds = false;
};

/// Address of vector 0 of row y of the cells; rows above and below are the halo. `static inline` and not a
/// member, so that each file compiles its own copy: files for an instruction set must not share functions.
static inline std::byte* band_row(const Band& band, std::int64_t y, int vector_bytes) {
  return band.memory + (band.top + y) * band.pitch + (2 - band.shifted) * vector_bytes;
}

/// Advances the cells of a band by `steps` generations (1 to Kernel::max_steps). `steps` rows above and
/// below, with their halo columns, hold the neighbours before the call and are undefined after it.
using Sweep = void (*)(Band& band, int steps);

/// Fills the halo columns of `rows` rows from row y on, whose cells the caller has filled.
using FillHaloColumns = void (*)(const Band& band, std::int64_t y, std::int64_t rows);

/// Counts the live cells of each lane, as bit planes: bit i of vector p of `planes` is binary digit p of the
/// count of lane i. `count` planes are written, which must suffice for the band's number of cells.
using CountLanes = void (*)(const Band& band, std::byte* planes, int count);

/// Sets the bit of each lane in the vector `differing` whose cells differ from `saved`, rows of `stride`
/// vectors without gaps. Returns early when all bits are set.
using CompareLanes = void (*)(const Band& band, const std::byte* saved, std::byte* differing);

struct StridedBinding {
  Sweep sweep = nullptr;
  FillHaloColumns fill_halo_columns = nullptr;
  Sweep code_sweep = nullptr;            ///< instead of `sweep`: runs Band::code; null if that is not faster
  CountLanes count_lanes = nullptr;      ///< for bands whose lanes are worlds
  CompareLanes compare_lanes = nullptr;  ///< for bands whose lanes are worlds
};

struct StridedContract {
  StridedBinding (*bind)(RuleMask rule) = nullptr;
  int lanes = 0;  ///< cells per vector
};

}  // namespace moorea::kernels
