// SPDX-License-Identifier: MIT
// An unbounded plane: a board that is replaced by a larger one before a live cell reaches its edge.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "boards/board.h"
#include "boards/instruments.h"

namespace moorea {

/// Factory of the planes of a growing board.
struct PlaneFactory {
  std::function<std::unique_ptr<Board>(const WorldSpec&)> make;  ///< throws Error if there is no memory
  std::function<double(const WorldSpec&)> bytes;                 ///< memory that make() would allocate
  bool in_main_memory = true;                                    ///< whether that is the machine's
  std::uint64_t max_bytes = 0;                                   ///< limit for a plane; 0: none
  std::int64_t sides_a_margin =
      2;  ///< live cells' sides divided by the margin around them when a plane grows
};

/// Cells around the live cells of a plane that has grown, at least, while there is memory.
std::int64_t growing_margin(const Rule& rule);

/// All coordinates are those of the unbounded plane; the plane in memory moves. The old plane stays until the
/// new one is complete, so that nothing is lost if there is no memory for it: then the present plane is kept,
/// with dead cells beyond its edges (at_edge()).
class GrowingBoard final : public Board, private BoardInstruments {
 public:
  GrowingBoard(const Rule& rule, PlaneFactory planes);

  Box box() const override { return world_.box().translated(origin_); }

  void load(const Grid& cells, Position at) override;
  void load_states(const Cells& cells, Position at) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void write_states(const Cells& cells, Position at) override;
  void read(const Box& box, const GridView& to) const override;
  Cells states(const Box& box) const override { return plane_->states(box.translated(-origin_)); }
  std::uint64_t prepare(std::uint64_t generations) override;
  void set_phase(bool odd) override { plane_->set_phase(odd); }
  bool phase() const override { return plane_->phase(); }
  void advance(std::uint64_t generations) override;
  void advance_counting(std::uint64_t generations, std::uint64_t* populations) override;
  std::uint64_t advance_comparing() override;
  BoardSummary summary(const SummaryParts& parts, Position origin) const override;
  std::vector<std::uint32_t> density(const Raster& raster) const override;
  std::vector<std::uint8_t> levels(const Raster& raster,
                                   std::span<const std::uint32_t> limits) const override;
  std::optional<DeviceView> device_cells() const override { return plane_->device_cells(); }
  std::uint64_t bytes_moved() const override { return Board::bytes_moved() + plane_->bytes_moved(); }
  BoardInstruments* instruments() override { return this; }

  /// Whether the plane could not grow: since then it is bounded, until load() or write() replace it.
  bool at_edge() const override { return at_edge_; }

 private:
  TileCounts tile_counts() const override;
  bool record(TileTrace* trace) override;
  bool guard(BlockGuard* guard) override;
  std::vector<PartFacts> parts() const override;
  std::optional<KernelResources> resources() const override;
  std::optional<ConversionTimes> time_conversion() override;

  bool grow(const Box& live);
  template <class Load>
  void load_with(const Box& cells, const Load& load);
  void make_room(const std::optional<Box>& added);
  std::uint64_t take_prepared(std::uint64_t generations);
  template <class Fill>
  void replace(const Box& plane, const Fill& fill);
  Raster in_plane(const Raster& raster) const;

  PlaneFactory planes_;
  std::unique_ptr<Board> plane_;
  Position origin_;            // of the plane's top-left cell
  TileCounts earlier_counts_;  // of planes that were replaced
  BlockGuard* guard_ = nullptr;
  std::uint64_t prepared_ = 0;  // generations that the last prepare() granted and no advance used
  bool at_edge_ = false;
};

}  // namespace moorea
