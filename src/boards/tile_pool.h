// SPDX-License-Identifier: MIT
// The tiles of a sparse plane: found by their place in a hash table, linked to their eight neighbours, and
// numbered by slots of slabs, whose memory is returned when they are empty.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "boards/tile_internals.h"
#include "moorea/box.h"

namespace moorea {

/// Column and row of a tile. Tile (0, 0) has the cell (0, 0) in its middle, so that small patterns around the
/// origin lie in one tile.
struct TilePlace {
  static constexpr std::int64_t width = kernels::tile_side, height = tile_rows;

  std::int64_t column = 0, row = 0;

  static TilePlace of(const Position& cell) {
    return {floor_divide(cell.x + width / 2, width), floor_divide(cell.y + height / 2, height)};
  }
  Position corner() const { return {column * width - width / 2, row * height - height / 2}; }
  Box box() const { return {corner().x, corner().y, width, height}; }

  friend bool operator==(const TilePlace&, const TilePlace&) = default;

 private:
  static std::int64_t floor_divide(std::int64_t a, std::int64_t n) { return a / n - (a % n < 0); }
};

/// Largest absolute coordinate of a cell on a sparse plane: the box of all cells has a width of 64 bits.
constexpr std::int64_t max_sparse_coordinate = (std::int64_t{1} << 62) - 1024;

/// Direction from a tile to a neighbour: 3 * (rows down + 1) + columns to the right + 1.
enum TileDirection : unsigned { up = 1, left = 3, itself = 4, right = 5, down = 7, tile_directions = 9 };
constexpr unsigned opposite(unsigned direction) { return tile_directions - 1 - direction; }
constexpr TilePlace neighbour_of(const TilePlace& place, unsigned direction) {
  return {place.column + static_cast<std::int64_t>(direction % 3) - 1,
          place.row + static_cast<std::int64_t>(direction / 3) - 1};
}

/// A tile's cells in both buffers. Each row is a word, as kernels::Tile has them; six rows of the tiles above
/// and below precede and follow its own, written by whoever computes those tiles.
struct alignas(64) SparseTile {
  static constexpr int words_of_window = 64, first_row = kernels::tile_halo,
                       end_row = first_row + static_cast<int>(TilePlace::height);
  static constexpr std::uint16_t unknown_population = 0xFFFF;
  static constexpr std::uint64_t unknown_hash = ~std::uint64_t{0};

  std::array<std::array<std::uint64_t, words_of_window>, 2> words;
  std::array<SparseTile*, tile_directions> near;  ///< null where there is no tile
  TilePlace place;
  std::uint32_t slot;
  std::array<std::uint16_t, 2> population;  ///< of each buffer, or unknown
  std::array<std::uint64_t, 2> hash;

  std::uint64_t* row_zero(int buffer) { return words[static_cast<std::size_t>(buffer)].data() + first_row; }
  const std::uint64_t* row_zero(int buffer) const {
    return words[static_cast<std::size_t>(buffer)].data() + first_row;
  }
  void forget(int buffer) {
    population[static_cast<std::size_t>(buffer)] = unknown_population;
    hash[static_cast<std::size_t>(buffer)] = unknown_hash;
  }
  /// Whether the tile's own cells are dead in both buffers.
  bool is_dead() const;
  /// Whether also all cells are dead that the tile reads of its neighbours.
  bool is_isolated() const;
  /// Whether a cell is alive among those that the neighbour in a direction reads.
  bool lives_towards(unsigned direction, int buffer) const;
};

class TilePool {
 public:
  static constexpr std::size_t tiles_of_slab = 64;
  static constexpr double bytes_of_tile = sizeof(SparseTile) + 48;  ///< with its share of the table

  TilePool() = default;

  std::size_t tiles() const { return tiles_; }
  /// One more than the largest slot that was ever used, rounded up to slabs.
  std::size_t slots() const { return slabs_.size() * tiles_of_slab; }
  SparseTile& at(std::uint32_t slot) const {
    return slabs_[slot / tiles_of_slab].tiles.get()[slot % tiles_of_slab];
  }

  /// The tile at a place; null if there is none.
  SparseTile* find(const TilePlace& place) const;

  /// Adds a dead tile, linked to its neighbours. Throws Error (memory) if the system refuses memory.
  SparseTile& make(const TilePlace& place);

  /// Removes a tile whose words are all 0.
  void remove(SparseTile& tile);

  /// Removes all tiles, whatever they contain.
  void clear();

  /// Columns and rows of tiles between the outermost ones: a box of places.
  Box hull() const;

  /// Calls visit(tile) for the tiles of the slabs first to end - 1. It may remove that tile.
  template <class Visit>
  void for_each(std::size_t first, std::size_t end, const Visit& visit) const {
    for (std::size_t i = first; i < end; ++i) {
      for (std::uint64_t used = slabs_[i].used; used != 0; used &= used - 1)
        visit(slabs_[i].tiles.get()[std::countr_zero(used)]);
    }
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for_each(0, slabs_.size(), visit);
  }
  std::size_t slabs() const { return slabs_.size(); }

 private:
  struct Free {
    void operator()(SparseTile* tiles) const noexcept { std::free(tiles); }
  };
  struct Slab {
    std::unique_ptr<SparseTile[], Free> tiles;  // null while none is used
    std::uint64_t used = 0;
  };
  struct Entry {
    TilePlace place;
    SparseTile* tile = nullptr;
  };

  std::size_t home_of(const TilePlace& place) const;
  void insert(SparseTile& tile);
  void erase(const TilePlace& place);
  std::size_t open_slab();
  void include(const TilePlace& place) const;

  std::vector<Slab> slabs_;
  std::vector<std::uint64_t> open_;  // bit i of word j: slab 64 * j + i has an unused tile
  std::size_t first_open_ = 0;       // word of open_ before which all are 0
  std::size_t spare_ = 0;            // 1 + an unused slab that keeps its memory; 0: there is none
  std::vector<Entry> table_;         // open addressing, at most half full
  std::size_t tiles_ = 0;
  mutable TilePlace low_, high_;  // places of hull(), both inside
  mutable bool hull_known_ = false;
};

}  // namespace moorea
