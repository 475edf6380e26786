// SPDX-License-Identifier: MIT
// Bundled patterns have their published properties: period, displacement per period, settling time, and final
// population.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <string>
#include <tuple>

#include "moorea/bundled.h"
#include "moorea/error.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"

namespace moorea {
namespace {

Simulation started(const std::string& name) { return Simulation::of(bundled_pattern(name + ".rle")); }

struct Mover {
  const char* name;
  std::uint64_t period;
  std::int64_t x, y;
};

void PrintTo(const Mover& mover, std::ostream* out) { *out << mover.name; }

class Movers : public testing::TestWithParam<Mover> {};

TEST_P(Movers, ComeBackElsewhereAndNotBefore) {
  const Mover& mover = GetParam();
  Simulation simulation = started(mover.name);
  const Box box = simulation.bounding_box().value();
  const Grid cells = simulation.window(box);
  for (std::uint64_t generation = 1; generation <= mover.period; ++generation) {
    simulation.step();
    const Box now = simulation.bounding_box().value();
    const bool same = now.width == box.width && now.height == box.height && simulation.window(now) == cells;
    EXPECT_EQ(same, generation == mover.period) << "generation " << generation;
    if (generation == mover.period) {
      EXPECT_EQ(std::abs(now.x - box.x), mover.x);
      EXPECT_EQ(std::abs(now.y - box.y), mover.y);
    }
  }
}

// In the literature of Life, a pattern of period p that moves by (x, y) is denoted by p, (x,y)c/p.
INSTANTIATE_TEST_SUITE_P(Patterns, Movers,
                         testing::Values(Mover{"glider", 4, 1, 1}, Mover{"lightweight-spaceship", 4, 2, 0},
                                         Mover{"middleweight-spaceship", 4, 2, 0},
                                         Mover{"heavyweight-spaceship", 4, 2, 0},
                                         Mover{"copperhead", 10, 0, 1}, Mover{"loafer", 7, 1, 0},
                                         Mover{"weekender", 7, 0, 2}, Mover{"pulsar", 3, 0, 0},
                                         Mover{"pentadecathlon", 15, 0, 0}, Mover{"kok-galaxy", 8, 0, 0},
                                         Mover{"queen-bee-shuttle", 30, 0, 0}),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           std::erase(name, '-');
                           return name;
                         });

TEST(Bundled, GunsShoot) {
  Simulation gosper = started("gosper-glider-gun"), simkin = started("simkin-glider-gun");
  gosper.step(30 * 10);
  EXPECT_EQ(gosper.population(), 36u + 5 * 10);
  const std::uint64_t before = simkin.population();
  simkin.step(120 * 8);
  EXPECT_EQ(simkin.population(), before + 5 * 8);
}

TEST(Bundled, MethuselahsSettle) {
  struct Settling {
    const char* name;
    std::uint64_t generations, population;
  };
  for (const auto& [name, generations, population] :
       {Settling{"acorn", 5206, 633}, Settling{"r-pentomino", 1103, 116}, Settling{"diehard", 130, 0},
        Settling{"rabbits", 17331, 1744}}) {
    Simulation simulation = started(name);
    simulation.step(generations);
    EXPECT_EQ(simulation.population(), population) << name;
    // Only blinkers and gliders are left
    simulation.step(2);
    EXPECT_EQ(simulation.population(), population) << name;
  }
}

// Growing patterns grow by the same number of cells in each period.
TEST(Bundled, GrowthGoesOn) {
  for (const auto& [name, begin, period] :
       {std::tuple{"five-by-five-growth", 2000, 288}, std::tuple{"one-row-growth", 3000, 1152}}) {
    Simulation simulation = started(name);
    simulation.step(static_cast<std::uint64_t>(begin));
    std::uint64_t first = simulation.population();
    simulation.step(static_cast<std::uint64_t>(period));
    const std::uint64_t second = simulation.population();
    simulation.step(static_cast<std::uint64_t>(period));
    EXPECT_GT(second, first) << name;
    EXPECT_EQ(simulation.population() - second, second - first) << name;
  }
}

// The ash takes long to become regular, but the engines move at half the speed of light all the time.
TEST(Bundled, ThePufferTrainGoesOn) {
  Simulation simulation = started("puffer-train");
  simulation.step(140);
  const Box before = simulation.bounding_box().value();
  simulation.step(140);
  const Box after = simulation.bounding_box().value();
  EXPECT_EQ(std::max(before.x - after.x, after.x + after.width - before.x - before.width), 70);
  EXPECT_GT(simulation.population(), 100u);
}

TEST(Bundled, TheReplicatorReplicates) {
  Simulation simulation = started("highlife-replicator");
  const std::uint64_t one = simulation.population();
  simulation.step(12);
  EXPECT_EQ(simulation.population(), 2 * one);
}

TEST(Bundled, TellWhoFoundThem) {
  EXPECT_GE(bundled_patterns().size(), 20u);
  for (const BundledPattern& each : bundled_patterns()) {
    const Pattern pattern = parse_pattern(each.text, std::string(each.name));
    EXPECT_FALSE(pattern.name.empty()) << each.name;
    EXPECT_FALSE(pattern.author.empty()) << each.name;
    EXPECT_FALSE(pattern.comments.empty()) << each.name;
    EXPECT_NO_THROW(pattern.world()) << each.name;
  }
}

TEST(Bundled, AreFoundByTheirFiles) {
  EXPECT_EQ(bundled_pattern("glider.rle").cells.population(), 5u);
  EXPECT_THROW(bundled_pattern("glider"), Error);
}

}  // namespace
}  // namespace moorea
