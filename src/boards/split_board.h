// SPDX-License-Identifier: MIT
// A world partitioned by rows into parts, each a board of its own, on any device. When `halo` rows are used
// up, adjacent parts exchange the rows at their border; in between they advance without each other. A
// generation uses up as many rows as cells reach.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "boards/band_board.h"
#include "boards/instruments.h"
#include "boards/part_clock.h"
#include "boards/repeated_turns.h"
#include "boards/row_balance.h"
#include "boards/row_exchange.h"
#include "devices/cpu/threads.h"

namespace moorea {

struct SplitPart {
  std::int64_t rows = 0;
  BandBoard::Factory make;  ///< makes the part's board, with the halo rows that it needs
};

/// Each part advances on a thread of its own, which may start a team. A part's error ends the others' pass
/// and is thrown afterwards; the cells are undefined then.
class SplitBoard final : public Board, private BoardInstruments {
 public:
  /// Two parts or more, from top to bottom. Throws Error (usage) unless they fill the world and each has at
  /// least `halo` rows, which are exchanged at once and suffice for a generation. Under a rule of blocks, the
  /// halo is even and each part begins at an even row.
  SplitBoard(const WorldSpec& world, std::int64_t halo, std::span<const SplitPart> parts);

  /// From now on rows move from slow parts to fast ones while the world advances; see RowBalance.
  void let_rows_move(std::vector<PartSpeed> speeds = {});

  /// Moves rows between the parts: one number for each, as in the constructor. Cells and generation stay.
  /// Throws Error (usage) for other numbers; if a part's board cannot be made with so many rows, as in too
  /// little memory, its Error is thrown and the rows are as before.
  void move_rows(std::span<const std::int64_t> rows);

  void load(const Grid& cells, Position at) override;
  void load_states(const Cells& cells, Position at) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void write_states(const Cells& cells, Position at) override;
  void read(const Box& box, const GridView& to) const override;
  Cells states(const Box& box) const override;
  void set_phase(bool odd) override;
  bool phase() const override { return parts_.front().band().phase(); }
  void advance(std::uint64_t generations) override;
  std::uint64_t advance_comparing() override;
  BoardSummary summary(const SummaryParts& parts, Position origin) const override;
  std::vector<std::uint32_t> density(const Raster& raster) const override;
  std::uint64_t bytes_moved() const override;
  BoardInstruments* instruments() override { return this; }

 private:
  struct Part {
    BandBoard::Factory make;
    std::unique_ptr<BandBoard> board;
    Box rows;  // in the world
    PartClock clock;
    PartWork work;    // in the present call
    PartFacts facts;  // in all calls

    BandBoard& band() const;
  };

  // Generations of a call.
  struct Progress {
    std::uint64_t passed, left;
  };

  bool record(TileTrace* trace) override;
  TileCounts tile_counts() const override;
  std::vector<PartFacts> parts() const override;

  void make_band(std::size_t part);
  void place(std::span<const std::int64_t> rows);
  void make_again(std::size_t first, std::size_t last, const Cells& cells, bool is_odd);
  std::uint64_t halo_generations() const;
  template <class Load>
  void load_parts(const Box& cells, const Load& load);
  template <class Write>
  void write_parts(const Box& cells, const Write& write);
  void connect();
  void cells_replaced();
  bool exchange(std::size_t part, Progress progress, std::exception_ptr& error);
  void choose_turn_length(std::uint64_t generations);
  std::uint64_t look_for_cycle(std::uint64_t generations);
  void advance_all(std::uint64_t generations);
  void advance_part(std::size_t part, std::uint64_t generations, std::exception_ptr& error);
  void move_if_worth_while(std::uint64_t generations);

  // Calls body(part, error) for each part on its thread, by which all advance by some generations; adds up
  // what they did, and throws the error of the first one that has any.
  template <class Body>
  void for_each_timed(std::uint64_t generations, const Body& body);

  // Calls body(part) for each part on its thread and throws what the first failed one threw.
  void for_each_part(const std::function<void(std::size_t part)>& body) const;

  std::int64_t halo_;
  std::vector<Part> parts_;
  std::optional<RowExchange> exchange_;
  std::uint64_t turn_length_;  // generations between two exchanges, at most the halo
  std::uint64_t exact_ = 0;    // generations until the next exchange
  RepeatedTurns repeated_;
  std::uint64_t since_look_ = 0;                   // generations since the length of a turn was chosen
  TileCounts looked_at_;                           // then
  std::uint64_t cycle_ = 0;                        // generations after which the world repeats; 0: not known
  std::uint64_t quiet_looks_ = 0, next_copy_ = 1;  // looks at a quiet world, and the one that copies it
  std::optional<RowBalance> balance_;
  TileTrace* trace_ = nullptr;
  TileCounts earlier_counts_;  // of boards that were made again
  mutable std::mutex crew_is_used_;
  mutable Crew crew_;
};

}  // namespace moorea
