// SPDX-License-Identifier: MIT
// Reference implementation of rules with more than two states: a byte per cell, one cell after the other,
// live neighbours added up, births and survivals looked up, or transitions by their tree. The other kernels
// of such rules are compared with it.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/states/bytes.h"

// Whether a cell is born or survives, which is 1 or 0 alive itself.
bool lives(const StateRows& rows, const std::uint8_t* at, bool alive) {
  unsigned cells = 0;  // as a number, row by row
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) cells = cells << 1 | (at[dy * rows.from_row + dx] == 1 ? 1 : 0);
  }
  if (rows.table != nullptr) return (rows.table[cells / 64] >> cells % 64 & 1) != 0;
  int neighbours = alive ? -1 : 0;
  for (; cells != 0; cells &= cells - 1) ++neighbours;
  return ((alive ? rows.rule.survival : rows.rule.birth) >> neighbours & 1) != 0;
}

std::uint8_t next_state(const StateRows& rows, const std::uint8_t* at) {
  if (rows.tree.nodes != nullptr) return next_by_tree(rows, at);
  const int state = *at;
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
    .supports = {.families = generations | nine_cell_generations | transitions | wires},
    .contract = StatesContract{.bind = bind, .lanes = 1},
};

}  // namespace moorea::kernels
