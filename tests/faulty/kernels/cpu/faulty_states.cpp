// SPDX-License-Identifier: MIT
// Faulty on purpose, for the tests of verify and bench: cells leave the state before the last one too early.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

void fill_halo_columns(const StateRows& rows, std::int64_t count) {
  for (std::int64_t y = 0; y < count; ++y) {
    std::byte* const cells = rows.to + y * rows.to_row;
    cells[-1] = rows.torus ? cells[rows.columns - 1] : std::byte{};
    cells[rows.columns] = rows.torus ? cells[0] : std::byte{};
  }
}

std::byte next_state(const StateRows& rows, const std::byte* at) {
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx)
      if ((dy != 0 || dx != 0) && at[dy * rows.from_row + dx] == std::byte{1}) ++neighbours;
  }
  const int state = static_cast<int>(*at);
  if (state < 2 && ((state == 1 ? rows.rule.survival : rows.rule.birth) >> neighbours & 1) != 0)
    return std::byte{1};
  return static_cast<std::byte>(state == 0 || state >= rows.states - 2 ? 0 : state + 1);
}

void step(const StateRows& rows) {
  for (std::int64_t y = 0; y < 2 * rows.pairs; ++y) {
    for (std::int64_t x = 0; x < rows.columns; ++x)
      rows.to[y * rows.to_row + x] = next_state(rows, rows.from + (y + 1) * rows.from_row + x);
  }
  fill_halo_columns(rows, 2 * rows.pairs);
}

StatesBinding bind(RuleMask) { return {.step = step, .fill_halo_columns = fill_halo_columns}; }

}  // namespace

extern const Kernel cpu_faulty_states;
constexpr Kernel cpu_faulty_states = {
    .summary = "wrong on purpose, for more than two states",
    .layout = Layout::bytes,
    .max_steps = 1,
    .supports = {.families = generations},
    .contract = StatesContract{.bind = bind, .lanes = 1},
};

}  // namespace moorea::kernels
