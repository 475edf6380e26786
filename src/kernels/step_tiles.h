// SPDX-License-Identifier: MIT
// Some tiles at once, each in its own 64-bit part of the vectors: a row of a tile is one part, with the halo
// on both sides, so left and right neighbours are shifts inside it and the rows above and below are the
// vectors before and behind. Six generations go over 64 such vectors, which stay in the first-level cache.
//
// Include it inside an unnamed namespace behind step_bits.h, after defining for the type `word` of `parts`
// 64-bit parts
//   Words                                        the type with arithmetic in each part
//   load(p), store(p, value)                     parts words from p on, aligned or not
//   load_first(p, n), store_first(p, value, n)   the first n of them; the others are 0, or left alone
//   any(value)                                   whether a bit is set
//   transpose(rows)                              turns `parts` vectors about the diagonal
#ifndef MOOREA_KERNELS_STEP_TILES_H
#define MOOREA_KERNELS_STEP_TILES_H

constexpr int window_rows = tile_side + 2 * tile_halo;

// The sums of one row.
struct Column {
  RowSum sum;
  word centre;
};

static inline Column sums_of(word cells) {
  return {row_sum((word)((Words)cells << 1), cells, (word)((Words)cells >> 1)), cells};
}

// 8 (or as many as there are parts) rows of one tile with its halo left and right.
static inline word window_of(const Tile& tile, int row) {
  const Words left = (Words)load(tile.left + row) >> (tile.left_width - tile_halo);
  const Words own = (Words)load(tile.own + row) << tile_halo;
  const Words right = (Words)load(tile.right + row) << (tile.width + tile_halo);
  return (word)(left | own | right);
}

static inline void load_windows(const TileBatch& batch, int rows, word* window) {
  for (int row = 0; row < rows; row += parts) {
    for (int i = 0; i < batch.count; ++i) window[row + i] = window_of(batch.tiles[i], row);
    for (int i = batch.count; i < parts; ++i) window[row + i] = spread(0);
    transpose(window + row);
  }
}

// Which cells may live, a row a vector.
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
template <bool masked, class Network>
static inline void step_window(const Network& network, word* window, const word* masks, int first, int last) {
  Column a = sums_of(window[first - 1]), b = sums_of(window[first]);
  for (int y = first; y < last; y += 2) {
    const Column c = sums_of(window[y + 1]), d = sums_of(window[y + 2]);
    network.pair(a, b, c, d, window + y, window + y + 1);
    if (masked) {
      window[y] = window[y] & masks[y];
      window[y + 1] = window[y + 1] & masks[y + 1];
    }
    a = c;
    b = d;
  }
}

static inline unsigned store_windows(const TileBatch& batch, word* window) {
  int height = 0;
  for (int i = 0; i < batch.count; ++i)
    height = batch.tiles[i].height > height ? batch.tiles[i].height : height;
  word changed[parts];
  for (int i = 0; i < batch.count; ++i) changed[i] = spread(0);
  for (int row = 0; row < height; row += parts) {
    word* rows = window + tile_halo + row;
    transpose(rows);
    for (int i = 0; i < batch.count; ++i) {
      const Tile& tile = batch.tiles[i];
      const std::uint64_t cells = (std::uint64_t{1} << tile.width) - 1;
      const word made = (word)((Words)rows[i] >> tile_halo & cells);
      std::uint64_t* to = tile.to + row;
      const int left = tile.height - row;
      if (left >= parts) {
        changed[i] = changed[i] | (load(to) ^ made);
        store(to, made);
      } else if (left > 0) {
        const word before = load_first(to, left);
        store_first(to, made, left);
        changed[i] = changed[i] | (before ^ load_first(to, left));
      }
    }
  }
  unsigned which = 0;
  for (int i = 0; i < batch.count; ++i) which |= static_cast<unsigned>(any(changed[i])) << i;
  return which;
}

template <class Network>
static inline unsigned step_tiles(const Network& network, const TileBatch& batch) {
  // Rows are an even number, so that pairs come out, and whole vectors' worth
  int rows = 0;
  for (int i = 0; i < batch.count; ++i) rows = batch.tiles[i].height > rows ? batch.tiles[i].height : rows;
  rows = (rows + 2 * tile_halo + 1) & ~1;
  word window[window_rows + parts], masks[window_rows + parts];
  load_windows(batch, rows, window);
  if (batch.edges) {
    load_masks(batch, rows, masks);
    for (int g = 1; g <= batch.steps; ++g) step_window<true>(network, window, masks, g, rows - g);
  } else {
    for (int g = 1; g <= batch.steps; ++g) step_window<false>(network, window, masks, g, rows - g);
  }
  return store_windows(batch, window);
}

// Any rule, by its masks.
struct AnyRule {
  RulePlanes planes;
  void pair(const Column& a, const Column& b, const Column& c, const Column& d, word* first,
            word* second) const {
    *first = next_state(a.sum, b.sum, c.sum, b.centre, &planes);
    *second = next_state(b.sum, c.sum, d.sum, c.centre, &planes);
  }
};

static unsigned step_tiles_any_rule(const TileBatch& batch) {
  const AnyRule network{rule_planes(batch.rule.birth, batch.rule.survival)};
  return step_tiles(network, batch);
}

#endif
