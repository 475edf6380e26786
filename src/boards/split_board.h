// SPDX-License-Identifier: MIT
// A world partitioned by rows into parts, each a board of its own, on any device. Every `halo` generations
// adjacent parts exchange the rows at their border; in between they advance without each other.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "boards/band_board.h"
#include "boards/instruments.h"
#include "devices/cpu/threads.h"

namespace moorea {

struct SplitPart {
  std::int64_t rows = 0;
  BandBoard::Factory make;  ///< makes the part's board, with the halo rows that it needs
};

/// Rows of each part of a world of `height` rows: at least one, in proportion to `shares` as far as whole
/// rows allow. Throws Error (unavailable) if there are fewer rows than shares.
std::vector<std::int64_t> divide_rows(std::int64_t height, std::span<const double> shares);

/// Each part advances on a thread of its own, which may start a team. A part's error ends the others' pass
/// and is thrown afterwards; the cells are undefined then.
class SplitBoard final : public Board, private BoardInstruments {
 public:
  /// Two parts or more, from top to bottom. Throws Error (usage) unless they fill the world and each has at
  /// least `halo` rows, which are exchanged at once.
  SplitBoard(const WorldSpec& world, std::int64_t halo, std::span<const SplitPart> parts);

  void load(const Grid& cells, Position at) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void read(const Box& box, const GridView& to) const override;
  void advance(std::uint64_t generations) override;
  std::uint64_t advance_comparing() override;
  BoardSummary summary(const SummaryParts& parts, Position origin) const override;
  std::vector<std::uint32_t> density(const Raster& raster) const override;
  std::uint64_t bytes_moved() const override;
  BoardInstruments* instruments() override { return this; }

 private:
  struct Part {
    std::unique_ptr<BandBoard> board;
    std::int64_t y = 0;  // of its first row

    Box rows() const { return board->world().box().translated({0, y}); }
  };

  // Outermost rows of a part, for its neighbours. Two pairs take turns, so that a part writes one while its
  // neighbours still read the other.
  struct Border {
    Grid first, last;
  };

  TileCounts tile_counts() const override;
  void exchange(std::size_t part, std::uint64_t turn, std::exception_ptr& error);
  void advance_all(std::uint64_t generations);
  void advance_part(std::size_t part, std::uint64_t generations);

  // Calls body(part) for each part on its thread and throws what the first failed one threw.
  template <class Body>
  void for_each_part(const Body& body) const;

  std::int64_t halo_;
  std::vector<Part> parts_;
  std::vector<std::array<Border, 2>> borders_;
  std::uint64_t exact_ = 0;  // generations until the next exchange
  std::uint64_t turn_ = 0;   // exchanges so far
  Phases phases_;
  mutable std::mutex crew_is_used_;
  mutable Crew crew_;
};

}  // namespace moorea
