// SPDX-License-Identifier: MIT
// A world that is divided by rows among ranks equals the whole, whatever the cut, and an error of one rank
// ends all.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "boards/rank_board.h"
#include "boards/row_balance.h"
#include "choose/choose.h"
#include "definition.h"
#include "expect_cells.h"
#include "moorea/mpi_session.h"
#include "moorea/ranks.h"
#include "queued_board.h"
#include "thread_ranks.h"

namespace moorea::test {
namespace {

using Link = std::shared_ptr<RankLink>;

BandBoard::Factory boards_with(const std::string& kernel, const std::string& device = "auto") {
  return [=](const WorldSpec& band) {
    Options options;
    options.kernel = kernel;
    options.device = device;
    options.threads = 1;
    return make_board(band, choose(band, options));
  };
}

void expect_no_error(const std::vector<std::string>& errors, const std::string& what) {
  for (std::size_t rank = 0; rank < errors.size(); ++rank)
    ASSERT_EQ(errors[rank], "") << "rank " << rank << ", " << what;
}

// Compares every answer of a board on one rank with the definition's cells. Threads cannot use ASSERT_*.
void require_cells(const RankBoard& board, const Grid& expected, const std::string& what) {
  const auto require = [&](bool is_equal, const char* fact) {
    if (!is_equal) throw std::runtime_error(what + ": another " + fact);
  };
  require(board.window(board.world().box()) == expected, "world");
  require(board.read_own(board.own().y, board.own().height) == expected.crop(board.own()), "part");
  const BoardSummary summary = board.summary(everything, {7, -3});
  require(summary.population == expected.population(), "population");
  require(summary.hash == expected.hash({7, -3}), "hash");
  require(summary.bounding_box == expected.bounding_box(), "bounding box");
  require(board.density(crossing_raster) == squares_of(expected), "density");
  const Box window = {-9, -4, 90, 75};
  require(board.window(window) == expected.crop(window), "window");
}

// Bits 0 to 8 are births, 9 to 17 survivals.
Rule rule_of(std::int64_t bits) {
  std::string text = "B";
  for (int n = 0; n < 18; ++n) {
    if (n == 9) text += "/S";
    if ((bits >> n & 1) != 0) text += std::to_string(n % 9);
  }
  return Rule::parse(text);
}

TEST(RankBoard, EqualsOneBoardInRandomWorlds) {
  const std::int64_t cases = std::getenv("MOOREA_TEST_ALL") != nullptr ? 10'000 : 120;
  std::mt19937 random(20261124);
  const auto number = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  const std::vector<std::string> kernels = {"cpu/bits", "cpu/strided", "cpu/tiles",
                                            "cpu/ladder/13_bits_temporal"};
  for (std::int64_t i = 0; i < cases; ++i) {
    const Rule rule = number(0, 1) == 0 ? Rule() : rule_of(number(0, (1 << 18) - 1));
    const WorldSpec world = {rule, number(0, 1) == 0 ? Topology::torus : Topology::plane, number(1, 300),
                             number(1, 200)};
    std::vector<double> shares(static_cast<std::size_t>(number(1, std::min<std::int64_t>(world.height, 6))));
    for (double& share : shares) share = static_cast<double>(number(1, 20));
    RankCut cut = {divide_rows(world.height, shares), 1};
    cut.halo = number(1, std::ranges::min(cut.rows));
    std::vector<std::string> chosen;
    for (std::size_t k = 0; k < shares.size(); ++k)
      chosen.push_back(kernels[static_cast<std::size_t>(number(0, std::ssize(kernels) - 1))]);
    const Grid start = Grid::random(world.width, world.height, number(0, 2) == 0 ? 0.02 : 0.4,
                                    static_cast<std::uint64_t>(i));
    const auto generations = static_cast<std::uint64_t>(number(1, 3 * cut.halo + 9));
    const Grid end = after(start, rule, world.topology, static_cast<int>(generations));
    const std::string what = rule.str() + ", " + std::string(to_string(world.topology)) + ", " +
                             std::to_string(world.width) + " x " + std::to_string(world.height) + ", " +
                             std::to_string(shares.size()) + " ranks, halo " + std::to_string(cut.halo) +
                             ", " + std::to_string(generations) + " generations, case " + std::to_string(i);
    const auto errors = ThreadRanks(static_cast<int>(shares.size())).run([&](const Link& link) {
      RankBoard board(world, cut, link, boards_with(chosen[static_cast<std::size_t>(link->rank())]));
      board.load_own([&](std::int64_t top, std::int64_t rows) {
        return start.crop({0, top, world.width, rows});
      });
      board.advance(generations / 3);
      board.advance(generations - generations / 3);
      require_cells(board, end, what);
    });
    expect_no_error(errors, what);
    if (HasFatalFailure()) return;
  }
}

// Each rank's part is itself divided between two devices.
TEST(RankBoard, HasPartsOnSeveralDevices) {
  const WorldSpec world = {Rule(), Topology::torus, 150, 90};
  const Grid start = Grid::random(150, 90, 0.4, 3);
  const auto errors = ThreadRanks(3).run([&](const Link& link) {
    RankBoard board(world, {{40, 20, 30}, 5}, link, boards_with("", "cpu,cpu"));
    board.load(start, {});
    board.advance(33);
    // 7 times 5 rows of 3 words to each neighbour
    if (board.exchanges().number != 7 || board.exchanges().bytes != 7 * 2 * 5 * 3 * 8)
      throw std::runtime_error("other exchanges");
    require_cells(board, after(start, Rule(), Topology::torus, 33), "divided parts");
  });
  expect_no_error(errors, "divided parts");
}

// Rows lie in memory of the part's device if messages reach it, and in the machine's if not.
TEST(RankBoard, HasPartsWithQueues) {
  using namespace std::chrono_literals;
  const WorldSpec world = {Rule(), Topology::torus, 150, 90};
  const Grid start = Grid::random(150, 90, 0.4, 3);
  for (const bool reaches_gpus : {false, true}) {
    std::atomic<int> boxes_of_queues = 0;
    const BandBoard::Factory queued = [&](const WorldSpec& band) {
      return std::make_unique<QueuedBoard>(boards_with("cpu/bits")(band), 200us, 1, &boxes_of_queues);
    };
    const auto errors = ThreadRanks(3, reaches_gpus).run([&](const Link& link) {
      RankBoard board(world, {{40, 20, 30}, 5}, link, queued);
      board.load(start, {});
      for (const std::uint64_t generations : {3, 17, 13}) board.advance(generations);
      require_cells(board, after(start, Rule(), Topology::torus, 33), "parts with queues");
    });
    expect_no_error(errors, "parts with queues");
    EXPECT_EQ(boxes_of_queues, reaches_gpus ? 3 * 4 : 0);
  }
}

// Few cells at the border of two ranks, where an exchange that is late by a generation or a row shows.
TEST(RankBoard, HasGlidersThatCrossItsBorders) {
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    const WorldSpec world = {Rule(), topology, 70, 60};
    Grid start(70, 60);
    for (const std::int64_t border : {0, 20, 35, 60}) {
      for (const Position& cell : {Position{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}) {
        const std::int64_t above = border - 4 + cell.y, below = border + 3 - cell.y;
        if (above >= 0) start.set(10 + cell.x, above);
        if (below >= 0 && below < 60) start.set(40 + cell.x, below);
      }
    }
    for (const std::int64_t halo : {1, 4, 15}) {
      for (const std::uint64_t generations : {1, 3, 17, 60}) {
        const Grid end = after(start, Rule(), topology, static_cast<int>(generations));
        const auto errors = ThreadRanks(3).run([&](const Link& link) {
          RankBoard board(world, {{20, 15, 25}, halo}, link, boards_with("cpu/strided"));
          board.load(start, {});
          board.advance(generations);
          require_cells(board, end, "gliders");
        });
        expect_no_error(errors, "halo " + std::to_string(halo));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(RankBoard, IsEditedAndCounted) {
  const WorldSpec world = {Rule(), Topology::torus, 100, 50};
  const Grid start = Grid::random(100, 50, 0.3, 4);
  const auto errors = ThreadRanks(4).run([&](const Link& link) {
    RankBoard board(world, {{10, 15, 5, 20}, 4}, link, boards_with("cpu/bits"));
    Grid expected = start;
    board.load(start, {});
    for (const std::int64_t y : {-2, 8, 23, 29, 48}) {
      const Grid patch = Grid::random(21, 5, 0.5, static_cast<std::uint64_t>(y + 9));
      board.advance(3);
      expected = after(expected, Rule(), Topology::torus, 3);
      board.write(patch, {50, y}, PasteMode::bitwise_xor);
      expected.paste(patch, {50, y}, PasteMode::bitwise_xor);
      require_cells(board, expected, "edited at row " + std::to_string(y));
    }
    std::vector<std::uint64_t> counts(11);
    board.advance_counting(counts.size(), counts.data());
    for (const std::uint64_t count : counts) {
      expected = after(expected, Rule(), Topology::torus, 1);
      if (count != expected.population()) throw std::runtime_error("another count");
    }
    Grid changed = after(expected, Rule(), Topology::torus, 1);
    changed.paste(expected, {}, PasteMode::bitwise_xor);
    if (board.advance_comparing() != changed.population()) throw std::runtime_error("other changes");
  });
  expect_no_error(errors, "edits");
}

TEST(RankBoard, RefusesCutsThatDoNotFit) {
  const WorldSpec world = {Rule(), Topology::torus, 64, 20};
  const auto text_of = [&](const RankCut& cut) {
    return ThreadRanks(2).run(
        [&](const Link& link) { RankBoard(world, cut, link, boards_with("cpu/bits")); })[0];
  };
  EXPECT_EQ(text_of({{15, 5}, 5}), "");
  EXPECT_EQ(text_of({{15, 5}, 6}),
            "part 2 of a divided world has 5 rows: with a halo of 6 rows it needs at least 6");
  EXPECT_EQ(text_of({{20}, 2}), "1 parts for 2 ranks: expected one for each");
  EXPECT_EQ(text_of({{15, 4}, 2}), "parts of 19 rows do not fill a world of 20 rows");
}

// A rank whose rows cannot be made ends the others, which wait for it.
TEST(RankBoard, PassesOnTheErrorOfARank) {
  const WorldSpec world = {Rule(), Topology::torus, 64, 60};
  const auto errors = ThreadRanks(4).run([&](const Link& link) {
    RankBoard board(world, {{15, 15, 15, 15}, 4}, link, boards_with("cpu/bits"));
    board.load_own([&](std::int64_t, std::int64_t rows) {
      if (link->rank() == 2) throw Error("the file ends too early");
      return Grid(64, rows);
    });
    board.advance(100);
  });
  for (const int rank : {0, 1, 3})
    EXPECT_EQ(errors[static_cast<std::size_t>(rank)], "rank 2: the file ends too early");
  EXPECT_EQ(errors[2], "the file ends too early");
}

// Ranks whose clocks and signals differ stop at the same generation.
TEST(RankSimulation, StopsAtOneGeneration) {
  RankedWorld world;
  world.spec = {Rule(), Topology::torus, 128, 96};
  world.generation = 5;
  world.start = [](std::int64_t top, std::int64_t rows) { return noise_rows({128, rows}, top, 0.4, 8); };
  world.shares = {1, 3, 2};
  const Grid start = Grid::random(128, 96, 0.4, 8);
  std::vector<std::uint64_t> generations(3);
  const auto errors = ThreadRanks(3).run([&](const Link& link) {
    Options options;
    options.threads = 1;
    Simulation simulation = simulate_ranks(world, link, options);
    int calls = 0;
    simulation.step(100'000'000, [&] { return link->rank() != 1 || ++calls < 5; });
    generations[static_cast<std::size_t>(link->rank())] = simulation.generation();
    if (rows_of_rank(simulation) != Box{0,
                                        link->rank() == 0   ? 0
                                        : link->rank() == 1 ? 16
                                                            : 64,
                                        128,
                                        link->rank() == 0   ? 16
                                        : link->rank() == 1 ? 48
                                                            : 32})
      throw std::runtime_error("other rows");
    Simulation one(Rule(), Topology::torus, start);
    one.step(simulation.generation() - 5);
    if (simulation.hash() != one.hash()) throw std::runtime_error("another hash");
    const std::vector<std::uint64_t> counts = simulation.step_counting(3, [] { return true; });
    if (counts != one.step_counting(3)) throw std::runtime_error("other populations");
    if (simulation.snapshot(true).cells != one.snapshot(true).cells)
      throw std::runtime_error("another snapshot");
  });
  expect_no_error(errors, "stopped by rank 1");
  EXPECT_GT(generations[0], 5U);
  EXPECT_EQ(generations, std::vector<std::uint64_t>(3, generations[0]));
}

TEST(RankSimulation, RefusesWorldsThatCannotBeDivided) {
  const auto text_of = [&](const WorldSpec& spec, const std::vector<double>& shares = {}) {
    return ThreadRanks(3).run([&](const Link& link) {
      RankedWorld world;
      world.spec = spec;
      world.start = [&](std::int64_t, std::int64_t rows) { return Grid(spec.width, rows); };
      world.shares = shares;
      simulate_ranks(world, link);
    })[0];
  };
  EXPECT_EQ(text_of({Rule(), Topology::torus, 10, 3}), "");
  EXPECT_EQ(text_of({Rule(), Topology::torus, 10, 2}),
            "a world of 2 rows cannot be divided among 3 ranks: start at most 2");
  EXPECT_NE(text_of({Rule()}).find("an unbounded plane cannot be divided among ranks"), std::string::npos);
  EXPECT_NE(text_of(WorldSpec::on(Rule(), Mesh::make("torus:8x8"), Adjacency::vertex)).find("a surface"),
            std::string::npos);
  EXPECT_EQ(text_of({Rule::parse("/2/3"), Topology::torus, 10, 9}),
            "a world that is divided among ranks needs a rule of two states, such as B3/S23; /2/3 has 3");
  EXPECT_EQ(text_of({Rule(), Topology::torus, 10, 9}, {1, 2}), "2 shares for 3 ranks: expected one for each");
}

TEST(Ranks, ReduceValues) {
  for (int size = 1; size <= 17; ++size) {
    const auto errors = ThreadRanks(size).run([&](const Link& link) {
      const auto rank = static_cast<std::uint64_t>(link->rank()), number = static_cast<std::uint64_t>(size);
      std::uint64_t values[] = {rank, 1};
      sum_ranks(*link, values);
      if (values[0] != number * (number - 1) / 2 || values[1] != number) throw std::runtime_error("sum");
      if (max_of_ranks(*link, rank * 3) != 3 * (number - 1)) throw std::runtime_error("maximum");
      if (min_of_ranks(*link, rank + 2) != 2) throw std::runtime_error("minimum");
      wait_for_ranks(*link);
    });
    expect_no_error(errors, std::to_string(size) + " ranks");
  }
}

TEST(Ranks, ExchangeWholePasses) {
  EXPECT_EQ(halo_of_ranks(16384, 32, false), 64);  // 0.8 % of the rows twice
  EXPECT_EQ(halo_of_ranks(4096, 32, false), 32);   // 1.6 %, as passes of 16 generations would take longer
  EXPECT_EQ(halo_of_ranks(100'000, 6, true), 126);
  EXPECT_EQ(halo_of_ranks(4096, 6, true), 60);
  EXPECT_EQ(halo_of_ranks(100, 32, false), 4);
  EXPECT_EQ(halo_of_ranks(3, 32, false), 3);
}

// Ranks with the same CPUs divide them; one that was bound to others keeps them.
TEST(Ranks, DivideTheCpusOfAMachine) {
  cpu_set_t all;
  CPU_ZERO(&all);
  sched_getaffinity(0, sizeof all, &all);
  const int cpus = CPU_COUNT(&all);
  for (const int size : {1, 2, cpus, cpus + 1}) {
    std::vector<cpu_set_t> sets(static_cast<std::size_t>(size));
    std::vector<int> threads(static_cast<std::size_t>(size));
    const auto errors = ThreadRanks(size).run([&](const Link& link) {
      const auto rank = static_cast<std::size_t>(link->rank());
      threads[rank] = bind_to_share(*link);
      sched_getaffinity(0, sizeof sets[rank], &sets[rank]);
    });
    expect_no_error(errors, "division");
    cpu_set_t sum;
    CPU_ZERO(&sum);
    int number = 0;
    for (std::size_t rank = 0; rank < sets.size(); ++rank) {
      CPU_OR(&sum, &sum, &sets[rank]);
      number += CPU_COUNT(&sets[rank]);
      if (size == 1) {
        EXPECT_EQ(threads[rank], 0);
      } else {
        EXPECT_LE(threads[rank], CPU_COUNT(&sets[rank]));
        EXPECT_GE(threads[rank], std::getenv("OMP_NUM_THREADS") != nullptr ? 0 : 1);
      }
    }
    EXPECT_TRUE(CPU_EQUAL(&sum, &all)) << size << " ranks leave CPUs out";
    if (size <= cpus) {
      EXPECT_EQ(number, cpus) << size << " ranks share CPUs";
    }
  }
  if (cpus < 2) return;
  const auto errors = ThreadRanks(2).run([&](const Link& link) {
    cpu_set_t bound;
    CPU_ZERO(&bound);
    int seen = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &all) && seen++ % 2 == link->rank()) CPU_SET(cpu, &bound);
    sched_setaffinity(0, sizeof bound, &bound);
    cpu_set_t kept;
    const int share = bind_to_share(*link);
    sched_getaffinity(0, sizeof kept, &kept);
    if (share != 0 || !CPU_EQUAL(&kept, &bound)) throw std::runtime_error("bound once more");
  });
  expect_no_error(errors, "bound ranks");
}

TEST(Ranks, MakeTheRowsOfTheWholeWorld) {
  const Grid noise = Grid::random(130, 50, 0.3, 9);
  EXPECT_EQ(noise_rows({130, 17}, 21, 0.3, 9), noise.crop({0, 21, 130, 17}));
  Pattern pattern;
  pattern.cells = Grid::random(20, 30, 0.5, 1);
  for (const std::optional<Position>& position : {std::optional<Position>(), {{-40, -10}}}) {
    pattern.position = position;
    const Grid whole = place(pattern, 130, 50);
    for (const std::int64_t top : {0, 8, 25, 45})
      EXPECT_EQ(place_rows(pattern, {130, 50}, top, 5), whole.crop({0, top, 130, 5}));
  }
}

}  // namespace
}  // namespace moorea::test
