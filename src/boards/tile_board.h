// SPDX-License-Identifier: MIT
// CPU board of tiles of up to 52 x 48 cells, of which only those that can change are computed.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "boards/instruments.h"
#include "boards/pass_team.h"
#include "boards/tiled_board.h"
#include "boards/zeroed_buffer.h"
#include "jit/bound_kernel.h"
#include "kernels/kernel.h"
#include "moorea/topology.h"

namespace moorea {

/// A pass advances all active tiles by `steps` generations, from one buffer to the other. A tile is inactive
/// (asleep) if in the last pass neither it nor the parts of its eight neighbours that it reads differed from
/// the previous contents of the target buffer, the state two passes ago: the tile's input is then that of the
/// pass before the last one, whose result the other buffer still holds. Still lifes are therefore inactive,
/// and oscillators whose period divides 2 x steps: 2, 3, 4, 6 and 12 in passes of 6. A tile that differs
/// activates itself and the neighbours that read the part that differs.
class TileBoard final : public TiledBoard, private BoardInstruments {
 public:
  /// `kernel` has the layout of tiles.
  TileBoard(const WorldSpec& world, const BoundKernel& kernel, int threads);

  void load(const Grid& cells, Position at) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void read(const Box& box, const GridView& to) const override;
  void advance(std::uint64_t generations) override;
  BoardInstruments* instruments() override { return this; }

  double awake_cells() const override;

  /// Tiles computed and skipped, each pass counted.
  TileCounts tile_counts() const override { return counts_; }

  bool record(TileTrace* trace) override {
    trace_ = trace;
    passed_ = 0;
    return true;
  }

  /// Memory of a board, in bytes.
  static double bytes(const WorldSpec& world);

 private:
  // One side of the world, partitioned.
  struct Cuts {
    std::int64_t cells;
    std::vector<std::int64_t> begin;  // of each part, and the end
    std::int64_t parts() const { return std::ssize(begin) - 1; }

    /// The part that owns a cell: the only place that knows it, since parts differ in size.
    std::int64_t part_of(std::int64_t cell) const {
      const double share = static_cast<double>(cell) / static_cast<double>(cells);
      std::int64_t part =
          std::min(static_cast<std::int64_t>(share * static_cast<double>(parts())), parts() - 1);
      while (cell < begin[static_cast<std::size_t>(part)]) --part;
      while (cell >= begin[static_cast<std::size_t>(part) + 1]) ++part;
      return part;
    }
    int size(std::int64_t i) const {
      return static_cast<int>(begin[static_cast<std::size_t>(i) + 1] - begin[static_cast<std::size_t>(i)]);
    }
  };

  struct Place {
    std::int32_t column, row;
  };

  // One bit per tile; each column of tiles begins a new word.
  using Bits = std::vector<std::atomic<std::uint64_t>>;

  class Marker;

  // Facts about a tile's cells in one buffer, computed on demand.
  struct Known {
    static constexpr std::uint64_t unknown = ~std::uint64_t{0};
    std::vector<std::uint64_t> population, hash;
  };

  static Cuts cut_columns(std::int64_t cells);
  static Cuts cut_rows(std::int64_t cells);
  std::size_t tiles() const { return static_cast<std::size_t>(columns_.parts() * rows_.parts()); }
  std::size_t index(Place place) const {
    return static_cast<std::size_t>(place.column * rows_.parts() + place.row);
  }
  std::uint64_t* row_zero(int buffer, std::int64_t column) const {
    return row_zero_[static_cast<std::size_t>(buffer)] + column * column_words_;
  }
  kernels::Tile describe(Place place) const;
  void copy_ends(int buffer, Place place);
  void clear();
  bool repeats() const { return columns_.cells > world_.width || rows_.cells > world_.height; }
  void put(std::int64_t column, std::int64_t y, std::uint64_t cells);
  void begin();
  void wake_all();
  void wake_edited();
  bool lives(Place place) const;
  bool is_used(std::int64_t column, std::int64_t row) const {
    return (used_[static_cast<std::size_t>(column * words_a_column_ + row / 64)] >> row % 64 & 1) != 0;
  }
  void list_awake();
  void passes(std::uint64_t count, int steps);
  std::uint64_t compute(const PassTeam::Part& part, int steps);
  Box box_of(Place place) const;
  void end_pass();
  template <class PerTile>
  void for_used(std::int64_t first, std::int64_t last, const PerTile& per_tile) const;
  template <class PerTile>
  void for_tiles(std::uint64_t& known, const PerTile& per_tile) const;
  template <class PerWord>
  void for_words(Place place, const PerWord& per_word) const;
  std::uint64_t count_cells() const override;
  std::uint64_t hash_cells(Position origin) const override;
  std::optional<Box> find_box() const override;

  kernels::TileStep step_;
  std::shared_ptr<const MachineCode> code_;  // that step_window_ is part of
  kernels::StepWindow step_window_;
  kernels::RuleMask rule_;
  int lanes_;
  PassTeam team_;
  Cuts columns_, rows_;
  std::int64_t column_words_;
  std::array<Zeroed, 2> buffers_;
  std::array<std::uint64_t*, 2> row_zero_{};  // row 0 of column 0 in each
  Zeroed dead_column_;
  int current_ = 0;
  int steps_ = 0;      // of the last pass; 0: there was none since the tiles were woken
  bool first_ = true;  // no pass has written the target
  std::vector<Place> awake_;
  std::vector<Place> edited_;                    // written since the last pass: computed in the next two
  Bits woken_;                                   // to be computed in the next pass
  std::int64_t words_a_column_;                  // of woken_
  std::vector<std::atomic<bool>> column_woken_;  // whether a bit of a column is set
  std::vector<std::uint64_t> used_;  // as woken_: tiles that were ever written; all others are dead
  TileCounts counts_;
  TileTrace* trace_ = nullptr;  // records passes; null: not recorded
  std::uint64_t passed_ = 0;    // generations since record()
  mutable std::array<Known, 2> known_;
  std::uint64_t written_ = 0;                       // tiles, each pass and load() counted
  mutable std::uint64_t counted_ = 0, hashed_ = 0;  // of these, when population() and hash() last looked
  mutable Position hash_origin_;
};

}  // namespace moorea
