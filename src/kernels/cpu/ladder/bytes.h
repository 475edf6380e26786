// SPDX-License-Identifier: MIT
// Shared by kernels with a byte per cell: a rule as the few relevant counts, for comparison, and the next
// state of one cell, for the remainder of a row. Include inside an unnamed namespace.
#ifndef MOOREA_KERNELS_STEP_BYTES_H
#define MOOREA_KERNELS_STEP_BYTES_H

// With this many live neighbours the next state is born ^ (differs & cell); each of them is 0 or 1.
struct LiveCount {
  std::uint8_t neighbours;
  std::uint8_t born;
  std::uint8_t differs;
};

// Counts with which any cell survives or is born: 2 and 3 for Life.
struct LiveCounts {
  int size = 0;
  LiveCount at[9];
};

static inline LiveCounts live_counts(const RuleMask& rule) {
  LiveCounts counts;
  for (unsigned n = 0; n <= 8; ++n) {
    const unsigned born = rule.birth >> n & 1u, survives = rule.survival >> n & 1u;
    if ((born | survives) == 0) continue;
    counts.at[counts.size++] = {static_cast<std::uint8_t>(n), static_cast<std::uint8_t>(born),
                                static_cast<std::uint8_t>(born ^ survives)};
  }
  return counts;
}

[[maybe_unused]] static inline std::uint8_t next_cell(const std::uint8_t* at, std::ptrdiff_t pitch,
                                                      const RuleMask& rule) {
  const std::uint8_t *above = at - pitch, *below = at + pitch;
  const int neighbours = above[-1] + above[0] + above[1] + at[-1] + at[1] + below[-1] + below[0] + below[1];
  return (at[0] != 0 ? rule.survival : rule.birth) >> neighbours & 1;
}

#endif
