// SPDX-License-Identifier: MIT
// Parts of a world whose boards have queues, as on GPUs: rows pass between queues without the threads
// waiting, and between queues and boards without one.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "boards/split_board.h"
#include "boards/tile_trace.h"
#include "family_rules.h"
#include "queued_board.h"
#include "split_case.h"

namespace moorea::test {
namespace {

using namespace std::chrono_literals;

// Parts of which those in `queued` have queues.
std::vector<SplitPart> queued_parts(const WorldSpec& world, const std::vector<std::int64_t>& heights,
                                    unsigned queued, std::uint32_t seed,
                                    const std::vector<std::string>& kernels = {"cpu/bits", "cpu/strided",
                                                                               "cpu/tiles"}) {
  std::vector<SplitPart> parts = parts_of(world, heights, kernels);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if ((queued >> i & 1) == 0) continue;
    parts[i].make = [make = parts[i].make,
                     seed = seed + static_cast<std::uint32_t>(i)](const WorldSpec& band) {
      return std::make_unique<QueuedBoard>(make(band), 200us, seed);
    };
  }
  return parts;
}

TEST(SplitQueues, EqualOneBoard) {
  std::mt19937 random(20261124);
  const auto number = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  for (std::uint32_t i = 0; i < 60; ++i) {
    const WorldSpec world = {Rule(), i % 2 == 0 ? Topology::torus : Topology::plane, number(1, 200),
                             number(16, 100)};
    std::vector<double> shares(static_cast<std::size_t>(number(2, 4)));
    for (double& share : shares) share = static_cast<double>(number(3, 9));
    const std::vector<std::int64_t> heights = divide_rows(world.height, shares);
    const std::int64_t halo = number(1, std::ranges::min(heights));
    const auto queued = static_cast<unsigned>(number(1, (1 << shares.size()) - 1));
    const Grid start = Grid::random(world.width, world.height, 0.4, i);
    SplitBoard board(world, halo, queued_parts(world, heights, queued, 10 * i));
    board.load(start, {});
    std::uint64_t generations = 0;
    for (int call = 0; call < 3; ++call) {
      const auto more = static_cast<std::uint64_t>(number(1, 4 * halo + 40));
      board.advance(more);
      generations += more;
    }
    if (number(0, 1) == 0) {
      board.advance_comparing();
      ++generations;
    }
    board.advance(static_cast<std::uint64_t>(halo));
    generations += static_cast<std::uint64_t>(halo);
    ASSERT_EQ(board.window(world.box()), after(start, Rule(), world.topology, static_cast<int>(generations)))
        << to_string(world.topology) << ", " << world.width << " x " << world.height << ", halo " << halo
        << ", queues " << queued << ", case " << i;
  }
}

TEST(SplitQueues, EqualOneBoardUnderOtherRules) {
  std::mt19937 random(20261126);
  const auto number = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  for (const Rule& rule : rules_of_families()) {
    const RowUnits units = RowUnits::of(rule);
    for (std::uint32_t i = 0; i < 4; ++i) {
      const WorldSpec world = {rule, i % 2 == 0 ? Topology::torus : Topology::plane, number(20, 200),
                               2 * number(20 + 10 * units.reach, 40 + 20 * units.reach)};
      std::vector<double> shares(static_cast<std::size_t>(number(2, 4)));
      for (double& share : shares) share = static_cast<double>(number(3, 6));
      const std::vector<std::int64_t> heights = divide_rows(world.height, shares, units);
      const std::int64_t halo = units.halo_for(number(1, std::ranges::min(heights) / units.reach));
      const auto queued = static_cast<unsigned>(number(1, (1 << shares.size()) - 1));
      SplitBoard board(world, halo, queued_parts(world, heights, queued, 10 * i, {""}));
      const std::unique_ptr<Board> whole = boards_of("", world)(world);
      const Cells start = Cells::random(world.width, world.height, 0.4, i, rule.states());
      board.load_states(start, {});
      whole->load_states(start, {});
      for (int call = 0; call < 3; ++call) {
        const auto generations = static_cast<std::uint64_t>(number(1, 3 * halo / units.reach + 9));
        board.advance(generations);
        whole->advance(generations);
        ASSERT_EQ(board.states(world.box()), whole->states(world.box()))
            << rule.str() << ", " << to_string(world.topology) << ", " << world.width << " x " << world.height
            << ", halo " << halo << ", queues " << queued << ", case " << i;
      }
    }
  }
}

TEST(SplitQueues, MeasureTheirParts) {
  const WorldSpec world = {Rule(), Topology::torus, 64, 60};
  for (const unsigned queued : {0U, 1U, 3U}) {
    SplitBoard board(world, 4, queued_parts(world, {30, 30}, queued, 1));
    TileTrace trace;
    trace.prepare(2);
    board.load(Grid::random(64, 60, 0.4, 1), {});
    board.instruments()->record(&trace);
    const auto begin = std::chrono::steady_clock::now();
    board.advance(100);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (const PartFacts& part : board.instruments()->parts()) {
      EXPECT_EQ(part.row_generations, 3000);
      EXPECT_GT(part.busy_seconds, 0);
      EXPECT_GE(part.idle_seconds, 0);
      EXPECT_LE(part.busy_seconds + part.idle_seconds, seconds);
    }
    std::vector<std::uint64_t> periods(2);
    std::vector<double> begins(2, 1e9), ends(2, 0);
    for (const TileEvent& event : trace.take()) {
      const auto part = static_cast<std::size_t>(event.thread);
      EXPECT_EQ(event.generation, 4 * periods[part]++);
      EXPECT_GE(event.begin, ends[part]);
      EXPECT_GE(event.end, event.begin);
      begins[part] = std::min(begins[part], event.begin);
      ends[part] = event.end;
    }
    // From its first period to its last one, a part is busy or waits
    for (std::size_t i = 0; i < 2; ++i) {
      const PartFacts part = board.instruments()->parts()[i];
      EXPECT_GE(part.busy_seconds + part.idle_seconds, 0.999 * (ends[i] - begins[i]));
    }
    EXPECT_EQ(periods, (std::vector<std::uint64_t>{25, 25})) << "queues " << queued;
  }
}

TEST(SplitQueues, PassRowsThroughMemoryThatBothReach) {
  const WorldSpec world = {Rule(), Topology::torus, 64, 60};
  SplitBoard board(world, 4, queued_parts(world, {15, 15, 15, 15}, 0b0011, 1));
  std::vector<RowPath> paths;
  for (const PartFacts& part : board.instruments()->parts()) paths.push_back(part.path_below.value());
  EXPECT_EQ(paths, (std::vector<RowPath>{RowPath::peer, RowPath::page_locked, RowPath::main_memory,
                                         RowPath::page_locked}));
}

}  // namespace
}  // namespace moorea::test
