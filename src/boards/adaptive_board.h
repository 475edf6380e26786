// SPDX-License-Identifier: MIT
// CPU board that switches between a dense and a sparse representation by measured activity: the board of any
// kernel, mostly strided, for busy worlds, and tiles that skip inactive regions for quiet ones. Of an
// unbounded plane these are a plane that grows and tiles that exist where something lives.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "boards/board.h"
#include "boards/handover.h"
#include "boards/instruments.h"
#include "boards/tiled_board.h"
#include "kernels/kernel.h"

namespace moorea {

/// Factory and cost of the board for busy worlds.
struct BusyBoard {
  std::function<std::unique_ptr<Board>()> make;
  /// Of a generation of a world of this size, in cells of the strided layout.
  std::function<double(Size)> cost;
};

class AdaptiveBoard final : public Board, private BoardInstruments {
 public:
  using MakeTiles = std::function<std::unique_ptr<TiledBoard>()>;

  /// The world's size is 0 x 0 if it is unbounded.
  AdaptiveBoard(const WorldSpec& world, BusyBoard busy, MakeTiles quiet);

  Box box() const override { return unbounded_ ? board().box() : world_.box(); }

  void load(const Grid& cells, Position at) override;
  void load_squares(const CellSquares& squares) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void read(const Box& box, const GridView& to) const override;
  std::uint64_t prepare(std::uint64_t generations) override;
  void advance(std::uint64_t generations) override;
  std::uint64_t advance_comparing() override;
  BoardSummary summary(const SummaryParts& parts, Position origin) const override;
  std::vector<std::uint32_t> density(const Raster& raster) const override { return board().density(raster); }
  std::vector<Box> live_boxes(const Box& box) const override { return board().live_boxes(box); }
  bool at_edge() const override { return board().at_edge(); }
  std::uint64_t bytes_moved() const override { return Board::bytes_moved() + board().bytes_moved(); }
  BoardInstruments* instruments() override { return this; }

  /// Tiles computed and skipped in the sparse representation.
  TileCounts tile_counts() const override;

  bool record(TileTrace* trace) override;
  Position origin_of_tiles(Position corner) const override;

  /// Cost of a generation in the strided layout, in cells: a sweep also computes the halo columns of each
  /// row, about two vectors, and some rows twice.
  static double strided_cost(const kernels::Kernel& kernel, Size size);

 private:
  Board& board() const;
  void replace_board(std::unique_ptr<Board> busy, std::unique_ptr<TiledBoard> tiles);
  double advance_and_compare(int generations);
  bool switch_boards();
  void decide(double awake_cells);
  double quiet_cost(double awake_cells) const;
  double busy_cost() const;
  void follow_size();

  bool unbounded_;
  BusyBoard busy_kind_;
  MakeTiles make_tiles_;
  std::unique_ptr<Board> busy_;  // one of the two
  std::unique_ptr<TiledBoard> tiles_;
  TileCounts earlier_counts_;   // of tile boards that were replaced
  Handover handover_;           // in generations
  TileTrace* trace_ = nullptr;  // of the present board
};

}  // namespace moorea
