// SPDX-License-Identifier: MIT
// A world as a tree that HashLife advances (src/trees): an unbounded plane, or a torus whose sides are powers
// of two. Memory follows the different squares of its history instead of its area, and a call of advance()
// costs what the next power of two does.
#pragma once

#include <memory>

#include "boards/board.h"
#include "trees/tree_world.h"

namespace moorea {

class TreeBoard final : public Board {
 public:
  /// Throws Error (unavailable) for other worlds.
  TreeBoard(const WorldSpec& world, const MakeBase& make_base, const EngineOptions& options);

  /// Of an unbounded plane, the bounding box of the live cells. Throws Error (run) if it exceeds coordinates
  /// of 64 bits, which HashLife (moorea/hashlife.h) does not need.
  Box box() const override;

  void load(const Grid& cells, Position at) override;
  void load_squares(const CellSquares& squares) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void read(const Box& box, const GridView& to) const override;
  std::uint64_t min_generations() const override { return 16; }
  void advance(std::uint64_t generations) override;
  std::uint64_t advance_comparing() override;
  BoardSummary summary(const SummaryParts& parts, Position origin) const override;
  std::vector<std::uint32_t> density(const Raster& raster) const override;
  std::vector<Box> live_boxes(const Box& box) const override;

  TreeWorld* plane_tree() const override { return world_.is_unbounded() ? &tree_ : nullptr; }
  TreeWorld& tree() { return tree_; }

 private:
  std::optional<Box> live_box() const;

  mutable TreeWorld tree_;  // queries may make nodes
};

}  // namespace moorea
