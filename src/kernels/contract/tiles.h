// SPDX-License-Identifier: MIT
// Contract of CPU kernels that advance tiles of up to 52 cells a side and report where their cells changed;
// docs/cpu.md has drawings.
#pragma once

#include "moorea/kernel.h"

namespace moorea::kernels {

/// Advances the rows `first` to `last` - 1 of a window of vectors by one generation, in place; their number
/// is even.
using StepWindow = void (*)(RuleMask rule, void* window, int first, int last);

/// A tile has up to 52 x 52 cells; with a halo of 6 cells it fits 64 words of 64 bits, enough for 6
/// generations without other memory. TileBoard uses tiles of at most 52 x 48 cells.
constexpr int tile_side = 52, tile_halo = 6;

/// A tile: each row of `own`, `left` and `right` is the word of that row in the tile's column of tiles and in
/// the adjacent ones. Bit i is cell i of the column; bits beyond its width are 0.
struct Tile {
  const std::uint64_t* left;  ///< row -6, the first of 64 readable rows
  const std::uint64_t* own;
  const std::uint64_t* right;
  std::uint64_t* to;  ///< row 0 of the tile's column in the other buffer
  int left_width, width, height;
  std::uint64_t columns;  ///< bit i: column i - 6 is inside the world, for tiles at a plane's edges
  int first, last;        ///< first and last row inside the world, counted from row -6
};

/// Tiles that one call advances.
struct TileBatch {
  const Tile* tiles;
  int count;   ///< at most TileContract::lanes / 64
  int steps;   ///< generations, 1 to tile_halo
  bool edges;  ///< whether a tile is at a plane's edge; otherwise columns, first and last are ignored
  RuleMask rule;
  StepWindow code;  ///< for TileBinding::code_step
};

/// Parts of a tile whose new cells differ from the previous contents of `to`, as bits: any part, or the
/// tile_halo columns or rows along one side, which the adjacent tiles read.
enum TileChange : std::uint8_t {
  tile_changed = 1,
  left_changed = 2,
  right_changed = 4,
  top_changed = 8,
  bottom_changed = 16,
};

/// Advances each tile by `steps` and writes its `height` rows; changes[i] is set to the bitwise OR of the
/// TileChange values of tile i.
using TileStep = void (*)(const TileBatch& batch, std::uint8_t* changes);

struct TileBinding {
  TileStep step = nullptr;
  TileStep code_step = nullptr;  ///< instead of `step`: runs TileBatch::code; null if that is not faster
  StepWindow window = nullptr;   ///< one generation of `step`, for windows of other uses
};

struct TileContract {
  TileBinding (*bind)(RuleMask rule) = nullptr;
  int lanes = 0;  ///< cells per vector, 64 for each tile of a batch
};

}  // namespace moorea::kernels
