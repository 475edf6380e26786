// SPDX-License-Identifier: MIT
// A world in main memory, advanced by one CPU kernel that takes blocks: a row band per thread, or tiles
// shared among the threads.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "boards/activity.h"
#include "boards/board.h"
#include "boards/halo_buffer.h"
#include "boards/instruments.h"
#include "devices/cpu/placement.h"
#include "kernels/kernel.h"
#include "moorea/topology.h"

namespace moorea {

/// Without B0, only the box around the live cells is computed; it is determined every 64 generations and
/// expanded by one cell per generation in between. Cells outside the box are dead in both buffers. Kernels
/// that skip tiles need no box.
class BlockBoard final : public Board, private BoardInstruments {
 public:
  /// `kernel` is one that processes blocks.
  BlockBoard(const WorldSpec& world, const kernels::Kernel& kernel, const kernels::BlockBinding& binding,
             int threads, const Tiling& tiling = {});

  void load(const Grid& cells, Position at) override;
  void advance(std::uint64_t generations) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void read(const Box& box, const GridView& to) const override;
  BoardSummary summary(const SummaryParts& parts, Position origin) const override;
  BoardInstruments* instruments() override { return this; }

 private:
  TileCounts tile_counts() const override {
    TileCounts counts = counts_;
    counts.has_changed = contract_->activity != kernels::Activity::none;
    return counts;
  }
  bool record(TileTrace* trace) override {
    trace_ = trace;
    return true;
  }
  bool guard(BlockGuard* guard) override {
    guard_ = guard;
    return true;
  }

  // Rows top to bottom - 1 and, of each, words left to right - 1 (64 cells each, in either layout).
  struct Area {
    std::int64_t left = 0, right = 0, top = 0, bottom = 0;
    bool empty() const { return left >= right || top >= bottom; }
  };

  Area whole() const;
  Area around(const Box& box, std::int64_t margin) const;
  Area reach(int steps);
  bool reads_halo(const Area& area, int steps) const;
  void pass(const Area& area, int steps);
  void run_block(kernels::Step step, const kernels::Block& block) const;
  void run_bands(const kernels::Block& whole, const Area& area);
  void run_tiles(const kernels::Block& whole, const Area& area);
  kernels::Block part(const kernels::Block& whole, const Box& box) const;
  void wake(const Area& area);
  void clear_outside(const Field& field, const Area& used, const Area& kept) const;
  void clear_words(const Field& field, std::int64_t y, std::int64_t left, std::int64_t right) const;
  void read_words(std::int64_t y, std::int64_t left, std::int64_t right, std::uint64_t* words) const;
  kernels::Step step_of(int thread, int threads) const;
  int threads_for(const Area& area) const;
  void write_words(std::int64_t y, std::int64_t left, std::int64_t right, const std::uint64_t* words);
  std::optional<Box> find_box() const;

  const kernels::Kernel* kernel_;
  const kernels::BlockContract* contract_;  // of kernel_
  kernels::Step step_;
  kernels::Step wide_step_;  // of the threads that use wide vectors; null: there are none
  kernels::RuleMask rule_;
  int threads_;
  std::array<FieldBuffer, 2> buffers_;
  std::array<Area, 2> used_;  // part of each buffer that may have live cells
  int current_ = 0;
  std::optional<Box> box_;  // the live cells' box when it was last determined
  int since_box_ = 0;       // generations since

  Tiling tiling_;
  std::optional<CpuMap> cpus_;  // where threads are to be placed
  std::vector<int> places_;     // the CPU of each thread of the last team
  TileCounts counts_;
  TileTrace* trace_ = nullptr;         // records passes; null: not recorded
  BlockGuard* guard_ = nullptr;        // runs blocks; null: they run without
  std::optional<TileFlags> activity_;  // of kernels that skip tiles
  bool loaded_ = false;                // no pass since load(): reports of tiles are not valid yet
};

}  // namespace moorea
