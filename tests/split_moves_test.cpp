// SPDX-License-Identifier: MIT
// Rows that move between the parts of a divided world.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "boards/instruments.h"
#include "boards/split_board.h"
#include "moorea/error.h"
#include "split_case.h"

namespace moorea::test {
namespace {

TEST(SplitBoard, MovesRowsBetweenItsParts) {
  const WorldSpec world = {Rule(), Topology::torus, 192, 100};
  const Grid start = Grid::random(192, 100, 0.35, 6);
  std::vector<SplitPart> parts = parts_of(world, {30, 30, 40}, {"cpu/bits", "cpu/tiles"});
  // The first part has no memory for more than 50 rows, with its halos of 5
  parts[0].make = [make = parts[0].make](const WorldSpec& band) {
    if (band.height > 60) throw Error("no memory");
    return make(band);
  };
  SplitBoard board(world, 5, parts);
  board.load(start, {});
  const auto rows_of_parts = [&] {
    std::vector<std::int64_t> rows;
    for (const PartFacts& part : board.instruments()->parts()) rows.push_back(part.rows);
    return rows;
  };
  using Rows = std::vector<std::int64_t>;
  int generation = 0;
  for (const Rows& rows : {Rows{30, 30, 40}, {30, 60, 10}, {5, 85, 10}, {50, 5, 45}, {33, 34, 33}}) {
    board.move_rows(rows);
    EXPECT_EQ(rows_of_parts(), rows);
    board.advance(8);
    expect_cells(board, after(start, Rule(), Topology::torus, generation += 8), "moved");
  }
  EXPECT_THROW(board.move_rows(Rows{60, 20, 20}), Error);
  EXPECT_THROW(board.move_rows(Rows{4, 48, 48}), Error);
  EXPECT_THROW(board.move_rows(Rows{50, 50}), Error);
  EXPECT_THROW(board.move_rows(Rows{50, 50, 10}), Error);
  EXPECT_EQ(rows_of_parts(), (Rows{33, 34, 33}));
  board.advance(3);
  expect_cells(board, after(start, Rule(), Topology::torus, generation + 3), "after moves that failed");
  double row_generations = 0;
  for (const PartFacts& part : board.instruments()->parts()) {
    EXPECT_GT(part.busy_seconds, 0);
    row_generations += part.row_generations;
  }
  EXPECT_EQ(row_generations, 100.0 * (generation + 3));
}

// A board that computes slowly: each generation takes a microsecond a row longer.
class Slow final : public Board {
 public:
  explicit Slow(std::unique_ptr<Board> board) : Board(board->world()), board_(std::move(board)) {}
  void load(const Grid& cells, Position at) override { board_->load(cells, at); }
  void write(const ConstGridView& cells, Position at, PasteMode mode) override {
    board_->write(cells, at, mode);
  }
  void read(const Box& box, const GridView& to) const override { board_->read(box, to); }
  void advance(std::uint64_t generations) override {
    std::this_thread::sleep_for(
        std::chrono::microseconds(generations * static_cast<unsigned>(world_.height)));
    board_->advance(generations);
  }
  BoardSummary summary(const SummaryParts& parts, Position origin) const override {
    return board_->summary(parts, origin);
  }

 private:
  std::unique_ptr<Board> board_;
};

TEST(SplitBoard, LetsRowsMoveToTheFastPart) {
  const WorldSpec world = {Rule(), Topology::torus, 192, 400};
  const Grid start = Grid::random(192, 400, 0.35, 6);
  std::vector<SplitPart> parts = parts_of(world, {200, 200}, {"cpu/bits"});
  parts[1].make = [make = parts[1].make](const WorldSpec& band) {
    return std::make_unique<Slow>(make(band));
  };
  SplitBoard board(world, 8, parts);
  board.load(start, {});
  board.let_rows_move();
  int generation = 0;
  // A move takes a millisecond or two, and a generation 0.2 ms: 100 to 200 generations until it is worth
  // while
  while (board.instruments()->parts()[1].rows >= 200 && generation < 5000) {
    board.advance(50);
    generation += 50;
  }
  EXPECT_LT(board.instruments()->parts()[1].rows, 100);
  EXPECT_GT(board.instruments()->parts()[0].idle_seconds, board.instruments()->parts()[1].idle_seconds);
  expect_cells(board, after(start, Rule(), Topology::torus, generation), "after a move");
}

}  // namespace
}  // namespace moorea::test
