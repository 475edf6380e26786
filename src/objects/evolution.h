// SPDX-License-Identifier: MIT
// Evolution of objects on an unbounded plane of bitboards, of which only those are computed around which
// something has changed. Cells may have labels that say from which part they come.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "moorea/box.h"
#include "objects/bitboard.h"
#include "objects/cells.h"
#include "objects/labels.h"
#include "objects/search_context.h"

namespace moorea {

/// Live cells of one label in a bitboard.
struct LabelledBits {
  std::uint32_t label = 0;
  Bitboard bits = 0;
};

/// Bitboard (x, y) has the columns 8 x to 8 x + 7 and the rows 8 y to 8 y + 7.
inline Position bitboard_of(const Position& cell) { return {cell.x >> 3, cell.y >> 3}; }
inline Bitboard bit_of(const Position& cell) { return Bitboard{1} << ((cell.y & 7) << 3 | (cell.x & 7)); }

/// Indices of bitboards by position; 0 for those that are not there (open addressing, linear probing).
class BitboardTable {
 public:
  std::uint32_t find(const Position& at) const;
  void add(const Position& at, std::uint32_t index);

 private:
  struct Slot {
    Position at;
    std::uint32_t index = 0;
  };
  std::size_t first_slot(const Position& at) const;
  std::vector<Slot> slots_ = std::vector<Slot>(32);
  std::size_t used_ = 0;
};

class Evolution {
 public:
  /// All cells have one label.
  explicit Evolution(SearchContext& context) : Evolution(context, one_label_) {}
  Evolution(SearchContext& context, Labels& labels) : context_(context), labels_(labels), tiles_(1) {}
  Evolution(const Evolution&) = delete;
  Evolution& operator=(const Evolution&) = delete;

  /// Makes cells alive that are dead; `label_of` gets the index of the cell.
  template <class LabelOf>
  void add(std::span<const Position> cells, LabelOf label_of) {
    for (std::size_t i = 0; i < cells.size(); ++i) add_cell(cells[i], label_of(i));
    context_.add_work(cells.size());
  }
  void add(std::span<const Position> cells) {
    add(cells, [](std::size_t) { return 0u; });
  }
  /// Makes the live cells of another plane alive, with their labels; its crowds are this one's, too.
  void add(const Evolution& other);

  /// Advances by one generation. Parts whose labels differ evolve together: the next state of a cell that is
  /// not that of exactly one of them alone unites their labels if there are two near it. Of three and more,
  /// not all need influence each other: their labels are a crowd, after which labels are not valid.
  void step();

  /// Labels of the parts near a cell of the last generations whose state is not that of exactly one of them,
  /// three and more.
  const std::vector<std::vector<std::uint32_t>>& crowds() const { return crowds_; }

  std::uint64_t population() const { return population_; }
  CellList cells() const;
  std::optional<Box> bounding_box() const;

  /// Calls `visit` with position and live cells of each bitboard that has changed in the last generation or
  /// since.
  template <class Visit>
  void for_each_changed(Visit visit) const {
    for (const std::uint32_t index : changed_) visit(tiles_[index].at, tiles_[index].bits);
  }

 private:
  struct Tile {
    Position at;
    Bitboard bits = 0;
    Bitboard difference = 0;     // cells that have changed, or whose labels may have
    std::uint32_t label = 0;     // of all cells, if `layers` is empty
    std::uint64_t enlisted = 0;  // time at which it was added to the work last
    std::array<std::uint32_t, 9> around =
        {};  // indices of tiles, its own included; 0, an empty one, for those not there
    std::vector<LabelledBits> layers;  // of several labels
  };
  // The next state of a tile
  struct Work {
    std::uint32_t tile = 0;
    std::uint32_t label = 0;
    Bitboard bits = 0;
    std::uint32_t first_layer = 0, layers = 0;  // in layers_
  };
  struct Part {
    std::uint32_t label = 0;
    Surroundings cells = {};
    Bitboard next = 0, near = 0;
  };

  std::uint32_t tile_at(const Position& at);
  void add_cell(const Position& cell, std::uint32_t label);
  void add_layer(std::uint32_t tile, const LabelledBits& layer);
  void enlist(std::uint32_t tile);
  void enlist_around(std::uint32_t tile);
  void compute(Work& work);
  void compute_parts(Work& work);
  void unite_parts(Bitboard conflicts);
  void commit(const Work& work);

  SearchContext& context_;
  Labels one_label_{1};
  Labels& labels_;
  std::vector<Tile> tiles_;
  BitboardTable table_;
  std::vector<std::uint32_t> changed_;
  std::vector<Work> work_;
  std::vector<LabelledBits> layers_;
  std::vector<Part> parts_;
  std::vector<std::vector<std::uint32_t>> crowds_;
  std::uint64_t population_ = 0;
  std::uint64_t time_ = 0;
};

}  // namespace moorea
