// SPDX-License-Identifier: MIT
// Reference implementation of rules with more than two states: a byte per cell, one cell after the other,
// live neighbours added up, births and survivals looked up, or transitions by their tree. The other kernels
// of such rules are compared with it.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/states/bytes.h"

// Digits of a live cell's state, of which the lowest is 1 and the others are 0.
int live_digits(const StateRows& rows) { return rows.kind == StateKind::history ? 1 : 0xFF; }

// Whether a cell is born or survives, which is 1 or 0 alive itself.
bool lives(const StateRows& rows, const std::uint8_t* at, bool alive) {
  unsigned cells = 0;  // as a number, row by row
  const int digits = live_digits(rows);
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx)
      cells = cells << 1 | ((at[dy * rows.from_row + dx] & digits) == 1 ? 1 : 0);
  }
  if (rows.table != nullptr) return (rows.table[cells / 64] >> cells % 64 & 1) != 0;
  int neighbours = alive ? -1 : 0;
  for (; cells != 0; cells &= cells - 1) ++neighbours;
  return ((alive ? rows.rule.survival : rows.rule.birth) >> neighbours & 1) != 0;
}

bool touches_boundary(const StateRows& rows, const std::uint8_t* at) {
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx)
      if (at[dy * rows.from_row + dx] == 6) return true;
  }
  return false;
}

std::uint8_t next_with_history(const StateRows& rows, const std::uint8_t* at) {
  constexpr std::uint8_t if_alive[] = {1, 1, 1, 3, 3, 5, 6}, if_dead[] = {0, 2, 2, 4, 4, 4, 6};
  const bool alive = (*at & live_digits(rows)) == 1;
  return (lives(rows, at, alive) && !(alive && touches_boundary(rows, at)) ? if_alive : if_dead)[*at];
}

std::uint8_t next_state(const StateRows& rows, const std::uint8_t* at) {
  if (rows.tree.nodes != nullptr) return next_by_tree(rows, at);
  const int state = *at;
  if (rows.kind == StateKind::history) return next_with_history(rows, at);
  if (state == 0) return lives(rows, at, false) ? 1 : 0;
  if (state == 1 && lives(rows, at, true)) return 1;
  return static_cast<std::uint8_t>((state + 1) % rows.states);
}

void step(const StateRows& rows) {
  step_bytes(rows, [&](const std::uint8_t* at) { return next_state(rows, at); });
  fill_byte_halo(rows, 2 * rows.pairs);
}

StatesBinding bind(RuleMask) { return {.step = step, .fill_halo_columns = fill_byte_halo}; }

}  // namespace

extern const Kernel cpu_states_reference;
constexpr Kernel cpu_states_reference = {
    .summary = "more than two states, the definition: a byte per cell, one cell after the other",
    .layout = Layout::bytes,
    .max_steps = 1,
    .supports = {.families =
                     generations | nine_cell_generations | transitions | wires | history | nine_cell_history},
    .contract = StatesContract{.bind = bind, .lanes = 1},
};

}  // namespace moorea::kernels
