// SPDX-License-Identifier: MIT
// Sweeps over a band in the strided (dimension-lifted) layout: bit i of vector j of a row is column j +
// stride * i, so horizontal neighbours are the same bit of adjacent vectors and only the halo columns need
// shifts. Source: Henretty et al., "Data Layout Transformation for Stencil Computations on Short-Vector SIMD
// Architectures", CC 2011.
//
// Temporal blocking in place: a wavefront of generations moves down the rows; once generation g has computed
// its rows up to y, generation g + 1 computes its own up to y - 1. A row of generation g overwrites the row
// above it of generation g - 1, which is not read again, so the active rows are few, stay in the L1 cache,
// and need no second buffer. For the same reason vectors move one place to the left in one generation and
// back in the next. The next sweep runs upwards and moves the rows back.
//
// Include inside an unnamed namespace after cpu/rules.h, after defining for the type `word` what
// halo_columns.h requires, and
//   is_full(v)                     whether all bits are 1
#ifndef MOOREA_KERNELS_STEP_STRIDED_H
#define MOOREA_KERNELS_STEP_STRIDED_H

#include "kernels/cpu/halo_columns.h"

// Rows of a band in sweep order: downwards from the first, or upwards from the last.
struct SweepOrder {
  word* first;         // vector 0 of the row where the sweep begins
  std::ptrdiff_t row;  // vectors from row to row
};

// Halo columns of one row whose lanes are worlds.
static inline void write_world_halo_columns(const Band& band, word* row) {
  row[-1] = band.torus ? row[band.stride - 1] : spread(0);
  row[band.stride] = band.torus ? row[0] : spread(0);
}

// Halo columns of several rows. On a torus whose rows fill their vectors, the halo vectors are rotations.
static inline void write_halo_columns(const Band& band, word* row, std::ptrdiff_t pitch, std::int64_t rows) {
  const std::int64_t stride = band.stride;
  if (!band.torus || band.width != stride * word_lanes) {
    if (band.lanes_are_worlds) {
      for (std::int64_t i = 0; i < rows; ++i, row += pitch) write_world_halo_columns(band, row);
      return;
    }
    const StridedRow shape = {band.width, stride, band.torus};
    for (std::int64_t i = 0; i < rows; ++i, row += pitch) write_ragged_halo_columns(shape, row);
    return;
  }
  for (std::int64_t i = 0; i < rows; ++i, row += pitch) {
    row[-1] = rotate_up(row[stride - 1]);
    row[stride] = rotate_down(row[0]);
  }
}

static inline void clear_row(const Band& band, word* row) {
  for (std::int64_t j = -1; j <= band.stride; ++j) row[j] = spread(0);
}

#include "kernels/cpu/lanes.h"

// Sums of two adjacent columns, of which `at` points to the first; left to right for side 1.
template <int side>
static inline void two_columns(const word* at, Column* one, Column* two) {
  const word left = at[-side], a = at[0], b = at[side], right = at[2 * side];
  const word half = a ^ b;
  one->centre = a;
  two->centre = b;
  one->sum.ones = half ^ left;
  two->sum.ones = half ^ right;
  one->sum.twos = majority(left, a, b);
  two->sum.twos = majority(right, a, b);
}

template <int side>
static inline Column one_column(const word* at) {
  const word left = at[-side], centre = at[0], right = at[side];
  const word half = centre ^ right;
  return {{half ^ left, majority(left, centre, right)}, centre};
}

// Computes `pairs` pairs of rows of one generation, in all columns, from vector `at` of the row above the
// first. Results are stored one row and one column back, against the direction of the sweep.
template <class Network, int side>
static void step_pairs(RuleMask rule, void* first, std::ptrdiff_t row_bytes, std::int64_t columns,
                       std::int64_t pairs) {
  const Network network(rule);
  word* at = static_cast<word*>(first);
  const std::ptrdiff_t row = row_bytes / word_bytes;
  std::int64_t j = 0;
  for (; j + 2 <= columns; j += 2, at += 2 * side) {
    const word* from = at;
    word* to = at - side;
    Column a, a2, b, b2, c, c2, d, d2;
    two_columns<side>(from, &a, &a2);
    two_columns<side>(from + row, &b, &b2);
    from += 2 * row;
    // Unrolled to two pairs per iteration, so that the reused sums need no register moves
    std::int64_t k = 0;
    for (; k + 2 <= pairs; k += 2, from += 4 * row, to += 4 * row) {
      two_columns<side>(from, &c, &c2);
      two_columns<side>(from + row, &d, &d2);
      network.pair(a, b, c, d, to, to + row);
      network.pair(a2, b2, c2, d2, to + side, to + row + side);
      two_columns<side>(from + 2 * row, &a, &a2);
      two_columns<side>(from + 3 * row, &b, &b2);
      network.pair(c, d, a, b, to + 2 * row, to + 3 * row);
      network.pair(c2, d2, a2, b2, to + 2 * row + side, to + 3 * row + side);
    }
    if (k < pairs) {
      two_columns<side>(from, &c, &c2);
      two_columns<side>(from + row, &d, &d2);
      network.pair(a, b, c, d, to, to + row);
      network.pair(a2, b2, c2, d2, to + side, to + row + side);
    }
  }
  if (j < columns) {
    const word* from = at;
    word* to = at - side;
    Column a = one_column<side>(from), b = one_column<side>(from + row);
    for (std::int64_t k = 0; k < pairs; ++k, to += 2 * row) {
      from += 2 * row;
      const Column c = one_column<side>(from), d = one_column<side>(from + row);
      network.pair(a, b, c, d, to, to + row);
      a = c;
      b = d;
    }
  }
}

// One generation of the rows y to end - 1 (and one more if their number is odd): the rows of the previous
// generation are stored `moved` rows back from their start, and `shifted` selects their columns.
static inline void step_some_rows(const PairSteps& step, const Band& band, const SweepOrder& order,
                                  std::int64_t y, std::int64_t end, std::int64_t moved, bool shifted) {
  const std::int64_t pairs = (end - y + 1) / 2;
  const bool up = order.row < 0 && step.rightwards_up != nullptr;
  word* above = order.first + (y - 1 - moved) * order.row - (shifted ? 1 : 0);
  if (shifted) {
    (up ? step.leftwards_up : step.leftwards)(band.rule, above + band.stride - 1, order.row * word_bytes,
                                              band.stride, pairs);
  } else {
    (up ? step.rightwards_up : step.rightwards)(band.rule, above, order.row * word_bytes, band.stride, pairs);
  }
  word* made = above - (shifted ? -1 : 1);
  write_halo_columns(band, made, order.row, 2 * pairs);
}

// Rows that a generation computes before the next one follows: enough to reuse their sums well, few enough
// that the active rows of all generations fit in the L1 cache.
constexpr std::int64_t wave_bytes = 24 << 10;
constexpr std::int64_t fewest_wave_rows = 16, max_wave_rows = 24;
constexpr int max_sweep_steps = 32;

static void sweep_band(const PairSteps& step, Band& band, int steps) {
  const std::ptrdiff_t row = band.pitch / word_bytes;
  const bool down = band.top + band.top + band.height >= band.rows;  // towards the side with more room
  const bool dead_first = down ? band.dead_above : band.dead_below;
  const bool dead_last = down ? band.dead_below : band.dead_above;
  word* first =
      reinterpret_cast<word*>(band_row(band, down ? 0 : band.height - 1, word_bytes)) + band.shifted;
  const SweepOrder order{first, down ? row : -row};

  // First row of each generation; at a plane's edge an additional row makes the number of rows even
  std::int64_t done[max_sweep_steps + 1];
  for (int g = 1; g <= steps; ++g) done[g] = dead_first ? 0 : g - steps;
  std::int64_t wave = wave_bytes / band.pitch;
  wave = (wave < fewest_wave_rows ? fewest_wave_rows : wave > max_wave_rows ? max_wave_rows : wave) & ~1;
  if (band.wave != 0) wave = band.wave;
  for (std::int64_t front = wave + (steps & 1);; front += wave) {
    bool finished = true;
    bool shifted = band.shifted != 0;
    for (int g = 1; g <= steps; ++g, shifted = !shifted) {
      const std::int64_t last = band.height + (dead_last ? 0 : steps - g);
      const std::int64_t end = front - g < last ? front - g : last;
      if (end < last) finished = false;
      std::int64_t y = done[g];
      if (y >= end) continue;
      const bool odd_edge = dead_first && y == 0 && (end & 1) != 0;
      if (odd_edge) --y;
      step_some_rows(step, band, order, y, end, g - 1, shifted);
      const std::ptrdiff_t column = shifted ? 0 : -1;
      if (odd_edge) clear_row(band, order.first + (-1 - g) * order.row + column);
      if (dead_last && end == last) clear_row(band, order.first + (end - g) * order.row + column);
      done[g] = end;
    }
    if (finished) break;
  }
  band.top += down ? -steps : steps;
  band.shifted ^= steps & 1;
}

static inline void fill_band_halo_columns(const Band& band, std::int64_t y, std::int64_t rows) {
  write_halo_columns(band, reinterpret_cast<word*>(band_row(band, y, word_bytes)), band.pitch / word_bytes,
                     rows);
}

// Sweep for one rule, with this step_pairs.
template <class Network>
static void sweep(Band& band, int steps) {
  sweep_band({step_pairs<Network, 1>, step_pairs<Network, -1>}, band, steps);
}

static void sweep_by_code(Band& band, int steps) { sweep_band(band.code, band, steps); }

static inline StridedBinding bind_strided(RuleMask rule) {
  StridedBinding binding;
#define MOOREA_BIND(name, birth_mask, survival_mask) \
  if (rule.birth == birth_mask && rule.survival == survival_mask) binding.sweep = sweep<rule_##name>;
  MOOREA_COMPILED_NETWORKS(MOOREA_BIND)
#undef MOOREA_BIND
  if (binding.sweep == nullptr) {
    binding.sweep = sweep<AnyRule>;
    binding.code_sweep = sweep_by_code;
  }
  binding.fill_halo_columns = fill_band_halo_columns;
  binding.count_lanes = count_lanes;
  binding.compare_lanes = compare_lanes;
  return binding;
}

#endif
