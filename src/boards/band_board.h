// SPDX-License-Identifier: MIT
// Part of a world that is partitioned by rows: a band whose edges are dead, joined, or external, which means
// that the band's owner fills the rows beyond them. The board inside, of any device, has `halo` more rows at
// each external edge and needs no code for them: wrong cells enter from their far side and come one row
// (of rules with a longer reach, some rows) nearer in each generation, so that the band's own cells are exact
// for `halo` generations between two halo exchanges. The cost is `halo` rows of work per external edge; a
// halo that shrinks by a row in each generation would save half.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "boards/board.h"
#include "boards/board_queue.h"

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

  /// Edges of a whole, bounded world.
  static Edges of(Topology topology);
};

/// Specification of a band: `world` has the band's size and the topology of the whole, `halo` is the number
/// of rows beyond each external edge, at least as many as cells reach in a generation (Rule::reach).
struct BandSpec {
  WorldSpec world;
  Edges edges;
  std::int64_t halo = 1;
};

/// Blocks of a rule of blocks are those of the world if the band's first row in the world and `halo` are
/// even. Own cells have the coordinates (0, 0) to (width - 1, height - 1); halo rows have the rows -halo to
/// -1 and height to height + halo - 1, where an edge is external. read() and write() access both; summaries
/// and densities cover own cells alone.
class BandBoard final : public Board, public BoardQueue {
 public:
  using Factory = std::function<std::unique_ptr<Board>(const WorldSpec&)>;

  /// `make` makes the board inside; it may throw Error. Throws Error (usage) for edges that no board has: an
  /// external left or right edge, one of a joined pair, or dead and joined edges together.
  BandBoard(const BandSpec& band, const Factory& make);

  /// Generations until the halo rows must be filled again, at most `halo` divided by the rule's reach;
  /// without external edges any number.
  std::uint64_t exact_generations() const { return exact_; }

  /// The halo rows that the owner fills, in the band's coordinates; empty where the edge is not external.
  Box halo_above() const { return {0, -above_, world_.width, above_}; }
  Box halo_below() const { return {0, world_.height, world_.width, below_}; }

  /// Call after all halo rows have been filled for the present generation.
  void halo_filled();

  /// Clears the halo rows, too: they must be filled before the next generation.
  void load(const Grid& cells, Position at) override;
  void load_states(const Cells& cells, Position at) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void write_states(const Cells& cells, Position at) override;
  void read(const Box& box, const GridView& to) const override;
  Cells states(const Box& box) const override;
  void set_phase(bool odd) override { board_->set_phase(odd); }
  bool phase() const override { return board_->phase(); }
  std::uint64_t prepare(std::uint64_t generations) override;

  /// Throws std::logic_error for more than exact_generations().
  void advance(std::uint64_t generations) override;

  BoardSummary summary(const SummaryParts& parts, Position origin) const override;
  std::vector<std::uint32_t> density(const Raster& raster) const override;
  std::optional<DeviceView> device_cells() const override;
  /// That of the board inside, with rows in the band's coordinates.
  BoardQueue* queue() override { return board_->queue() != nullptr ? this : nullptr; }
  std::uint64_t bytes_moved() const override { return board_->bytes_moved(); }
  BoardInstruments* instruments() override { return board_->instruments(); }

 private:
  void enqueue(std::uint64_t generations, RowRange needed) override;
  void read_rows(std::int64_t y, std::int64_t rows, std::uint64_t* to) override;
  void write_rows(std::int64_t y, std::int64_t rows, const std::uint64_t* from) override;
  std::unique_ptr<QueueMark> make_mark() const override { return board_->queue()->make_mark(); }
  void mark(QueueMark& mark) override { board_->queue()->mark(mark); }
  void wait_for(const QueueMark& mark) override { board_->queue()->wait_for(mark); }
  void finish() override { board_->queue()->finish(); }
  RowMemory make_row_memory(std::size_t words, const BoardQueue* writer) override;
  bool may_be_linked() const override { return board_->queue()->may_be_linked(); }
  std::optional<DeviceId> link_device() const override { return board_->queue()->link_device(); }
  LinkId make_link_id() const override { return board_->queue()->make_link_id(); }
  std::unique_ptr<QueueLink> make_link(const LinkId& id, RankLink& ranks) override {
    return board_->queue()->make_link(id, ranks);
  }

  void loaded();
  void use_up(std::uint64_t generations);
  Position inside(Position at) const { return {at.x, at.y + above_}; }
  Box own_bounding_box(const Box& with_halo) const;

  std::int64_t halo_;
  std::int64_t above_, below_;  // halo rows
  std::unique_ptr<Board> board_;
  std::uint64_t exact_ = 0;
};

}  // namespace moorea
