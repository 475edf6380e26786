// SPDX-License-Identifier: MIT
// A band of a larger world's rows, with edges that are dead, joined, or filled by the band's owner: the part
// of a partitioned world. Any board of any device can be inside, and no kernel knows of external edges: the
// board inside is a world with `halo` more rows at each external edge. Whatever lies beyond these rows is
// wrong for the band and reaches one row further in each generation, so that the band's own cells are exact
// for `halo` generations, after which its owner fills the halo rows again. That costs `halo` rows of work per
// external edge; a halo that shrinks by a row in each generation would save half of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "boards/board.h"

namespace moorea {

/// Cells beyond one side of a rectangle.
enum class Edge {
  dead,     ///< dead cells, always
  wrap,     ///< the cells of the opposite side
  external  ///< the cells of another board, in halo rows that are filled from outside
};

struct Edges {
  Edge left = Edge::wrap;
  Edge right = Edge::wrap;
  Edge top = Edge::wrap;
  Edge bottom = Edge::wrap;

  /// Those of a whole world.
  static Edges of(Topology topology);
};

/// A band that an owner wants: `world` has the band's rows and the topology of the whole, `halo` the rows at
/// each external edge, 1 or more.
struct BandSpec {
  WorldSpec world;
  Edges edges;
  std::int64_t halo = 1;
};

/// Own cells have the coordinates (0, 0) to (width - 1, height - 1); halo rows have the rows -halo to -1 and
/// height to height + halo - 1, where an edge is external. read() and write() access both; summaries and
/// densities cover own cells alone.
class BandBoard final : public Board {
 public:
  using Factory = std::function<std::unique_ptr<Board>(const WorldSpec&)>;

  /// `make` makes the board inside; it may throw Error. Throws Error (usage) for edges that no board has: an
  /// external left or right edge, one of a joined pair, dead edges beside joined ones.
  BandBoard(const BandSpec& band, const Factory& make);

  /// Generations until the halo rows must be filled again, at most `halo`; without external edges any number.
  std::uint64_t exact_generations() const { return exact_; }

  /// The halo rows that the owner fills, in the band's coordinates; empty where the edge is not external.
  Box halo_above() const { return {0, -above_, world_.width, above_}; }
  Box halo_below() const { return {0, world_.height, world_.width, below_}; }

  /// Tells that all halo rows have been filled for the present generation.
  void halo_filled();

  /// Clears the halo rows, too: they must be filled before the next generation.
  void load(const Grid& cells, Position at) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void read(const Box& box, const GridView& to) const override;
  std::uint64_t prepare(std::uint64_t generations) override;

  /// Throws std::logic_error for more than exact_generations().
  void advance(std::uint64_t generations) override;

  BoardSummary summary(const SummaryParts& parts, Position origin) const override;
  std::vector<std::uint32_t> density(const Raster& raster) const override;
  std::optional<DeviceView> device_cells() const override;
  std::uint64_t bytes_moved() const override { return board_->bytes_moved(); }
  BoardInstruments* instruments() override { return board_->instruments(); }

 private:
  Position inside(Position at) const { return {at.x, at.y + above_}; }
  Box own_bounding_box(const Box& with_halo) const;

  std::int64_t halo_;
  std::int64_t above_, below_;  // halo rows
  std::unique_ptr<Board> board_;
  std::uint64_t exact_ = 0;
};

}  // namespace moorea
