// SPDX-License-Identifier: MIT
// One cell at a time in bytes, as in most first programs: the positions of a cell's neighbours are computed
// first, with the world's edges joined there. No halo is needed, and every cell pays for the edges that few
// of them have. Include inside an unnamed namespace.
#ifndef MOOREA_KERNELS_STEP_CELLS_H
#define MOOREA_KERNELS_STEP_CELLS_H

// Columns whose offsets are computed at a time; they stay in the L1 cache.
constexpr std::int64_t offset_columns = 256;

// A row or column adjacent to another one. Cells beyond a plane's edge are dead.
struct Adjacent {
  std::int64_t offset;
  unsigned alive;  // all ones, or 0 for dead cells
};

static inline Adjacent adjacent(std::int64_t at, std::int64_t size, bool torus) {
  if (at >= 0 && at < size) return {at, ~0u};
  return {at < 0 ? size - 1 : 0, torus ? ~0u : 0};
}

static inline unsigned three(const std::uint8_t* row, const Adjacent& left, std::int64_t x,
                             const Adjacent& right) {
  return (row[left.offset] & left.alive) + row[x] + (row[right.offset] & right.alive);
}

static inline void step_columns(const Block& block, std::int64_t first, std::int64_t columns) {
  const World& world = block.world;
  const auto* cells = static_cast<const std::uint8_t*>(block.from) - block.y * block.pitch - block.x;
  Adjacent left[offset_columns], right[offset_columns];
  for (std::int64_t i = 0; i < columns; ++i) {
    left[i] = adjacent(block.x + first + i - 1, world.width, world.torus);
    right[i] = adjacent(block.x + first + i + 1, world.width, world.torus);
  }
  for (std::int64_t row = 0; row < block.height; ++row) {
    const Adjacent up = adjacent(block.y + row - 1, world.height, world.torus);
    const Adjacent down = adjacent(block.y + row + 1, world.height, world.torus);
    const std::uint8_t* above = cells + up.offset * block.pitch;
    const std::uint8_t* at = cells + (block.y + row) * block.pitch;
    const std::uint8_t* below = cells + down.offset * block.pitch;
    std::uint8_t* to = static_cast<std::uint8_t*>(block.to) + row * block.pitch + first;
    for (std::int64_t i = 0; i < columns; ++i) {
      const std::int64_t x = block.x + first + i;

      const unsigned neighbours = (three(above, left[i], x, right[i]) & up.alive) +
                                  three(at, left[i], x, right[i]) - at[x] +
                                  (three(below, left[i], x, right[i]) & down.alive);
      const unsigned counts = at[x] != 0 ? block.rule.survival : block.rule.birth;

      to[i] = static_cast<std::uint8_t>(counts >> neighbours & 1u);
    }
  }
}

static inline void step_cells(const Block& block) {
  for (std::int64_t first = 0; first < block.width; first += offset_columns) {
    const std::int64_t left = block.width - first;
    step_columns(block, first, left < offset_columns ? left : offset_columns);
  }
}

#endif
