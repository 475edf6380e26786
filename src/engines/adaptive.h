// SPDX-License-Identifier: MIT
// A world on the CPU, kept in the layout that is the faster one for what is going on in it: strided vectors
// while it is busy, tiles that can sleep while little happens.
#pragma once

#include <memory>
#include <optional>

#include "devices/board.h"
#include "devices/strided_board.h"
#include "devices/tile_board.h"
#include "kernels/kernel.h"
#include "moorea/rule.h"
#include "moorea/topology.h"

namespace moorea {

class AdaptiveBoard final : public Board {
 public:
  /// `busy` has the strided layout, `quiet` the tiles'.
  AdaptiveBoard(const BoundKernel& busy, const BoundKernel& quiet, kernels::RuleMask rule, Topology topology,
                std::int64_t width, std::int64_t height, int threads);

  void load(const Grid& cells, std::int64_t x, std::int64_t y) override;
  void take(const Board& from, std::int64_t x, std::int64_t y) override;
  void advance(std::uint64_t generations) override;
  Grid window(const Box& box) const override;
  std::uint64_t population() const override;
  std::uint64_t hash(std::int64_t x0, std::int64_t y0) const override;
  std::optional<Box> bounding_box() const override;

  /// Of the times spent in tiles.
  TileCounts tile_counts() const override;

  /// Bytes that a board takes in the larger of its layouts; while it moves it takes more if there is more.
  static double bytes(const BoundKernel& busy, Topology topology, std::int64_t width, std::int64_t height,
                      int threads);

 private:
  const Board& board() const;
  std::unique_ptr<StridedBoard> new_strided() const;
  std::unique_ptr<TileBoard> new_tiles() const;
  void become_busy();
  void become_quiet();
  double busy_cost() const;
  double quiet_cost(double awake_cells) const;

  BoundKernel busy_, quiet_;
  kernels::RuleMask rule_;
  Topology topology_;
  std::int64_t width_, height_;
  int threads_;
  std::unique_ptr<StridedBoard> strided_;  // one of the two
  std::unique_ptr<TileBoard> tiles_;
  TileCounts earlier_counts_;     // of tiles that were left for the other layout
  std::uint64_t until_look_ = 0;  // generations until the busy world is looked at
  std::uint64_t interval_ = 0;    // between two looks
};

}  // namespace moorea
