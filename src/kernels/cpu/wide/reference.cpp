// SPDX-License-Identifier: MIT
// Reference implementation of Larger than Life: a byte per cell, the live cells of the neighbourhood counted
// by windows that slide along its rows. The other kernels of such rules are compared with it.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/states/bytes.h"

// What enters the neighbourhood minus what leaves it when the cell moves by one column to `at`.
int change(const StateRows& rows, const std::uint8_t* at) {
  int sum = 0;
  for (std::int64_t i = 0; i < rows.counts.run_count; ++i) {
    const NeighbourRun& run = rows.counts.runs[i];
    const std::uint8_t* const row = at + run.dy * rows.from_row;
    sum += (row[run.last] == 1 ? 1 : 0) - (row[run.first - 1] == 1 ? 1 : 0);
  }
  return sum;
}

int count(const StateRows& rows, const std::uint8_t* at) {
  int sum = 0;
  for (std::int64_t i = 0; i < rows.counts.run_count; ++i) {
    const NeighbourRun& run = rows.counts.runs[i];
    for (int dx = run.first; dx <= run.last; ++dx) sum += at[run.dy * rows.from_row + dx] == 1 ? 1 : 0;
  }
  return sum;
}

bool lives(const WideCounts& counts, int live, bool alive) {
  bool result = false;
  for (std::int64_t i = 0; i < counts.limit_count; ++i) {
    const CountLimit& limit = counts.limits[i];
    if (live >= limit.count && (alive ? limit.survival : limit.birth)) result = !result;
  }
  return result;
}

void step(const StateRows& rows) {
  for (std::int64_t y = 0; y < 2 * rows.pairs; ++y) {
    const auto* const from =
        reinterpret_cast<const std::uint8_t*>(rows.from + (y + rows.reach) * rows.from_row);
    auto* const to = reinterpret_cast<std::uint8_t*>(rows.to + y * rows.to_row);
    int live = count(rows, from);
    for (std::int64_t x = 0; x < rows.columns; ++x) {
      if (x > 0) live += change(rows, from + x);
      const int state = from[x];
      const bool goes_on = state < 2 && lives(rows.counts, live, state == 1);
      to[x] = static_cast<std::uint8_t>(goes_on ? 1 : state == 0 ? 0 : (state + 1) % rows.states);
    }
  }
  fill_byte_halo(rows, 2 * rows.pairs);
}

StatesBinding bind(RuleMask) { return {.step = step, .fill_halo_columns = fill_byte_halo}; }

}  // namespace

extern const Kernel cpu_wide_reference;
constexpr Kernel cpu_wide_reference = {
    .summary = "Larger than Life, the definition: a byte per cell, counts by sliding windows",
    .layout = Layout::bytes,
    .max_steps = 1,
    .supports = {.families = larger_than_life},
    .contract = StatesContract{.bind = bind, .lanes = 1},
};

}  // namespace moorea::kernels
