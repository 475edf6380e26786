// SPDX-License-Identifier: MIT
// A world that is out of core: its upper rows stay in the machine's memory and pass through a device in
// bands, with some generations per visit; the lower ones may be resident on the device. Several bands are on
// the device at the same time, each with a board and a thread: while one is computed, the next is uploaded
// and the one before is downloaded.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "boards/band_board.h"
#include "boards/instruments.h"
#include "boards/visit_schedule.h"
#include "devices/cpu/threads.h"

namespace moorea {

/// Packed rows in the machine's memory.
using HostMemory = std::shared_ptr<std::uint64_t[]>;

struct StreamedSpec {
  WorldSpec world;
  std::int64_t host_rows = 0;  ///< at least 1; the rows below are resident
  std::int64_t bands = 1;      ///< of the host's rows, as equal as possible
  std::int64_t halo = 1;  ///< generations of a visit, at most the rows of each band and of the resident part
  int bands_at_once = 1;  ///< boards for bands, each with a thread
  bool one_at_a_time = false;  ///< one board works at a time, that of the resident rows included
};

struct StreamedFactories {
  BandBoard::Factory band, resident;
  std::function<HostMemory(std::size_t words)> host_memory;  ///< all 0; queues of the boards reach it
};

/// The rows at the borders of bands are copied when a visit ends: neighbours need those of the present
/// generation after the band has been replaced by a later one. There is no second copy of the world.
class StreamedBoard final : public Board, private BoardInstruments {
 public:
  /// Throws Error (usage) for bands that do not fill the host's rows or are lower than the halo.
  StreamedBoard(const StreamedSpec& spec, const StreamedFactories& factories);

  void load(const Grid& cells, Position at) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void read(const Box& box, const GridView& to) const override;
  void advance(std::uint64_t generations) override;
  std::uint64_t min_generations() const override;
  std::uint64_t advance_comparing() override;
  BoardSummary summary(const SummaryParts& parts, Position origin) const override;
  std::vector<std::uint32_t> density(const Raster& raster) const override;
  std::uint64_t bytes_moved() const override;
  BoardInstruments* instruments() override { return this; }

  /// Rows of the board that a band passes through: with halo rows, but none beyond the edges of a plane that
  /// is a single band.
  static std::int64_t board_rows(const StreamedSpec& spec);

 private:
  struct Band {
    std::int64_t y = 0, rows = 0;
    bool is_dead = false;  // known to have no live cell
  };

  // Outermost rows of a part in one generation.
  struct Border {
    GridView first, last;
  };

  // One call of the schedule: all turns have `halo` generations but the last.
  struct Turns {
    std::uint64_t first = 0, number = 0, last_generations = 0;
    bool compares = false;
  };

  TileCounts tile_counts() const override;
  std::optional<KernelResources> resources() const override;

  bool has_resident() const { return resident_ != nullptr; }
  std::size_t part_count() const { return bands_.size() + (has_resident() ? 1 : 0); }
  Box host_box() const { return {0, 0, world_.width, spec_.host_rows}; }
  GridView host_rows(std::int64_t y, std::int64_t rows) const;
  Border border(std::size_t part, std::uint64_t turn) const;
  std::int64_t row_on_board(std::size_t part) const;
  void read_host(const Box& box, const GridView& to) const;
  BoardSummary summarise_host(const SummaryParts& parts, Position origin) const;

  std::uint64_t run(std::uint64_t generations, bool compares);
  void work(int member, const Turns& turns);
  void visit(Board* board, const Visit& visit, const Turns& turns);
  void visit_band(Board& board, const Visit& visit, std::uint64_t generations, bool compares);
  void visit_resident(const Visit& visit, std::uint64_t generations, bool compares);
  bool stays_dead(const Visit& visit);
  std::uint64_t replace(const Board& board, std::size_t part) const;
  void publish(std::size_t part, std::uint64_t turn);

  StreamedSpec spec_;
  std::int64_t words_;  // of a row
  HostMemory host_, border_memory_;
  std::vector<Band> bands_;
  std::vector<std::unique_ptr<Board>> boards_;  // that bands pass through
  std::unique_ptr<BandBoard> resident_;         // null if all rows are the host's
  VisitSchedule schedule_;
  bool borders_current_ = false;  // whether the borders of the next turn are those of the cells
  std::atomic<std::uint64_t> changed_{0};
  Crew crew_;
};

}  // namespace moorea
