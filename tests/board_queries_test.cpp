// SPDX-License-Identifier: MIT
// Queries of a running world, for every kernel: populations, changes, cells in squares, which thread computed
// which tile, and the GPU resources of a kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "definition.h"
#include "every_board.h"
#include "moorea/error.h"
#include "moorea/lab/instruments.h"
#include "moorea/simulation.h"

namespace moorea::test {
namespace {

// How many cells live in any box, by one sum for each corner.
class CellSums {
 public:
  explicit CellSums(const Grid& cells) : width_(cells.width()), height_(cells.height()) {
    sums_.resize(static_cast<std::size_t>((width_ + 1) * (height_ + 1)));
    for (std::int64_t y = 0; y < height_; ++y) {
      std::uint32_t row = 0;
      for (std::int64_t x = 0; x < width_; ++x) {
        row += cells.alive(x, y) ? 1 : 0;
        at(x + 1, y + 1) = at(x + 1, y) + row;
      }
    }
  }

  std::uint32_t of(const Box& box) const {
    const auto corner = [&](std::int64_t x, std::int64_t y) {
      x = std::clamp<std::int64_t>(x, 0, width_);
      y = std::clamp<std::int64_t>(y, 0, height_);
      return sums_[y * (width_ + 1) + x];
    };
    const std::int64_t right = box.x + box.width, bottom = box.y + box.height;
    return corner(right, bottom) - corner(box.x, bottom) - corner(right, box.y) + corner(box.x, box.y);
  }

 private:
  std::uint32_t& at(std::int64_t x, std::int64_t y) { return sums_[y * (width_ + 1) + x]; }

  std::int64_t width_, height_;
  std::vector<std::uint32_t> sums_;
};

// Counts in squares equal the cells there, wherever the raster begins and ends.
TEST_P(EveryBoard, CountsTheCellsOfSquares) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  const Grid start = Grid::random(GetParam().starts_with("cpu/") ? 700 : 512, 300, 0.4, 4);
  if (!takes(Rule(), Topology::torus, start)) GTEST_SKIP() << "only worlds of certain sizes";
  Simulation simulation({}, Topology::torus, start, with(2));
  simulation.step(7);
  const CellSums sums(simulation.grid());
  for (const Raster& raster :
       {Raster{0, 0, 40, 20, 1}, Raster{-5, -9, 75, 39, 10}, Raster{17, 33, 20, 9, 31},
        Raster{0, 0, 8, 5, 64}, Raster{-64, -3, 13, 4, 64}, Raster{5, -1, 4, 3, 128},
        Raster{-40, -70, 5, 3, 200}, Raster{3, 1, 2, 1, 1000}, Raster{-3000, 5, 1, 1, 65535},
        Raster{600, 400, 3, 3, 50}, Raster{-7, -3, 371, 160, 2}, Raster{1, 2, 180, 77, 4},
        Raster{-30, 0, 99, 41, 8}, Raster{5, -60, 50, 25, 16}, Raster{-1, 1, 30, 13, 32},
        Raster{-65535 * 50, -65535 * 50, 100, 100, 65535}}) {
    const std::vector<std::uint32_t> squares = simulation.density(raster);
    ASSERT_EQ(std::ssize(squares), raster.columns * raster.rows);
    for (std::int64_t j = 0; j < raster.rows; ++j) {
      for (std::int64_t i = 0; i < raster.columns; ++i) {
        const Box square{raster.x + i * raster.scale, raster.y + j * raster.scale, raster.scale,
                         raster.scale};
        ASSERT_EQ(squares[j * raster.columns + i], sums.of(square))
            << "scale " << raster.scale << ", square " << i << ", " << j;
      }
    }
    const std::uint32_t half = static_cast<std::uint32_t>(raster.scale * raster.scale / 2) + 1;
    std::vector<std::uint32_t> each(255);
    std::iota(each.begin(), each.end(), 1);
    for (const std::vector<std::uint32_t>& limits :
         {std::vector<std::uint32_t>{}, {1}, {1, 1, 1, half / 3 + 1, half, half, 2 * half}, each}) {
      // The largest squares take their time, and what becomes of a count is the same
      if (raster.scale > 1000 && limits.size() != 1) continue;
      const std::vector<std::uint8_t> levels = simulation.levels(raster, limits);
      ASSERT_EQ(levels.size(), squares.size());
      for (std::size_t i = 0; i < levels.size(); ++i)
        ASSERT_EQ(levels[i], std::upper_bound(limits.begin(), limits.end(), squares[i]) - limits.begin())
            << "scale " << raster.scale << ", square " << i << ", " << limits.size() << " limits";
    }
  }
  EXPECT_THROW(simulation.levels({0, 0, 0, 1, 1}, {}), Error);
  const std::uint32_t falling[] = {2, 1}, none[] = {0};
  EXPECT_THROW(simulation.levels({0, 0, 1, 1, 1}, falling), Error);
  EXPECT_THROW(simulation.levels({0, 0, 1, 1, 1}, none), Error);
  EXPECT_THROW(simulation.levels({0, 0, 1, 1, 1}, std::vector<std::uint32_t>(256, 1)), Error);
  EXPECT_THROW(simulation.density({0, 0, 0, 1, 1}), Error);
  EXPECT_THROW(simulation.density({0, 0, 1, 1, max_raster_scale + 1}), Error);
}

// Every cell is in one event of each pass, a thread does one thing at a time, and recording changes no cell.
TEST_P(EveryBoard, TellsWhichThreadDidWhat) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  // Some kernels of other devices have worlds of certain widths only
  const Grid start = Grid::random(GetParam().starts_with("cpu/") ? 700 : 512, 300, 0.4, 4);
  if (!takes(Rule(), Topology::torus, start)) GTEST_SKIP() << "only worlds of certain sizes";
  Simulation simulation({}, Topology::torus, start, with(3));
  std::vector<TileEvent> events;
  try {
    events = step_tracing(simulation, 13);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    EXPECT_FALSE(GetParam().starts_with("cpu/ladder/")) << error.what();
    return;  // it cuts the world its own way, and says so
  }
  EXPECT_EQ(simulation.grid(), after(start, Rule(), Topology::torus, 13));
  EXPECT_EQ(simulation.generation(), 13u);
  const bool skips = tile_counts(simulation).skipped > 0;
  std::map<std::uint64_t, Grid> computed;
  std::map<int, double> ends;
  double last = 0;
  for (const TileEvent& event : events) {
    ASSERT_LT(event.generation, 13u);
    ASSERT_GE(event.thread, 0);
    ASSERT_LT(event.thread, std::max<std::ptrdiff_t>(3, std::ssize(simulation.parts())));
    ASSERT_GE(event.begin, last);
    ASSERT_GE(event.end, event.begin);
    ASSERT_GE(event.begin, ends[event.thread]);
    last = event.begin;
    ends[event.thread] = event.end;
    Grid& seen = computed.try_emplace(event.generation, 700, 300).first->second;
    for (std::int64_t y = 0; y < event.tile.height; ++y) {
      for (std::int64_t x = 0; x < event.tile.width; ++x) {
        ASSERT_FALSE(seen.alive(event.tile.x + x, event.tile.y + y)) << "computed twice";
        seen.set(event.tile.x + x, event.tile.y + y);
      }
    }
  }
  for (const auto& [generation, seen] : computed) {
    EXPECT_TRUE(skips || seen.population() == 700u * 300u) << "in the pass from generation " << generation;
  }
  EXPECT_TRUE(computed.contains(0));
}

// A kernel that takes blocks writes no cell outside them, and the guard changes none.
TEST_P(EveryBoard, WritesInItsBlocksAlone) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  for (const Topology topology : {Topology::plane, Topology::torus}) {
    for (const auto& [width, height] :
         std::vector<std::pair<int, int>>{{5, 3}, {64, 20}, {301, 77}, {1100, 150}}) {
      const Grid start = Grid::random(width, height, 0.4, 8);
      if (!takes(Rule(), topology, start)) continue;
      Simulation simulation({}, topology, start, with(3));
      if (!can_guard(simulation)) {
        EXPECT_THROW(step_guarded(simulation, 1), Error);
        return;
      }
      const std::optional<StrayWrite> stray = step_guarded(simulation, 13);
      EXPECT_FALSE(stray) << "from generation " << stray->generation << " on at " << stray->cell.x << ", "
                          << stray->cell.y << " of a world of " << width << " x " << height;
      EXPECT_EQ(simulation.generation(), 13u);
      EXPECT_EQ(simulation.grid(), after(start, Rule(), topology, 13));
    }
  }
}

// The live cells of each generation, however they are counted.
TEST_P(EveryBoard, CountsEachGeneration) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  for (const Rule& rule : {Rule(), Rule::parse("B0123478/S01234678")}) {
    if (!runs(rule)) continue;
    for (const Topology topology : {Topology::plane, Topology::torus}) {
      for (const auto& [width, height] : std::vector<std::pair<int, int>>{
               {5, 3}, {64, 20}, {301, 77}, {4224, 41}, {4096, 20}, {9001, 13}}) {
        if (width > 1000 && !GetParam().starts_with("cuda/")) continue;
        const Grid start = Grid::random(width, height, 0.4, 8);
        if (!takes(rule, topology, start)) continue;
        Simulation simulation(rule, topology, start, with(2));
        Grid expected = start;
        for (const int part : {1, 3, 6, 17}) {
          const std::vector<std::uint64_t> counts = simulation.step_counting(static_cast<unsigned>(part));
          ASSERT_EQ(counts.size(), static_cast<std::size_t>(part));
          for (const std::uint64_t count : counts) {
            expected = after(expected, rule, topology, 1);
            ASSERT_EQ(count, expected.population())
                << rule.str() << " " << to_string(topology) << " " << width << " x " << height;
          }
          ASSERT_EQ(simulation.grid(), expected);
          simulation.step(5);
          expected = after(expected, rule, topology, 5);
          ASSERT_EQ(simulation.population(), expected.population());
        }
        EXPECT_EQ(simulation.generation(), 47u);
      }
    }
  }
}

TEST_P(EveryBoard, ComparesGenerations) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  for (const Topology topology : {Topology::plane, Topology::torus}) {
    for (const auto& [width, height] :
         std::vector<std::pair<int, int>>{{5, 3}, {64, 20}, {301, 77}, {4224, 41}, {9001, 13}}) {
      if (width > 1000 && !GetParam().starts_with("cuda/")) continue;
      const Grid start = Grid::random(width, height, 0.4, 8);
      if (!takes(Rule(), topology, start)) continue;
      Simulation simulation(Rule(), topology, start, with(2));
      Grid expected = after(start, Rule(), topology, 7);
      simulation.step(7);
      const std::vector<Activity> activities = simulation.step_comparing(3);
      ASSERT_EQ(activities.size(), 3u);
      for (const Activity& activity : activities) {
        const Grid before = expected;
        expected = after(expected, Rule(), topology, 1);
        std::uint64_t changed = 0;
        for (std::int64_t y = 0; y < height; ++y) {
          for (std::int64_t x = 0; x < width; ++x)
            changed += before.alive(x, y) != expected.alive(x, y) ? 1 : 0;
        }
        ASSERT_EQ(activity.changed, changed) << to_string(topology) << " " << width << " x " << height;
        ASSERT_EQ(activity.population, expected.population());
      }
      ASSERT_EQ(simulation.grid(), expected);
      ASSERT_EQ(simulation.generation(), 10u);
    }
  }
}

// Observers are called, and who asks may stop.
TEST_P(EveryBoard, ComparesGenerationsOnAPlaneWithoutEdges) {
  Pattern start;
  start.cells = Grid::random(30, 30, 0.5, 5);
  if (!runs(Rule()) || !takes_growing(Rule(), start)) GTEST_SKIP() << "only worlds of certain sizes";
  Simulation simulation = Simulation::unbounded(Rule(), start, with(2));
  Simulation expected = Simulation::unbounded(Rule(), start);
  int observed = 0;
  const Observation observation = simulation.observe(20, [&](const Simulation&) { ++observed; });
  const std::vector<Activity> activities = simulation.step_comparing(60);
  ASSERT_EQ(activities.size(), 60u);
  EXPECT_EQ(observed, 3);
  const std::vector<std::uint64_t> populations = expected.step_counting(60);
  for (std::size_t i = 0; i < activities.size(); ++i) ASSERT_EQ(activities[i].population, populations[i]);
  EXPECT_EQ(simulation.hash(), expected.hash());
  EXPECT_LT(simulation.step_comparing(1000, [] { return false; }).size(), 1000u);
}

// The resources of every CUDA kernel are known, and queries and timing change no cell.
TEST_P(EveryBoard, TellsItsResources) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  const bool cuda = GetParam().starts_with("cuda/");
  for (const Topology topology : {Topology::plane, Topology::torus}) {
    const Grid start = Grid::random(320, 200, 0.4, 7);
    if (!takes(Rule(), topology, start)) continue;
    Simulation simulation(Rule(), topology, start, with(1));
    simulation.step(3);
    const std::optional<KernelResources> resources = kernel_resources(simulation);
    const std::optional<ConversionTimes> times = time_conversion(simulation);
    ASSERT_EQ(resources.has_value(), cuda);
    const bool is_converted = cuda && !GetParam().ends_with("out of core");  // there it is by bands
    ASSERT_EQ(times.has_value(), is_converted);
    if (cuda) {
      EXPECT_GT(resources->registers, 0);
      EXPECT_LE(resources->registers, 255);
      EXPECT_GE(resources->shared_bytes, 0);
      if (resources->occupancy) {
        EXPECT_GT(*resources->occupancy, 0);
        EXPECT_LE(*resources->occupancy, 1);
      }
    }
    if (is_converted) {
      EXPECT_GT(times->encode_seconds, 0);
      EXPECT_GT(times->decode_seconds, 0);
    }
    simulation.step(14);
    EXPECT_EQ(simulation.grid(), after(start, Rule(), topology, 17)) << to_string(topology);
  }
}

}  // namespace
}  // namespace moorea::test
