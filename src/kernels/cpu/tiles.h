// SPDX-License-Identifier: MIT
// Several tiles at once, each in its own 64-bit part of the vectors: a row of a tile with the halo on both
// sides is one part, so left and right neighbours are shifts within it and the rows above and below are the
// previous and next vectors. Six generations are computed on 64 such vectors, which stay in the L1 cache.
//
// Include inside an unnamed namespace after cpu/rules.h, after defining for the type `word` of `parts` 64-bit
// parts
//   Words                                        the type with arithmetic in each part
//   load(p), store(p, value)                     `parts` words from p on, aligned or not
//   load_first(p, n), store_first(p, value, n)   the first n of them; the others are 0, or unchanged
//   any(value)                                   whether a bit is set
//   transpose(rows)                              transposes `parts` vectors of `parts` parts
#ifndef MOOREA_KERNELS_STEP_TILES_H
#define MOOREA_KERNELS_STEP_TILES_H

constexpr int window_rows = tile_side + 2 * tile_halo;

static inline Column sums_of(word cells) {
  const word left = (word)((Words)cells << 1), right = (word)((Words)cells >> 1);
  return {{left ^ cells ^ right, majority(left, cells, right)}, cells};
}

// Loads `parts` rows of one tile with its left and right halo at a time, then transposes: part i of each
// vector is tile i.
static inline void load_windows(const TileBatch& batch, int rows, word* window) {
  for (int i = 0; i < batch.count; ++i) {
    const Tile tile = batch.tiles[i];
    const int from_left = tile.left_width - tile_halo, to_right = tile.width + tile_halo;
    for (int row = 0; row < rows; row += parts) {
      const Words left = (Words)load(tile.left + row) >> from_left;
      const Words own = (Words)load(tile.own + row) << tile_halo;
      const Words right = (Words)load(tile.right + row) << to_right;
      window[row + i] = (word)(left | own | right);
    }
  }
  for (int row = 0; row < rows; row += parts) {
    for (int i = batch.count; i < parts; ++i) window[row + i] = spread(0);
    transpose(window + row);
  }
}

// Cells that may live, one row per vector.
static inline void load_masks(const TileBatch& batch, int rows, word* masks) {
  for (int row = 0; row < rows; ++row) {
    std::uint64_t lanes[parts] = {};
    for (int i = 0; i < batch.count; ++i) {
      const Tile& tile = batch.tiles[i];
      lanes[i] = row >= tile.first && row <= tile.last ? tile.columns : 0;
    }
    masks[row] = load(lanes);
  }
}

// One generation of the rows first to last - 1, an even number, in place.
template <class Network>
static void step_window(RuleMask rule, void* rows, int first, int last) {
  const Network network(rule);
  word* window = static_cast<word*>(rows);
  Column a = sums_of(window[first - 1]), b = sums_of(window[first]);
  // Unrolled to two pairs per iteration, so that the reused sums need no register moves
  int y = first;
  for (; y + 4 <= last; y += 4) {
    const Column c = sums_of(window[y + 1]), d = sums_of(window[y + 2]);
    network.pair(a, b, c, d, window + y, window + y + 1);
    a = sums_of(window[y + 3]);
    b = sums_of(window[y + 4]);
    network.pair(c, d, a, b, window + y + 2, window + y + 3);
  }
  if (y < last) {
    const Column c = sums_of(window[y + 1]), d = sums_of(window[y + 2]);
    network.pair(a, b, c, d, window + y, window + y + 1);
  }
}

// Changed sides of a tile, from the differences of its rows and their disjunction.
static inline std::uint8_t changes_of(const Tile& tile, const std::uint64_t* rows, std::uint64_t all) {
  const std::uint64_t side = (std::uint64_t{1} << tile_halo) - 1;
  std::uint64_t top = 0, bottom = 0;
  for (int i = 0; i < tile_halo; ++i) {
    if (i >= tile.height) break;
    top |= rows[i];
    bottom |= rows[tile.height - 1 - i];
  }
  const bool narrow = tile.width < tile_halo;
  return static_cast<std::uint8_t>(tile_changed | (all & side ? left_changed : 0) |
                                   (narrow || all & side << (tile.width - tile_halo) ? right_changed : 0) |
                                   (top ? top_changed : 0) | (bottom ? bottom_changed : 0));
}

static inline void store_windows(const TileBatch& batch, int rows, word* window, std::uint8_t* changes) {
  word* first = window + tile_halo;
  for (int row = 0; row < rows - 2 * tile_halo; row += parts) transpose(first + row);
  alignas(word) std::uint64_t different[window_rows + parts], together[parts];
  for (int i = 0; i < batch.count; ++i) {
    const Tile tile = batch.tiles[i];
    const std::uint64_t cells = (std::uint64_t{1} << tile.width) - 1;
    word all = spread(0);
    int row = 0;
    for (; row + parts <= tile.height; row += parts) {
      const word made = (word)((Words)first[row + i] >> tile_halo & cells);
      const word difference = load(tile.to + row) ^ made;
      store(tile.to + row, made);
      store(different + row, difference);
      all = all | difference;
    }
    if (const int left = tile.height - row; left > 0) {
      const word made = (word)((Words)first[row + i] >> tile_halo & cells);
      const word before = load_first(tile.to + row, left);
      store_first(tile.to + row, made, left);
      const word difference = before ^ load_first(tile.to + row, left);
      store(different + row, difference);
      all = all | difference;
    }
    changes[i] = 0;
    if (!any(all)) continue;
    store(together, all);
    std::uint64_t columns = 0;
    for (int k = 0; k < parts; ++k) columns |= together[k];
    changes[i] = changes_of(tile, different, columns);
  }
}

static void step_tiles(StepWindow step, const TileBatch& batch, std::uint8_t* changes) {
  // An even number of rows, because rows are computed in pairs
  int rows = 0;
  for (int i = 0; i < batch.count; ++i) rows = batch.tiles[i].height > rows ? batch.tiles[i].height : rows;
  rows = (rows + 2 * tile_halo + 1) & ~1;
  word window[window_rows + parts], masks[window_rows + parts];
  load_windows(batch, rows, window);
  if (batch.edges) load_masks(batch, rows, masks);
  for (int g = 1; g <= batch.steps; ++g) {
    step(batch.rule, window, g, rows - g);
    for (int y = g; batch.edges && y < rows - g; ++y) window[y] = window[y] & masks[y];
  }
  store_windows(batch, rows, window, changes);
}

template <class Network>
static void step_tiles_by(const TileBatch& batch, std::uint8_t* changes) {
  step_tiles(step_window<Network>, batch, changes);
}

static void step_tiles_by_code(const TileBatch& batch, std::uint8_t* changes) {
  step_tiles(batch.code, batch, changes);
}

static inline TileBinding bind_tiles(RuleMask rule) {
  TileBinding binding;
#define MOOREA_BIND(name, birth_mask, survival_mask)                \
  if (rule.birth == birth_mask && rule.survival == survival_mask) { \
    binding.step = step_tiles_by<rule_##name>;                      \
    binding.window = step_window<rule_##name>;                      \
  }
  MOOREA_COMPILED_NETWORKS(MOOREA_BIND)
#undef MOOREA_BIND
  if (binding.step == nullptr) {
    binding.step = step_tiles_by<AnyRule>;
    binding.window = step_window<AnyRule>;
    binding.code_step = step_tiles_by_code;
  }
  return binding;
}

#endif
