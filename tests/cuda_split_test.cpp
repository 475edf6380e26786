// SPDX-License-Identifier: MIT
// Worlds divided among all GPUs of the machine, each of which has a part or several, and the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "boards/rank_board.h"
#include "boards/split_board.h"
#include "choose/choose.h"
#include "devices/cuda.h"
#include "family_rules.h"
#include "split_case.h"
#include "thread_ranks.h"

namespace moorea::test {
namespace {

SplitPart part_on(const std::string& device, const std::string& kernel, const WorldSpec& world,
                  std::int64_t rows) {
  Options options;
  options.device = device;
  options.kernel = kernel;
  options.threads = 2;
  return {rows,
          [choice = choose(world, options)](const WorldSpec& band) { return make_board(band, choice); }};
}

// Batches of cases, which tools/gpu_check runs at the same time.
class GpuPartsBatch : public testing::TestWithParam<std::int64_t> {};
constexpr std::int64_t batches = 20;
INSTANTIATE_TEST_SUITE_P(All, GpuPartsBatch, testing::Range<std::int64_t>(0, batches));

TEST_P(GpuPartsBatch, EqualsOneBoard) {
  if (const char* const reason = cuda_unavailable_reason()) GTEST_SKIP() << reason;
  const std::vector<DeviceInfo> gpus = list_gpus();
  const std::int64_t cases = (std::getenv("MOOREA_TEST_ALL") != nullptr ? 1000 : 100) / batches;
  std::mt19937 random(static_cast<unsigned>(20261123 + GetParam()));
  const auto number = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  const std::vector<std::string> kernels = {"cuda/strided", "cuda/bits", "cuda/strided_lazy", ""};
  for (std::int64_t i = 0; i < cases; ++i) {
    const WorldSpec world = {Rule::parse(number(0, 2) == 0 ? "B36/S23" : "B3/S23"),
                             number(0, 1) == 0 ? Topology::torus : Topology::plane,
                             number(0, 3) == 0 ? 1024 * number(1, 2) : 32 * number(4, 40), number(40, 700)};
    std::vector<double> shares(static_cast<std::size_t>(number(2, 4)));
    for (double& share : shares) share = static_cast<double>(number(2, 9));
    const std::vector<std::int64_t> heights = divide_rows(world.height, shares);
    const std::int64_t halo = number(1, std::min<std::int64_t>(std::ranges::min(heights), 40));
    std::string text;
    std::vector<SplitPart> parts;
    for (std::size_t k = 0; k < heights.size(); ++k) {
      // The GPUs in turn; one part in six is on the CPU
      const bool is_cpu = number(0, 5) == 0;
      const std::string device = is_cpu ? "cpu" : gpus[(k + static_cast<std::size_t>(i)) % gpus.size()].name;
      const std::string kernel = is_cpu ? "" : kernels[static_cast<std::size_t>(number(0, 3))];
      parts.push_back(part_on(device, kernel, world, heights[k]));
      text += device + " " + kernel + " " + std::to_string(heights[k]) + ", ";
    }
    const Grid start = Grid::random(world.width, world.height, number(0, 2) == 0 ? 0.03 : 0.4,
                                    static_cast<std::uint64_t>(i));
    SplitBoard board(world, halo, parts);
    board.load(start, {});
    int generations = 0;
    for (int call = 0; call < 2; ++call) {
      const auto more = static_cast<int>(number(1, 5 * halo));
      board.advance(static_cast<std::uint64_t>(more));
      generations += more;
    }
    ASSERT_EQ(board.window(world.box()), after(start, world.rule, world.topology, generations))
        << text << world.rule.str() << ", " << to_string(world.topology) << ", width " << world.width
        << ", halo " << halo << ", " << generations << " generations, case " << i;
  }
}

// A glider in one of its phases twelve rows before the border of two parts, which it crosses downwards, or
// upwards in the mirrored world.
Grid glider_at_border(const WorldSpec& world, int phase, bool is_down) {
  Grid down(world.width, world.height), up(world.width, world.height);
  down.paste(parse_pattern("x = 3, y = 3\nbo$2bo$3o!", "glider").cells, {30, world.height / 2 - 12});
  down = after(down, world.rule, world.topology, phase);
  if (is_down) return down;
  for (std::int64_t y = 0; y < world.height; ++y)
    std::copy_n(down.row(y), down.words_per_row(), up.row(world.height - 1 - y));
  return up;
}

TEST(GpuParts, LetAGliderCross) {
  if (const char* const reason = cuda_unavailable_reason()) GTEST_SKIP() << reason;
  const std::vector<DeviceInfo> gpus = list_gpus();
  const WorldSpec world = {Rule(), Topology::plane, 288, 160};
  for (const std::string kernel : {"cuda/strided", "cuda/bits", "cuda/strided_lazy"}) {
    const std::vector<SplitPart> parts = {part_on(gpus.front().name, kernel, world, 80),
                                          part_on(gpus.back().name, kernel, world, 80)};
    for (const std::int64_t halo : {1, 5, 12, 40}) {
      for (int way = 0; way < 8; ++way) {
        const Grid start = glider_at_border(world, way / 2, way % 2 == 0);
        SplitBoard board(world, halo, parts);
        board.load(start, {});
        board.advance(31);
        board.advance(50);
        EXPECT_EQ(board.window(world.box()), after(start, world.rule, world.topology, 81))
            << kernel << ", halo " << halo << ", way " << way;
      }
    }
  }
}

// Parts on the first and the last GPU, and one on the CPU between them.
TEST(GpuParts, HaveWorldsOfAllFamilies) {
  if (const char* const reason = cuda_unavailable_reason()) GTEST_SKIP() << reason;
  const std::vector<DeviceInfo> gpus = list_gpus();
  for (const Rule& rule : rules_of_families()) {
    for (const Topology topology : {Topology::torus, Topology::plane}) {
      const WorldSpec world = {rule, topology, topology == Topology::torus ? 1024 : 320, 300};
      const RowUnits units = RowUnits::of(rule);
      for (const std::int64_t generations : {1, 5, 8}) {
        const std::vector<SplitPart> parts = {part_on(gpus.front().name, "", world, 90),
                                              part_on("cpu", "", world, 110),
                                              part_on(gpus.back().name, "", world, 100)};
        SplitBoard board(world, units.halo_for(generations), parts);
        const std::unique_ptr<Board> whole = boards_of("", world)(world);
        const Cells start = Cells::random(world.width, world.height, 0.4,
                                          static_cast<std::uint64_t>(generations), rule.states());
        for (Board* each : {static_cast<Board*>(&board), whole.get()}) each->load_states(start, {});
        for (const std::uint64_t more : {11, 20}) {
          board.advance(more);
          whole->advance(more);
          ASSERT_EQ(board.states(world.box()), whole->states(world.box()))
              << rule.str() << " on a " << to_string(topology) << ", halo for " << generations;
        }
        const SummaryParts everything = {true, true, true};
        EXPECT_EQ(board.summary(everything, {}).hash, whole->summary(everything, {}).hash) << rule.str();
        EXPECT_EQ(board.population(), whole->population()) << rule.str();
      }
    }
  }
}

TEST(GpuParts, PassRowsWithoutTheCpu) {
  if (const char* const reason = cuda_unavailable_reason()) GTEST_SKIP() << reason;
  const std::vector<DeviceInfo> gpus = list_gpus();
  Options options;
  options.device = gpus.front().name + "," + gpus.back().name + ",cpu";
  Simulation simulation(Rule(), Topology::torus, Grid::random(256, 300, 0.4, 1), options);
  simulation.step(100);
  const std::vector<PartState> parts = simulation.parts();
  if (gpus.size() == 1) {
    EXPECT_EQ(parts[0].path, "device memory");
  } else {
    EXPECT_TRUE(parts[0].path == "peer memory" || parts[0].path == "page-locked memory") << parts[0].path;
  }
  EXPECT_EQ(parts[1].path, "page-locked memory");
  EXPECT_EQ(parts[2].path, "page-locked memory");
  for (const PartState& part : parts) {
    EXPECT_GT(part.busy_seconds, 0) << part.device;
    EXPECT_GE(part.idle_seconds, 0) << part.device;
  }
}

// Ranks as threads, each with a part on a GPU, from which messages take the rows.
TEST(GpuParts, AreThoseOfRanks) {
  if (const char* const reason = cuda_unavailable_reason()) GTEST_SKIP() << reason;
  const std::vector<DeviceInfo> gpus = list_gpus();
  const WorldSpec world = {Rule(), Topology::torus, 320, 300};
  const Grid start = Grid::random(world.width, world.height, 0.4, 3);
  const Grid end = after(start, world.rule, world.topology, 100);
  const auto errors = ThreadRanks(3).run([&](const std::shared_ptr<RankLink>& link) {
    const std::string device = gpus[static_cast<std::size_t>(link->rank()) % gpus.size()].name;
    RankBoard board(world, {{110, 100, 90}, 24}, link, part_on(device, "", world, 0).make);
    board.load(start, {});
    board.advance(30);
    board.advance(70);
    if (board.window(world.box()) != end) throw std::runtime_error("the cells differ");
  });
  EXPECT_EQ(errors, std::vector<std::string>(3));
}

// Cells of a world that is divided among ranks, each on a GPU of its own, after two calls.
std::vector<std::string> run_by_nccl(const WorldSpec& world, const RankCut& cut, std::uint64_t seed,
                                     const std::vector<DeviceInfo>& gpus, bool fails) {
  const Grid start = Grid::random(world.width, world.height, 0.4, seed);
  const Grid end = after(start, world.rule, world.topology, 100);
  return ThreadRanks(static_cast<int>(gpus.size())).run([&](const std::shared_ptr<RankLink>& link) {
    const std::string device = gpus[static_cast<std::size_t>(link->rank())].name;
    RankBoard board(world, cut, link, part_on(device, "cuda/strided", world, 0).make);
    board.load(start, {});
    board.advance(31);
    if (fails && link->rank() == 1) throw std::runtime_error("planned");
    board.advance(69);
    if (board.window(world.box()) != end) throw std::runtime_error("the cells differ");
    if (!board.exchanges().transport.starts_with("NCCL "))
      throw std::runtime_error(board.exchanges().transport);
  });
}

TEST(GpuParts, AreThoseOfRanksByNcclOnTwoGpus) {
  if (const char* const reason = cuda_unavailable_reason()) GTEST_SKIP() << reason;
  const std::vector<DeviceInfo> gpus = list_gpus();
  if (gpus.size() < 2) GTEST_SKIP() << "this machine has one GPU";
  std::mt19937 random(20261124);
  const auto number = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  for (std::uint64_t i = 0; i < 12; ++i) {
    const WorldSpec world = {Rule(), i % 2 == 0 ? Topology::torus : Topology::plane,
                             i % 3 == 0 ? 2048 : 32 * number(4, 40), number(100, 500)};
    std::vector<double> shares(gpus.size());
    for (double& share : shares) share = static_cast<double>(number(2, 9));
    RankCut cut = {divide_rows(world.height, shares), 1, RowTransport::nccl};
    cut.halo = number(1, std::min<std::int64_t>(std::ranges::min(cut.rows), 30));
    EXPECT_EQ(run_by_nccl(world, cut, i, gpus, false), std::vector<std::string>(gpus.size())) << "case " << i;
  }
}

TEST(GpuParts, FailWithAnotherRankByNcclOnTwoGpus) {
  if (const char* const reason = cuda_unavailable_reason()) GTEST_SKIP() << reason;
  const std::vector<DeviceInfo> gpus = list_gpus();
  if (gpus.size() < 2) GTEST_SKIP() << "this machine has one GPU";
  const WorldSpec world = {Rule(), Topology::torus, 512, 400};
  const RankCut cut = {divide_rows(world.height, std::vector<double>(gpus.size(), 1)), 10,
                       RowTransport::nccl};
  const std::vector<std::string> errors = run_by_nccl(world, cut, 1, gpus, true);
  EXPECT_EQ(errors[1], "planned");
  EXPECT_NE(errors[0].find("rank 1: planned"), std::string::npos) << errors[0];
}

TEST(GpuParts, RefuseNcclWhereRanksShareAGpu) {
  if (const char* const reason = cuda_unavailable_reason()) GTEST_SKIP() << reason;
  const std::string device = list_gpus().front().name;
  const WorldSpec world = {Rule(), Topology::torus, 512, 400};
  const auto errors = ThreadRanks(2).run([&](const std::shared_ptr<RankLink>& link) {
    RankBoard board(world, {{200, 200}, 10, RowTransport::nccl}, link, part_on(device, "", world, 0).make);
  });
  for (const std::string& error : errors) {
    const bool says_why = error.find("have the same GPU") != std::string::npos ||
                          error.find("found no libnccl.so.2") != std::string::npos;
    EXPECT_TRUE(says_why) << error;
  }
}

}  // namespace
}  // namespace moorea::test
