// SPDX-License-Identifier: MIT
// Ranks whose devices pass rows to each other by themselves, as GPUs do by NCCL.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "boards/rank_board.h"
#include "choose/choose.h"
#include "definition.h"
#include "queue_mail.h"
#include "queued_board.h"
#include "thread_ranks.h"

namespace moorea::test {
namespace {

using Link = std::shared_ptr<RankLink>;

std::unique_ptr<Board> plain_board(const WorldSpec& band) {
  Options options;
  options.kernel = "cpu/bits";
  options.threads = 1;
  return make_board(band, choose(band, options));
}

// What a rank does whose queue passes rows to those of other ranks.
std::vector<std::string> run_linked(const WorldSpec& world, const RankCut& cut, QueueMail& mail,
                                    const std::function<void(RankBoard&, int rank)>& body) {
  using namespace std::chrono_literals;
  return ThreadRanks(static_cast<int>(cut.rows.size())).run([&](const Link& link) {
    const int rank = link->rank();
    RankBoard board(world, cut, link, [&](const WorldSpec& band) {
      return std::make_unique<QueuedBoard>(plain_board(band), 200us, static_cast<std::uint32_t>(rank),
                                           nullptr, &mail, rank);
    });
    body(board, rank);
  });
}

// Two ranks of a torus send each other two messages at once.
TEST(RankBoard, HasLinkedQueues) {
  const Grid start = Grid::random(150, 90, 0.4, 3);
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    const WorldSpec world = {Rule(), topology, 150, 90};
    for (const std::vector<std::int64_t>& rows : {std::vector<std::int64_t>{50, 40}, {40, 20, 30}}) {
      QueueMail mail;
      const auto errors = run_linked(world, {rows, 5, RowTransport::nccl}, mail, [&](RankBoard& board, int) {
        board.load(start, {});
        // More turns than a queue may be ahead
        for (const std::uint64_t generations : {3, 117}) board.advance(generations);
        std::vector<std::uint64_t> populations(12);
        board.advance_counting(12, populations.data());
        for (std::uint64_t i = 0; i < 12; ++i) {
          if (populations[i] != after(start, Rule(), topology, 121 + static_cast<int>(i)).population())
            throw std::runtime_error("another population");
        }
        board.advance_comparing();
        if (board.window(world.box()) != after(start, Rule(), topology, 133))
          throw std::runtime_error("other cells");
        if (board.exchanges().transport != "mail") throw std::runtime_error(board.exchanges().transport);
        if (board.exchanges().number != 27 || board.exchanges().seconds < 0)
          throw std::runtime_error("other exchanges");
      });
      EXPECT_EQ(errors, std::vector<std::string>(rows.size()));
    }
  }
}

TEST(RankBoard, EndsLinkedQueuesWithARank) {
  const WorldSpec world = {Rule(), Topology::torus, 150, 90};
  QueueMail mail;
  const auto errors =
      run_linked(world, {{40, 20, 30}, 5, RowTransport::nccl}, mail, [&](RankBoard& board, int rank) {
        board.load(Grid::random(150, 90, 0.4, 3), {});
        board.advance(20);
        if (rank == 1) throw Error("planned");
        board.advance(1000);
      });
  for (const std::size_t rank : {0, 2}) EXPECT_EQ(errors[rank], "rank 1: planned");
  EXPECT_EQ(errors[1], "planned");
}

// Ranks without such queues, and ranks with the same device.
TEST(RankBoard, RefusesToLinkWhatCannotBe) {
  const WorldSpec world = {Rule(), Topology::torus, 150, 90};
  const RankCut cut = {{50, 40}, 5, RowTransport::nccl};
  QueueMail mail;
  const auto texts = [&](const std::function<BandBoard::Factory(int)>& factory_of) {
    return ThreadRanks(2).run(
        [&](const Link& link) { RankBoard(world, cut, link, factory_of(link->rank())); });
  };
  const auto queued = [&](int device) -> BandBoard::Factory {
    return [&mail, device](const WorldSpec& band) {
      return std::make_unique<QueuedBoard>(plain_board(band), std::chrono::microseconds(1), 1, nullptr, &mail,
                                           device);
    };
  };
  // The other rank's error may arrive first, with its name
  const auto expect_all = [](const std::vector<std::string>& errors, const std::string& reason) {
    for (const std::string& error : errors)
      EXPECT_TRUE(error.ends_with("rows cannot pass between the ranks by NCCL: " + reason)) << error;
  };
  expect_all(texts([&](int rank) { return rank == 0 ? queued(0) : plain_board; }),
             "rank 1 does not compute on one CUDA device");
  expect_all(texts([&](int) { return queued(7); }), "ranks 0 and 1 have the same GPU");
}

}  // namespace
}  // namespace moorea::test
