// SPDX-License-Identifier: MIT
// Halo columns of a row in the strided layout, whose columns are adjacent vectors or, in worlds of several
// states, vectors of several planes.
//
// Include inside an unnamed namespace, after defining for the type `word`
//   lanes_up(v), lanes_down(v)     bit i + 1 (i - 1) of the result is bit i of v; a 0 is shifted in
//   rotate_up(v), rotate_down(v)   the bit shifted out is shifted in at the other end
#ifndef MOOREA_KERNELS_STEP_HALO_COLUMNS_H
#define MOOREA_KERNELS_STEP_HALO_COLUMNS_H

constexpr int word_bytes = sizeof(word);
constexpr std::int64_t word_lanes = 8 * word_bytes;

// A vector as 64-bit words, for access to the bit of one cell.
typedef std::uint64_t Lanes [[gnu::may_alias]];

static inline unsigned lane(const word* vector, std::int64_t i) {
  return static_cast<unsigned>(reinterpret_cast<const Lanes*>(vector)[i / 64] >> (i % 64) & 1);
}

static inline void set_lane(word* vector, std::int64_t i, unsigned alive) {
  Lanes& lanes = reinterpret_cast<Lanes*>(vector)[i / 64];
  lanes = (lanes & ~(std::uint64_t{1} << i % 64)) | std::uint64_t{alive} << i % 64;
}

// A row: `width` cells in `stride` columns; on a torus its ends are joined, otherwise cells beyond them are
// dead.
struct StridedRow {
  std::int64_t width, stride;
  bool torus;
};

// Halo columns of one row: the vectors on both sides, and the cell after the last one if the row does not
// fill its vectors. Columns are `apart` vectors from each other.
static inline void write_ragged_halo_columns(const StridedRow& shape, word* row, std::int64_t apart = 1) {
  const std::int64_t stride = shape.stride;
  const std::int64_t end_lane = shape.width / stride, last_lane = (shape.width - 1) / stride;
  const unsigned left = shape.torus ? lane(row + (shape.width - 1) % stride * apart, last_lane) : 0;
  const unsigned right = shape.torus ? lane(row, 0) : 0;
  if (end_lane < word_lanes) set_lane(row + shape.width % stride * apart, end_lane, right);
  row[-apart] = lanes_up(row[(stride - 1) * apart]);
  if (left) set_lane(row - apart, 0, 1);
  row[stride * apart] = lanes_down(row[0]);
  if (end_lane == word_lanes && right) set_lane(row + stride * apart, word_lanes - 1, 1);
}

#endif
