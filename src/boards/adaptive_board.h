// SPDX-License-Identifier: MIT
// A world on the CPU that moves to the board which is the faster one for what is going on in it: any kernel's
// while it is busy, strided vectors mostly, and tiles that can sleep while little happens.
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

/// The board of busy times.
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

  /// Tiles computed and skipped while the world was in tiles.
  TileCounts tile_counts() const override;

  /// What a generation costs in the strided layout: a sweep also does the ends of each row, about two
  /// vectors' work, and some rows twice.
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
  TileCounts earlier_counts_;  // of tiles that were left for the other board
  Handover handover_;          // in generations
};

}  // namespace moorea
