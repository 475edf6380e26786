// SPDX-License-Identifier: MIT
// Several states in planes of 64 strided columns per machine word: births and survivals by masks, ages by
// binary counters. Portable.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = std::uint64_t;

inline word spread(unsigned bit) { return -static_cast<word>(bit); }

#include "kernels/common/bits.h"

#include "kernels/cpu/shifts.h"

#include "kernels/cpu/halo_columns.h"

#include "kernels/cpu/states/planes.h"

#include "kernels/cpu/states/ages.h"

// The next heads, tails (age 1) and wires (age 2), of which those in `lives` become heads.
void conduct(const word* cell, word* to, word lives) {
  to[0] = cell[2] & lives;
  to[1] = cell[0];
  to[2] = cell[1] | (cell[2] & ~lives);
}

// The next cells of a rule with history by the digits of their states, of which those in `lives` are alive
// next unless they are in state 6.
void remember(const word* cell, word* to, word lives) {
  const word low = cell[0], middle = cell[1], high = cell[2], boundary = high & middle;
  const word alive = lives & ~boundary, starts = high & low;
  const word marked = (middle & low) | (high & ~low & ~middle);  // states 3 and 4
  to[0] = alive;
  to[1] = boundary | (alive & marked) | (~alive & ~high & (middle ^ low));
  to[2] = boundary | (alive & starts) | (~alive & (marked | starts));
}

void step(const StateRows& rows) {
  const RulePlanes rule = rule_planes(rows.rule.birth, rows.rule.survival);
  const std::ptrdiff_t row = rows.from_row / word_bytes;
  for (std::int64_t j = 0; j < rows.columns; ++j) {
    const word* at = reinterpret_cast<const word*>(rows.from) + j * rows.planes;
    const auto sum_at = [&] { return row_sum(at[-rows.planes], at[0], at[rows.planes]); };
    RowSum above = sum_at();
    at += row;
    RowSum here = sum_at();
    for (std::int64_t y = 0; y < 2 * rows.pairs; ++y) {
      at += row;
      const RowSum below = sum_at();
      const word* const cell = at - row;
      word* const to = reinterpret_cast<word*>(rows.to + y * rows.to_row) + j * rows.planes;
      const word lives = next_state(above, here, below, cell[0], &rule);
      above = here;
      here = below;
      switch (rows.kind) {
        case StateKind::transitions:  // unsupported
        case StateKind::ages:
          next_generation(cell, to, rows.planes - 1, rows.states, lives);
          break;
        case StateKind::wires:
          conduct(cell, to, lives);
          break;
        case StateKind::history:
          remember(cell, to, lives);
          break;
      }
    }
  }
  kill_at_boundary(rows);
  fill_planes_halo(rows, 2 * rows.pairs);
}

StatesBinding bind(RuleMask) { return {.step = step, .fill_halo_columns = fill_planes_halo}; }

}  // namespace

extern const Kernel cpu_states_planes;
constexpr Kernel cpu_states_planes = {
    .summary = "more than two states, 64 strided columns per word, 16 generations per pass; portable",
    .layout = Layout::planes,
    .max_steps = 16,
    .supports = {.families = generations | wires | history},
    .contract = StatesContract{.bind = bind, .lanes = word_lanes},
};

}  // namespace moorea::kernels
