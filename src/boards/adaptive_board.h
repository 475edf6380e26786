// SPDX-License-Identifier: MIT
// CPU board that switches between a dense and a sparse representation by measured activity: the board of any
// kernel, mostly strided, for busy worlds, and tiles that skip inactive regions for quiet ones.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "boards/board.h"
#include "boards/handover.h"
#include "boards/instruments.h"
#include "boards/tile_board.h"
#include "kernels/kernel.h"
#include "moorea/rule.h"
#include "moorea/topology.h"

namespace moorea {

/// Factory and cost of the board for busy worlds.
struct BusyBoard {
  std::function<std::unique_ptr<Board>()> make;
  double cost = 0;  ///< of a generation, in cells of the strided layout
};

class AdaptiveBoard final : public Board, private BoardInstruments {
 public:
  /// `quiet` has the tiles' layout.
  AdaptiveBoard(const WorldSpec& world, BusyBoard busy, const BoundKernel& quiet, int threads);

  void load(const Grid& cells, Position at) override;
  void adopt_from(const Board& other, Position by) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void read(const Box& box, const GridView& to) const override;
  void advance(std::uint64_t generations) override;
  BoardSummary summary(const SummaryParts& parts, Position origin) const override;
  std::uint64_t bytes_moved() const override { return Board::bytes_moved() + board().bytes_moved(); }
  BoardInstruments* instruments() override { return this; }

  /// Tiles computed and skipped in the sparse representation.
  TileCounts tile_counts() const override;

  /// Cost of a generation in the strided layout, in cells: a sweep also computes the halo columns of each
  /// row, about two vectors, and some rows twice.
  static double strided_cost(const kernels::Kernel& kernel, Size size);

 private:
  Board& board() const;
  std::unique_ptr<TileBoard> new_tiles() const;
  void replace_board(std::unique_ptr<Board> busy, std::unique_ptr<TileBoard> tiles);
  double advance_and_compare(int generations);
  bool switch_boards();
  void decide(double awake_cells);
  double quiet_cost(double awake_cells) const;

  BusyBoard busy_kind_;
  BoundKernel quiet_;
  int threads_;
  std::unique_ptr<Board> busy_;  // one of the two
  std::unique_ptr<TileBoard> tiles_;
  TileCounts earlier_counts_;  // of tile boards that were replaced
  Handover handover_;          // in generations
};

}  // namespace moorea
