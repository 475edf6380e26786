// SPDX-License-Identifier: MIT
// A world that is partitioned by rows among processes, of which this one has a part. Every `halo` generations
// ranks with adjacent parts exchange the rows at their border. What the others must know to answer a query
// is reduced over all ranks, so that every rank makes the same calls in the same order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "boards/band_board.h"
#include "boards/board_queue.h"
#include "boards/part_clock.h"
#include "boards/queue_link.h"
#include "moorea/ranks.h"

namespace moorea {

/// Rows of each rank's part from top to bottom, and the rows that adjacent parts exchange at once.
struct RankCut {
  std::vector<std::int64_t> rows;
  std::int64_t halo = 1;
  RowTransport transport = RowTransport::automatic;
};

class RankBoard final : public Board {
 public:
  /// Throws Error (usage) unless there are as many parts as ranks, which fill the world and have at least
  /// `halo` rows each, and Error (unavailable) if the ranks have no NCCL and it is asked for.
  RankBoard(const WorldSpec& world, const RankCut& cut, std::shared_ptr<RankLink> link,
            const BandBoard::Factory& make);

  /// Rows of this rank's part.
  Box own() const { return band_->world().box().translated({0, top_}); }
  /// Replaces this rank's rows, a few at a time; other ranks load theirs.
  void load_own(const RowSource& rows);
  /// Copies rows of this rank's part.
  Grid read_own(std::int64_t top, std::int64_t rows) const;
  void read_own(std::int64_t top, const GridView& to) const;
  /// This rank's rows in the memory of its device; empty on devices that have none.
  std::optional<DeviceView> own_device_cells() const;

  const RankExchanges& exchanges() const { return exchanges_; }

  /// Makes what ranks decide by their clocks and signals equal on all of them: they go on if each of them
  /// does, and the last piece of work has taken as long as on the slowest.
  void agree(bool& goes_on, double& seconds) const;

  /// The grid is that of the whole world's cells, on all ranks.
  void load(const Grid& cells, Position at) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void read(const Box& box, const GridView& to) const override;
  void advance(std::uint64_t generations) override;
  void advance_counting(std::uint64_t generations, std::uint64_t* populations) override;
  std::uint64_t advance_comparing() override;
  BoardSummary summary(const SummaryParts& parts, Position origin) const override;
  std::vector<std::uint32_t> density(const Raster& raster) const override;
  std::uint64_t bytes_moved() const override { return band_->bytes_moved(); }

 private:
  // Outermost rows and halo rows on their way to and from one neighbour.
  struct Border {
    int rank = -1;  // of the neighbour; -1: none
    RowMemory sent, received;
  };

  void link_neighbours(RowTransport transport);
  RowMemory make_message_memory() const;
  std::size_t words_of_message() const;
  std::span<std::byte> bytes_of(const RowMemory& rows) const;
  void wait_for(const QueueMark& mark) const;
  void finish_band() const;
  void connect_queues();
  void transfer_by_queue();
  void transfer();
  void exchange(std::uint64_t passed);
  void exchange_if_used_up(std::uint64_t passed);
  template <class Body>
  void for_timed(std::uint64_t generations, const Body& body);

  // Calls an action of this rank alone; what it throws ends the others, too.
  template <class Action>
  auto alone(const Action& action) const;

  std::shared_ptr<RankLink> link_;
  std::int64_t halo_;
  std::int64_t top_ = 0;  // of this rank's part
  // In this order: the queue of the band may use the rows until its end, and a link ends before its queue
  Border above_, below_;
  std::unique_ptr<BandBoard> band_;
  std::unique_ptr<QueueLink> queue_link_;  // null: rows pass by link_
  std::unique_ptr<QueueMark> finished_;
  PartClock clock_;
  RankExchanges exchanges_;
  std::uint64_t exact_ = 0;  // generations until the next exchange, equal on all ranks
};

}  // namespace moorea
