// SPDX-License-Identifier: MIT
// CUDA boards: worlds in shared memory, lazy strips, tables of several rules at once, and thread blocks of
// unusual shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "definition.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/lab/instruments.h"
#include "moorea/simulation.h"

namespace moorea::test {
namespace {

// Kernels for worlds of certain sizes: these are some, and others are refused.
TEST(Gpu, WorldsOnTheChip) {
  Options on_chip, plain;
  on_chip.kernel = "cuda/chip";
  plain.kernel = "cpu/bits";
  const std::vector<KernelInfo> kernels = list_kernels();
  const auto chip = std::find_if(kernels.begin(), kernels.end(),
                                 [](const KernelInfo& kernel) { return kernel.name == "cuda/chip"; });
  if (chip == kernels.end()) GTEST_SKIP() << "a build without CUDA";
  if (!chip->runs) GTEST_SKIP() << chip->reason;
  const std::vector<std::tuple<Topology, int, int>> worlds = {
      {Topology::torus, 32, 1},      {Topology::torus, 32, 37},     {Topology::torus, 64, 8},
      {Topology::torus, 992, 65},    {Topology::torus, 1024, 777},  {Topology::torus, 1024, 1024},
      {Topology::torus, 2048, 200},  {Topology::torus, 4096, 1000}, {Topology::torus, 8192, 301},
      {Topology::torus, 1024, 4999}, {Topology::torus, 2048, 4500}, {Topology::torus, 4096, 5000},
      {Topology::plane, 1, 1},       {Topology::plane, 37, 100},    {Topology::plane, 1000, 333},
      {Topology::plane, 2040, 50},   {Topology::plane, 4090, 64},   {Topology::plane, 8190, 130}};
  for (const char* name : {"Life", "B3678/S345", "B0123478/S01234678"}) {
    for (const auto& [topology, width, height] : worlds) {
      const Rule rule = Rule::parse(name);
      const Grid start = Grid::random(width, height, 0.4, 5);
      Simulation tried(rule, topology, start, on_chip), expected(rule, topology, start, plain);
      for (const std::uint64_t part : {1, 3, 16, 17, 150}) {
        tried.step(part);
        expected.step(part);
        ASSERT_EQ(tried.hash(), expected.hash()) << name << " " << to_string(topology) << " " << width
                                                 << " x " << height << " at " << expected.generation();
      }
      ASSERT_EQ(tried.grid(), expected.grid());
    }
  }
  EXPECT_THROW(Simulation(Rule(), Topology::torus, Grid(1000, 100), on_chip), Error);
  EXPECT_THROW(Simulation(Rule(), Topology::torus, Grid(16384, 100), on_chip), Error);
}

// Boards of one shape share a function, though they need more or less of its shared memory.
TEST(Gpu, BoardsOnTheChipByTurns) {
  Options on_chip, plain;
  on_chip.kernel = "cuda/chip";
  plain.kernel = "cpu/bits";
  const std::vector<KernelInfo> kernels = list_kernels();
  const auto chip = std::find_if(kernels.begin(), kernels.end(),
                                 [](const KernelInfo& kernel) { return kernel.name == "cuda/chip"; });
  if (chip == kernels.end()) GTEST_SKIP() << "a build without CUDA";
  if (!chip->runs) GTEST_SKIP() << chip->reason;
  std::vector<Simulation> tried, expected;
  for (const int height : {6000, 5000, 1000}) {
    const Grid start = Grid::random(4096, height, 0.4, 6);
    tried.emplace_back(Rule(), Topology::torus, start, on_chip);
    expected.emplace_back(Rule(), Topology::torus, start, plain);
  }
  for (int turn = 0; turn < 2; ++turn) {
    for (std::size_t i = 0; i < tried.size(); ++i) {
      tried[i].step(20);
      expected[i].step(20);
      ASSERT_EQ(tried[i].hash(), expected[i].hash()) << tried[i].height() << " rows";
    }
  }
}

// Noise that comes to rest, so that most of it sleeps, in worlds of several strips whose rows end anywhere;
// what is left of it wakes and falls asleep again.
TEST(Gpu, WorldsThatComeToRest) {
  const std::vector<KernelInfo> kernels = list_kernels();
  const auto lazy = std::find_if(kernels.begin(), kernels.end(),
                                 [](const KernelInfo& kernel) { return kernel.name == "cuda/strided_lazy"; });
  if (lazy == kernels.end()) GTEST_SKIP() << "a build without CUDA";
  if (!lazy->runs) GTEST_SKIP() << lazy->reason;
  Options named, automatic, cpu;
  named.kernel = "cuda/strided_lazy";
  automatic.device = "cuda";
  cpu.device = "cpu";
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    for (const auto& [width, height] : std::vector<std::pair<int, int>>{
             {9000, 400}, {8192, 603}, {12345, 333}, {4001, 1005}, {16384, 250}, {7424, 129}, {1000, 1000}}) {
      const Grid start = Grid::random(width, height, 0.4, 11);
      Simulation expected(Rule(), topology, start, cpu);
      std::vector<Simulation> tried;
      tried.emplace_back(Rule(), topology, start, named);
      tried.emplace_back(Rule(), topology, start, automatic);
      TileCounts before;
      for (const std::uint64_t part : {3000, 12000, 7, 5993, 1, 6000, 3, 12000}) {
        before = tile_counts(tried[0]);
        expected.step(part);
        for (Simulation& simulation : tried) {
          simulation.step(part);
          ASSERT_EQ(simulation.hash(), expected.hash())
              << simulation.kernel() << ", " << to_string(topology) << " " << width << " x " << height
              << " at " << simulation.generation();
        }
      }
      const TileCounts counts = tile_counts(tried[0]);
      EXPECT_GT(counts.skipped - before.skipped, counts.computed - before.computed)
          << to_string(topology) << " " << width << " x " << height;
    }
  }
}

// Boards of different rules that are alive together do not share what their kernels make of a rule: tables.
// The first use of each rule falls into the time when both run.
TEST(Gpu, BoardsAtOnceHaveTablesOfTheirOwn) {
  const std::vector<KernelInfo> kernels = list_kernels();
  std::vector<std::string> others;  // the devices of the second board
  for (const DeviceInfo& device : list_devices()) {
    if (device.name == "cuda:0" || device.name == "cuda:1") others.push_back(device.name);
  }
  const Grid start = Grid::random(301, 203, 0.4, 9);
  Options plain;
  plain.kernel = "cpu/reference";
  for (const char* name :
       {"cuda/ladder/05_lut_256", "cuda/ladder/05_lut_256_shared", "cuda/ladder/06_lut_1024",
        "cuda/ladder/06_lut_1024_shared", "cuda/ladder/12_patch_lut", "cuda/ladder/13_patch_lut_shared"}) {
    const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                     [&](const KernelInfo& listed) { return listed.name == name; });
    if (kernel == kernels.end()) GTEST_SKIP() << "a build without CUDA";
    if (!kernel->runs) GTEST_SKIP() << kernel->reason;
    for (const auto& [first, second] : std::vector<std::pair<const char*, const char*>>{
             {"Life", "B0123478/S01234678"}, {"B3678/S345", "B36/S124"}, {"B1357/S1357", "B35/S236"}}) {
      for (const std::string& other : others) {
        const Rule rules[] = {Rule::parse(first), Rule::parse(second)};
        std::vector<Simulation> tried, expected;
        for (const Rule& rule : rules) {
          Options options;
          options.kernel = name;
          options.device = tried.empty() ? "cuda:0" : other;
          tried.emplace_back(rule, Topology::torus, start, options);
          expected.emplace_back(rule, Topology::torus, start, plain);
        }
        const auto agree = [&](const char* how) {
          for (std::size_t i = 0; i < 2; ++i) {
            ASSERT_EQ(tried[i].grid(), expected[i].grid())
                << name << " " << rules[i].str() << " on " << other << " " << how << " at "
                << expected[i].generation();
          }
        };

        const auto advance = [&](std::size_t i) {
          for (std::uint64_t part = 1; part <= 20; ++part) tried[i].step(part);
        };
        std::future<void> beside = std::async(std::launch::async, advance, 0);
        advance(1);
        beside.get();
        for (Simulation& simulation : expected) simulation.step(210);
        ASSERT_NO_FATAL_FAILURE(agree("side by side"));

        for (const std::uint64_t part : {1, 2, 1, 5}) {
          for (std::size_t i = 0; i < 2; ++i) {
            tried[i].step(part);
            expected[i].step(part);
          }
          ASSERT_NO_FATAL_FAILURE(agree("by turns"));
        }
      }
    }
  }
}

// Each kernel computes the rules of the families that it knows, the world's last strips included, and no
// others.
TEST(Gpu, StripsOfFamiliesOfRules) {
  const std::vector<std::tuple<const char*, int>> rules = {// and how many families must be known
                                                           {"Life", 1},         {"Anneal", 2},
                                                           {"B1357/S02468", 3}, {"B2/S1", 3},
                                                           {"HighLife", 4},     {"B0123478/S01234678", 4}};
  const std::vector<std::tuple<const char*, int>> strips = {{"cuda/ladder/09_runtime_strips_2", 2},
                                                            {"cuda/ladder/09_runtime_strips_3", 3},
                                                            {"cuda/ladder/09_runtime_strips_4", 4},
                                                            {"cuda/ladder/10_template_strips", 4}};
  const std::vector<KernelInfo> all = list_kernels();
  if (std::none_of(all.begin(), all.end(),
                   [&](const KernelInfo& each) { return each.name == std::get<0>(strips[0]); }))
    GTEST_SKIP() << "a build without CUDA";
  for (const auto& [name, known] : strips) {
    Options options;
    options.kernel = name;
    for (const auto& [text, needed] : rules) {
      const Rule rule = Rule::parse(text);
      const KernelInfo info = kernel_info(name, rule);
      const bool refused = info.reason.find("choose one of them or another kernel") != std::string::npos;
      EXPECT_EQ(refused, needed > known) << name << " " << text << ": " << info.reason;
      if (!info.runs) continue;
      for (const auto& [width, height] :
           std::vector<std::pair<int, int>>{{1, 1}, {7, 33}, {8, 32}, {9, 31}, {300, 41}, {1000, 200}}) {
        for (const Topology topology : {Topology::plane, Topology::torus}) {
          const Grid start = Grid::random(width, height, 0.4, 17);
          Simulation simulation(rule, topology, start, options);
          simulation.step(5);
          ASSERT_EQ(simulation.grid(), after(start, rule, topology, 5))
              << name << " " << text << " " << to_string(topology) << " " << width << " x " << height;
        }
      }
    }
  }
}

// The kernels that convert from and to a byte per cell give the cells of the board's own conversion:
// otherwise time_conversion() throws.
TEST(Gpu, ConversionsToBytesAreExact) {
  const std::vector<KernelInfo> kernels = list_kernels();
  Options options;
  options.kernel = "cuda/ladder/11_bits_bytes";
  const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                   [&](const KernelInfo& listed) { return listed.name == options.kernel; });
  if (kernel == kernels.end()) GTEST_SKIP() << "a build without CUDA";
  if (!kernel->runs) GTEST_SKIP() << kernel->reason;
  for (const auto& [width, height] : std::vector<std::pair<int, int>>{
           {1, 1}, {7, 5}, {8, 1}, {9, 3}, {31, 2}, {33, 40}, {64, 64}, {301, 77}, {40000, 4000}}) {
    const Grid start = Grid::random(width, height, 0.4, 13);
    Simulation simulation(Rule(), Topology::torus, start, options);
    const std::optional<ConversionTimes> times = time_conversion(simulation);
    ASSERT_TRUE(times.has_value());
    EXPECT_GT(times->encode_seconds, 0) << width << " x " << height;
    EXPECT_GT(times->decode_seconds, 0) << width << " x " << height;
    EXPECT_EQ(simulation.grid(), start) << width << " x " << height;
  }
}

// Thread blocks of every kind, and every number of bytes per thread, in worlds that are multiples of none.
TEST(Gpu, ThreadBlocksOfUnusualShapes) {
  const std::vector<ThreadBlock> rows = {{1, 1}, {3, 1}, {32, 1}, {100, 1}, {1024, 1}};
  const std::vector<ThreadBlock> rectangles = {{32, 32}, {1, 64}, {7, 3}, {1, 1024}, {512, 2}, {2, 5}};
  std::vector<KernelInfo> kernels = list_kernels();
  kernels.erase(std::remove_if(kernels.begin(), kernels.end(),
                               [](const KernelInfo& kernel) {
                                 return kernel.backend != Backend::cuda || kernel.block.width == 0;
                               }),
                kernels.end());
  if (kernels.empty()) GTEST_SKIP() << "a build without CUDA";
  for (const KernelInfo& kernel : kernels) {
    if (!kernel.runs) GTEST_SKIP() << kernel.reason;
    std::vector<ThreadBlock> blocks = rows;
    if (kernel.block.height > 1) blocks.insert(blocks.end(), rectangles.begin(), rectangles.end());
    std::vector<int> bytes = {kernel.bytes_a_thread};
    if (bytes.front() != 0) {
      bytes.resize(max_bytes_a_thread);
      std::iota(bytes.begin(), bytes.end(), 1);
    }
    // Life, if the kernel does not support a rule without a name
    const Rule unnamed = Rule::parse("B3678/S345"),
               rule = kernel_info(kernel.name, unnamed).runs ? unnamed : Rule();
    for (const Topology topology : {Topology::plane, Topology::torus}) {
      for (const auto& [width, height] : std::vector<std::pair<int, int>>{{1, 1}, {37, 5}, {301, 77}}) {
        const Grid start = Grid::random(width, height, 0.4, 3);
        const Grid expected = after(start, rule, topology, 5);
        for (const ThreadBlock& block : blocks) {
          for (const int bytes_a_thread : bytes) {
            Options options;
            options.kernel = kernel.name;
            options.block = block;
            if (bytes_a_thread != 0) options.bytes_a_thread = bytes_a_thread;
            Simulation simulation(rule, topology, start, options);
            simulation.step(5);
            ASSERT_EQ(simulation.grid(), expected)
                << kernel.name << " in thread blocks of " << to_string(block) << ", " << bytes_a_thread
                << " bytes per thread, " << to_string(topology) << " " << width << " x " << height;
            ASSERT_TRUE(simulation.launch_shape());
            EXPECT_EQ(to_string(simulation.launch_shape()->block), to_string(block));
            EXPECT_EQ(simulation.launch_shape()->bytes_a_thread, bytes_a_thread);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace moorea::test
