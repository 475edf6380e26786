// SPDX-License-Identifier: MIT
#include "moorea/simulation.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/lab/ceilings.h"
#include "moorea/lab/instruments.h"
#include "moorea/picture.h"

namespace moorea {
namespace {

Pattern glider(const std::string& header = "x = 3, y = 3") {
  return parse_pattern(header + "\nbo$2bo$3o!", "glider");
}

TEST(Simulation, RefusesWithTheRightKind) {
  const auto kind_of = [](auto&& make) {
    try {
      make();
    } catch (const Error& error) {
      return static_cast<int>(error.kind());
    }
    return -1;
  };
  Options unknown_kernel, unknown_device, threads;
  unknown_kernel.kernel = "cpu/none";
  unknown_device.device = "abacus";
  threads.threads = -1;
  EXPECT_EQ(kind_of([&] { Simulation(Rule(), Topology::torus, Grid(5, 5), unknown_kernel); }),
            static_cast<int>(ErrorKind::usage));
  EXPECT_EQ(kind_of([&] { Simulation(Rule(), Topology::torus, Grid(5, 5), unknown_device); }),
            static_cast<int>(ErrorKind::unavailable));
  EXPECT_EQ(kind_of([&] { Simulation(Rule(), Topology::torus, Grid(5, 5), threads); }),
            static_cast<int>(ErrorKind::usage));
  EXPECT_EQ(kind_of([&] { Simulation(Rule(), Topology::torus, Grid(0, 5)); }),
            static_cast<int>(ErrorKind::usage));
  EXPECT_EQ(kind_of([&] { Grid(std::int64_t{1} << 32, std::int64_t{1} << 20); }),
            static_cast<int>(ErrorKind::memory));
  EXPECT_EQ(kind_of([&] { Simulation::unbounded(Rule::parse("B01/S"), glider()); }),
            static_cast<int>(ErrorKind::usage));
}

TEST(Simulation, CoordinatesThatWouldOverflowAreUsageErrors) {
  constexpr std::int64_t far = std::int64_t{1} << 62, last = INT64_MAX, first = INT64_MIN;
  Simulation bounded(Rule(), Topology::plane, Grid(5, 5)), plane = Simulation::unbounded(Rule(), glider());
  for (const Box& box : {Box{last, 0, 1, 1}, Box{0, first, 1, 1}, Box{0, 0, last, 1}, Box{far, far, 3, 3},
                         Box{0, 0, 1, far}, Box{0, 0, -1, 1}, Box{last, last, last, last}}) {
    const Position at{box.x, box.y};
    std::vector<std::function<void()>> calls = {
        [&] { (void)Grid(3, 3).crop(box); }, [&] { CellHistory{box}; }, [&] { (void)fitted(box, 100, 1); }};
    for (Simulation* simulation : {&bounded, &plane}) {
      calls.emplace_back([&, simulation] { (void)simulation->window(box); });
      calls.emplace_back([&, simulation] {
        (void)simulation->density({box.x, box.y, box.width, box.height, 1});
      });
    }
    if (at != Position{0, 0}) {
      Pattern pattern = glider();
      pattern.position = at;
      calls.emplace_back([&] { Grid(3, 3).paste(Grid(3, 3), at); });
      calls.emplace_back([&] { (void)Grid(3, 3).hash(at); });
      calls.emplace_back([&] { bounded.paste(Grid(3, 3), at); });
      calls.emplace_back([&] { plane.paste(Grid(3, 3), at); });
      calls.emplace_back([pattern] { (void)place(pattern, 50, 50); });
      calls.emplace_back([pattern] { (void)Simulation::unbounded(Rule(), pattern); });
    }
    for (std::size_t i = 0; i < calls.size(); ++i) {
      try {
        calls[i]();
        ADD_FAILURE() << "call " << i << " with " << box.x << ", " << box.y << ", " << box.width;
      } catch (const Error& error) {
        EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(ErrorKind::usage)) << error.what();
      }
    }
  }
  EXPECT_THROW((void)fitted({0, 0, 10, 10}, 0, 1), Error);
  EXPECT_THROW((void)fitted({0, 0, 10, 10}, -5, 1), Error);
  EXPECT_THROW((void)fitted({0, 0, 10, 10}, INT64_MAX, 1), Error);
  // Far away
  plane.paste(glider().cells, {1000, -1000});
  EXPECT_EQ(plane.window({999, -1001, 10, 10}).population(), 5u);
}

TEST(Simulation, AnObserverMayAddOthers) {
  Simulation simulation = Simulation::unbounded(Rule(), glider());
  std::vector<std::uint64_t> seen_by_added, seen_by_last;
  std::vector<std::string> taken;  // memory that the list of observers has given back
  std::vector<Observation> handles;
  handles.push_back(simulation.observe(1, [&](const Simulation&) {
    if (!taken.empty()) return;
    for (int i = 0; i < 100; ++i)
      handles.push_back(
          simulation.observe(2, [&](const Simulation& now) { seen_by_added.push_back(now.generation()); }));
    for (std::size_t bytes = 16; bytes < 4096; bytes += 16)
      taken.insert(taken.end(), 4, std::string(bytes, '\1'));
  }));
  handles.push_back(
      simulation.observe(1, [&](const Simulation& now) { seen_by_last.push_back(now.generation()); }));
  simulation.step(5);
  EXPECT_EQ(seen_by_last, (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
  ASSERT_EQ(seen_by_added.size(), 200u);
  EXPECT_EQ(seen_by_added.front(), 2u);
  EXPECT_EQ(seen_by_added.back(), 4u);
}

TEST(Simulation, ThreadBlocksAreForKernelsThatTakeThem) {
  const auto refusal = [](const std::string& kernel, std::optional<ThreadBlock> block,
                          std::optional<int> bytes) -> std::string {
    Options options;
    options.kernel = kernel;
    options.block = block;
    options.bytes_a_thread = bytes;
    try {
      Simulation(Rule(), Topology::torus, Grid(5, 5), options);
    } catch (const Error& error) {
      EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(ErrorKind::usage)) << error.what();
      return error.what();
    }
    return "";
  };
  for (const char* kernel : {"", "cpu/bits", "cpu/ladder/02_tiled"}) {
    EXPECT_NE(refusal(kernel, ThreadBlock{64, 4}, {}).find("has no configurable thread block"),
              std::string::npos);
    EXPECT_NE(refusal(kernel, {}, 8).find("has no configurable number of bytes per thread"),
              std::string::npos);
    EXPECT_EQ(refusal(kernel, {}, {}), "");
  }
  // For any kernel, and whether or not it runs here
  for (const char* kernel : {"", "cpu/bits", "cuda/bits"}) {
    for (const ThreadBlock& block :
         {ThreadBlock{0, 1}, {1, 0}, {-1, -1}, {1025, 1}, {33, 32}, {1 << 16, 1 << 16}})
      EXPECT_NE(refusal(kernel, block, {}).find("expected 1 to 1024 in all"), std::string::npos);
    for (const int bytes : {0, -1, 65})
      EXPECT_NE(refusal(kernel, {}, bytes).find("expected 1 to 64"), std::string::npos);
  }
  Options usual;
  usual.kernel = "cpu/bits";
  EXPECT_FALSE(Simulation(Rule(), Topology::torus, Grid(5, 5), usual).launch_shape());
}

TEST(ThreadBlock, IsReadWithThePlaceOfAMistake) {
  for (const auto& [text, block] : {std::pair("256", "256x1"), {"32x8", "32x8"}, {"1X1024", "1x1024"}})
    EXPECT_EQ(to_string(parse_thread_block(text)), block);
  const auto refusal = [](const char* text) -> std::string {
    try {
      parse_thread_block(text);
    } catch (const Error& error) {
      EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(ErrorKind::usage));
      return error.what();
    }
    return "";
  };
  for (const auto& [text, column] : {std::pair("", 1),
                                     {"x8", 1},
                                     {"-3", 1},
                                     {"+3", 1},
                                     {" 3", 1},
                                     {"3y4", 2},
                                     {"32x", 4},
                                     {"32x-1", 4},
                                     {"32x8x", 5},
                                     {"32x8 ", 5},
                                     {"1e2", 2}})
    EXPECT_NE(refusal(text).find(fmt::format("\"{}\", column {}:", text, column)), std::string::npos)
        << refusal(text);
  for (const char* text :
       {"0", "0x5", "5x0", "1025", "32x33", "99999999999999999999", "1x99999999999999999999"})
    EXPECT_NE(refusal(text).find("expected 1 to 1024 in all"), std::string::npos) << refusal(text);
}

// A glider on a growing plane flies forever in little memory.
TEST(Simulation, AGliderFliesFar) {
  Simulation simulation = Simulation::of(glider());
  simulation.step(400'000);
  EXPECT_EQ(simulation.bounding_box(), (Box{-1 + 100'000, -1 + 100'000, 3, 3}));
  EXPECT_EQ(simulation.population(), 5u);
  EXPECT_LT(simulation.width(), 2000);
}

TEST(Simulation, SaysWhenMemoryEndsTheGrowth) {
  // The fastest growth in Seeds, at the speed of light: two cells become two that fly apart, with little
  // between them for tiles, and noise fills the plane
  const Pattern domino = parse_pattern("x = 2, y = 1\n2o!", "domino");
  Pattern noise;
  noise.cells = Grid::random(12, 12, 0.5, 2);
  for (const auto& [kernel, start] : {std::pair("cpu/bits", domino), {"cpu/bits", noise}, {"", noise}}) {
    Options little;
    little.memory = 300'000;
    little.kernel = kernel;
    Simulation simulation = Simulation::unbounded(Rule::parse("Seeds"), start, little);
    simulation.step(3000);
    ASSERT_TRUE(simulation.edge_met()) << kernel;
    EXPECT_GT(*simulation.edge_met(), 64u);
    EXPECT_EQ(simulation.generation(), 3000u);
    // Tiles need not fill their box
    if (*kernel != '\0') {
      EXPECT_LT(simulation.width() * simulation.height() / 8 * 2, 300'000);
    }
  }
  Options little;
  little.memory = 300'000;
  Simulation simulation = Simulation::unbounded(Rule::parse("Seeds"), domino, little);
  simulation.step(3000);
  EXPECT_FALSE(simulation.edge_met()) << "tiles follow the cells";
}

// A run continues cell for cell from a snapshot that was written and read again.
TEST(Simulation, SnapshotsGoOn) {
  for (const char* header : {"x = 3, y = 3", "x = 3, y = 3, rule = HighLife:T40,31",
                             "#CXRLE Pos=-7,-9 Gen=5\nx = 3, y = 3, rule = B3/S23:P33,64"}) {
    for (const char* format : {"rle", "cells", "life106", "pbm", "pbm-plain"}) {
      Simulation whole = Simulation::of(glider(header)), first = Simulation::of(glider(header));
      whole.step(90);
      first.step(37);
      Simulation second = Simulation::of(parse_pattern(format_pattern(first.snapshot(), format), "snapshot"));
      EXPECT_EQ(second.generation(), first.generation());
      EXPECT_EQ(second.hash(), first.hash()) << header << " " << format;
      second.step(53);
      EXPECT_EQ(second.hash(), whole.hash()) << header << " " << format;
      EXPECT_EQ(second.generation(), whole.generation());
      EXPECT_EQ(second.bounding_box(), whole.bounding_box());
    }
  }
}

TEST(Simulation, AWholeSnapshotIsTheWorld) {
  Simulation simulation(Rule(), Topology::torus, Grid::random(70, 20, 0.3, 1));
  simulation.step(3);
  EXPECT_EQ(simulation.snapshot(true).cells, simulation.grid());
  EXPECT_EQ(Simulation::of(simulation.snapshot(true)).grid(), simulation.grid());
  Simulation empty(Rule(), Topology::torus, Grid(70, 20));
  EXPECT_EQ(Simulation::of(empty.snapshot()).grid(), empty.grid());
}

TEST(Simulation, ObserversSeeTheirGenerations) {
  Simulation simulation = Simulation::of(glider());
  std::vector<std::uint64_t> seen;
  const Observation observation =
      simulation.observe(7, [&](const Simulation& at) { seen.push_back(at.generation()); });
  simulation.step(10);
  simulation.step(12);
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{7, 14, 21}));
  EXPECT_THROW((void)simulation.observe(0, [](const Simulation&) {}), Error);
}

TEST(Simulation, StopsWhenAsked) {
  Simulation simulation(Rule(), Topology::torus, Grid::random(300, 300, 0.5, 1));
  int questions = 0;
  const std::uint64_t done = simulation.step(UINT64_MAX, [&] { return ++questions < 5; });
  EXPECT_EQ(questions, 5);
  EXPECT_EQ(done, simulation.generation());
}

TEST(Inventory, TheReferenceRunsEverything) {
  for (const char* rule : {"B3/S23", "B0/S", "B012345678/S012345678"}) {
    bool found = false;
    for (const KernelInfo& kernel : list_kernels(Rule::parse(rule))) {
      if (kernel.name == "cpu/reference") found = kernel.runs;
      EXPECT_EQ(kernel.runs, kernel.reason.empty());
      EXPECT_FALSE(kernel.summary.empty());
    }
    EXPECT_TRUE(found);
  }
}

TEST(Inventory, CeilingsAreMeasured) {
  const Ceilings ceilings = measure_ceilings("cpu", 1);
  EXPECT_GT(ceilings.copy_bytes_per_second, 1e8);
  EXPECT_GT(ceilings.logic_words_per_second, 1e8);
}

// Any kernel of the CPU while a world is busy, tiles while it is quiet: a soup in a corner that becomes ash.
TEST(TwoKernels, ShareAWorldByWhatGoesOnInIt) {
  Grid start(1200, 900);
  const Grid soup = Grid::random(300, 200, 0.4, 5);
  for (std::int64_t y = 0; y < soup.height(); ++y) {
    for (std::int64_t x = 0; x < soup.width(); ++x) start.set(x, y, soup.alive(x, y));
  }
  Options one;
  one.kernel = "cpu/bits";
  Simulation expected({}, Topology::torus, start, one);
  expected.step(1500);
  Options shallow, tiled;
  shallow.kernel = "cpu/strided + cpu/tiles";
  shallow.generations_a_pass = 3;
  tiled.kernel = "cpu/ladder/02_tiled + cpu/tiles";
  tiled.tile = TileSize{128, 32};
  tiled.threads = 2;
  for (const Options& options : {shallow, tiled}) {
    Simulation simulation({}, Topology::torus, start, options);
    EXPECT_EQ(simulation.kernel(), options.kernel);
    simulation.step(1500);
    EXPECT_EQ(simulation.hash(), expected.hash());
    EXPECT_GT(tile_counts(simulation).skipped, 0u) << options.kernel;
  }
  // A world that is busy everywhere from its first generation, and never in tiles
  const Grid busy = Grid::random(700, 500, 0.5, 6);
  Simulation a({}, Topology::torus, busy, shallow), b({}, Topology::torus, busy, one);
  a.step(200);
  b.step(200);
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_EQ(tile_counts(a).computed, 0u);
}

TEST(TwoKernels, MustSuitEachOther) {
  for (const char* names : {"cpu/tiles + cpu/strided", "cpu/strided + cpu/bits", "cpu/tiles + cpu/tiles",
                            "cpu/strided + ", "cpu/strided + cpu/none", " + cpu/tiles"}) {
    Options options;
    options.kernel = names;
    try {
      Simulation({}, Topology::torus, Grid(64, 64), options);
      ADD_FAILURE() << names;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage) << names;
    }
  }
  const KernelInfo info = kernel_info("cpu/strided + cpu/tiles");
  EXPECT_EQ(info.name, "cpu/strided + cpu/tiles");
  EXPECT_TRUE(info.skips);
  EXPECT_THROW(kernel_info("cpu/strided + cpu/none"), Error);
}

TEST(Simulation, RefusesWorldsWithoutCells) {
  for (const Size size : {Size{0, 5}, Size{-5, 5}, Size{-5, -5}})
    EXPECT_THROW((void)Simulation::of(Pattern(), {Rule(), Topology::torus, size.width, size.height}), Error);
}

}  // namespace
}  // namespace moorea
