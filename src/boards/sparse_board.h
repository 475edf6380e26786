// SPDX-License-Identifier: MIT
// CPU board of an unbounded plane: tiles of 52 x 48 cells exist where something lives, and only those that
// can change are computed. Memory follows the live cells, a pass costs the active tiles.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "boards/instruments.h"
#include "boards/pass_team.h"
#include "boards/slot_marks.h"
#include "boards/tile_pool.h"
#include "boards/tiled_board.h"
#include "jit/bound_kernel.h"
#include "kernels/kernel.h"

namespace moorea {

/// Tiles are active and inactive as those of a TileBoard, in passes of the same lengths. Between passes,
///   - a tile's rows above and below its own equal those of the tiles there, in both buffers;
///   - the tile exists that reads live cells of another one: there are no cells beyond a missing neighbour,
///   and
///     none come to life there in the next pass.
/// A tile is removed when it becomes inactive, is dead, and reads no live cell, in both buffers.
class SparseBoard final : public TiledBoard, private BoardInstruments {
 public:
  /// `kernel` has the layout of tiles. Tiles take at most `max_bytes`; 0: a share of the available memory.
  SparseBoard(const Rule& rule, const BoundKernel& kernel, int threads, std::uint64_t max_bytes);

  /// The tiles' bounding box.
  Box box() const override { return hull_; }

  void load(const Grid& cells, Position at) override;
  void load_squares(const CellSquares& squares) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void read(const Box& box, const GridView& to) const override;
  std::uint64_t prepare(std::uint64_t generations) override;
  void advance(std::uint64_t generations) override;
  std::uint64_t advance_comparing() override;
  std::vector<std::uint32_t> density(const Raster& raster) const override;
  std::vector<Box> live_boxes(const Box& box) const override;
  BoardInstruments* instruments() override { return this; }

  /// Whether there was no memory for another tile: since then the plane is bounded by box().
  bool at_edge() const override { return bounds_.has_value(); }

  double awake_cells() const override;
  std::size_t tiles() const { return pool_.tiles(); }

 private:
  // What a thread finds in a pass and leaves to the end of the pass.
  struct alignas(64) Findings {
    struct Missing {
      SparseTile* tile;  // has live cells
      unsigned direction;
    };
    bool shared = false;  // with other threads
    std::vector<Missing> missing;
    std::vector<SparseTile*> dead;  // unchanged
  };

  bool record(TileTrace* trace) override {
    trace_ = trace;
    passed_ = 0;
    return true;
  }
  Position origin_of_tiles(Position) const override { return {}; }
  TileCounts tile_counts() const override { return counts_; }

  kernels::Tile describe(SparseTile& tile) const;
  void prefetch(std::size_t first, std::size_t last) const;
  std::uint64_t compute(const PassTeam::Part& part);
  void changed(SparseTile& tile, unsigned changes, Findings& findings);
  void end_pass();
  void passes(std::uint64_t count, int steps);

  void clear();
  void put(const ConstGridView& cells, Position at);
  void wake_all();
  void wake_edited(std::size_t first);
  void wake(const SparseTile& tile);
  void list_awake();
  void publish(SparseTile& tile, int buffer, unsigned changes) const;
  void surround(const SparseTile& tile);
  SparseTile* make(const TilePlace& place);
  void make_missing(Findings& findings);
  void remove_dead(Findings& findings);
  bool may_have(std::size_t tiles);
  void require_room(std::size_t tiles);
  void make_room(const ConstGridView& cells, Position at, const Box& added);
  bool paste(SparseTile& tile, const std::uint64_t* rows, const Box& box, PasteMode mode);
  void follow_hull();

  template <class Visit>
  void for_tiles_in(const Box& box, const Visit& visit) const;
  template <class Visit>
  void for_all_tiles(const Visit& visit) const;
  std::uint64_t count_cells() const override;
  std::uint64_t hash_cells(Position origin) const override;
  std::optional<Box> find_box() const override;

  kernels::TileStep step_;
  std::shared_ptr<const MachineCode> code_;  // that step_window_ is part of
  kernels::StepWindow step_window_;
  kernels::RuleMask rule_;
  int lanes_;
  PassTeam team_;
  TilePool pool_;
  int current_ = 0;
  int steps_ = 0;      // of the last pass; 0: there was none since the tiles were woken
  bool first_ = true;  // no pass has written the target
  std::vector<SparseTile*> awake_;
  std::vector<SparseTile*> edited_;  // written since the last pass: computed in the next two
  SlotMarks woken_;                  // to be computed in the next pass
  std::vector<Findings> findings_;   // by thread
  Box hull_;
  std::optional<Box> bounds_;  // of the plane since there was no memory
  std::uint64_t max_bytes_;
  std::size_t max_tiles_ = 0;  // known not to take too much memory
  bool limit_known_ = false;   // max_tiles_ is the limit
  TileCounts counts_;
  TileTrace* trace_ = nullptr;
  std::uint64_t passed_ = 0;  // generations since record()
  mutable Position hash_origin_;
};

}  // namespace moorea
