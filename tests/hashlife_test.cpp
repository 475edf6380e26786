// SPDX-License-Identifier: MIT
// HashLife equals the dense boards, cell by cell: random rules, soups, numbers of generations and batches,
// with collections at random moments and under random limits of memory, few bits of hashes, on planes and
// tori, with every base kernel, on one to three threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "choose/window_steps.h"
#include "definition.h"
#include "moorea/bundled.h"
#include "moorea/error.h"
#include "moorea/grid.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"
#include "trees/tree_world.h"

namespace moorea::test {
namespace {

MakeBase base_by(const std::string& kernel) {
  return [kernel](const Rule& even, const Rule& odd) { return base_steps(even, odd, kernel); };
}

Grid window_of(const TreeWorld& world, const Box& box) {
  Grid cells(box.width, box.height);
  world.read(box, cells.view());
  return cells;
}

// Cells of a dense world after some generations.
Grid dense(const Grid& start, const Rule& rule, Topology topology, int generations) {
  Options options;
  options.kernel = "cpu/bits";
  options.threads = 1;
  Simulation simulation(rule, topology, start, options);
  simulation.step(static_cast<std::uint64_t>(generations));
  return simulation.grid();
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::int64_t number(std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(engine_);
  }
  bool coin() { return number(0, 1) != 0; }

 private:
  std::mt19937_64 engine_;
};

Rule random_rule(Random& random) {
  switch (random.number(0, 5)) {
    case 0:
    case 1:
      return {};
    case 2:  // B0 without S8, with S8
      return Rule(static_cast<unsigned>(random.number(0, 511)) | 1,
                  static_cast<unsigned>(random.number(0, 255)));
    case 3:
      return Rule(static_cast<unsigned>(random.number(0, 511)) | 1,
                  static_cast<unsigned>(random.number(256, 511)));
    default:
      return Rule(static_cast<unsigned>(random.number(0, 511)), static_cast<unsigned>(random.number(0, 511)));
  }
}

struct Case {
  EngineOptions engine;
  StoreOptions store;
  std::string kernel;
};

Case random_case(Random& random) {
  Case made;
  made.engine.huge_pages = made.store.huge_pages = random.coin();
  made.engine.batch = static_cast<std::size_t>(random.coin() ? 256 : random.number(1, 40));
  made.engine.threads = static_cast<int>(random.number(1, 3));
  made.engine.always_shares = static_cast<std::size_t>(random.number(1, 30));
  if (random.number(0, 2) == 0) {
    const std::int64_t interval = random.number(1, 60);
    made.engine.collects = [interval, engine = std::make_shared<Random>(static_cast<unsigned>(interval))] {
      return engine->number(1, interval) == 1;
    };
  }
  if (random.number(0, 2) == 0)
    made.engine.memory = static_cast<std::size_t>(random.number(128, random.coin() ? 500 : 2000)) << 10;
  if (random.number(0, 3) == 0) made.store.hash_mask = std::uint64_t{0xF} << 60 | 0x3;
  const std::vector<std::string> kernels = window_kernels();
  made.kernel = kernels[static_cast<std::size_t>(random.number(0, std::ssize(kernels) - 1))];
  return made;
}

// Generations by which the world advances: none if the limit of memory is too low, or the one in which the
// background of a rule with B0 has become another.
int advanced_by(TreeWorld& world, int generations) {
  const BigInteger before = world.generation();
  try {
    world.advance(generations);
    EXPECT_EQ(world.generation(), before + generations);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory) << error.what();
  }
  return static_cast<int>((world.generation() - before).as_signed().value_or(0));
}

std::int64_t cases(std::int64_t sample) {
  return std::getenv("MOOREA_TEST_ALL") != nullptr ? 10'000 : sample;
}

// A plane with margins in which nothing that happens at its edge reaches the soup's light cone.
TEST(HashLife, EqualsTheDenseBoardOnThePlane) {
  Random random(20261124);
  std::uint64_t limited_collections = 0;
  for (std::int64_t i = 0; i < cases(160); ++i) {
    const Rule rule = random_rule(random);
    const Case made = random_case(random);
    const Grid soup = Grid::random(random.number(1, 90), random.number(1, 90), random.coin() ? 0.4 : 0.05,
                                   static_cast<std::uint64_t>(i));
    const Position at = {random.number(-100, 100), random.number(-100, 100)};
    TreeWorld world({rule, Topology::unbounded, 0, 0}, base_by(made.kernel), made.engine, made.store);
    world.load(soup, at);
    int generations = 0;
    for (std::int64_t step = random.number(1, 3); step > 0; --step) {
      const std::int64_t power = std::int64_t{1} << random.number(0, 7);
      const auto more = static_cast<int>(random.coin() ? power : random.number(0, random.coin() ? 9 : 130));
      generations += advanced_by(world, more);
    }
    if (made.engine.memory != 0 && !made.engine.collects) limited_collections += world.engine().collections();
    const std::int64_t margin = 2 * generations + 3;
    Grid start(soup.width() + 2 * margin, soup.height() + 2 * margin);
    start.paste(soup, {margin, margin});
    const Box seen = {margin / 2, margin / 2, start.width() - margin, start.height() - margin};
    const Grid expected = dense(start, rule, Topology::plane, generations).crop(seen);
    const Position origin = at - Position{margin, margin};
    ASSERT_EQ(window_of(world, seen.translated(origin)), expected)
        << rule.str() << ", " << soup.width() << " x " << soup.height() << ", " << generations
        << " generations, case " << i;
    EXPECT_EQ(world.generation(), BigInteger(generations));
    if (world.background()) continue;
    ASSERT_EQ(world.population(), BigInteger(expected.population())) << rule.str() << ", case " << i;
    const std::optional<Box> live = expected.bounding_box();
    ASSERT_EQ(world.extent().has_value(), live.has_value());
    if (live) {
      EXPECT_EQ(world.extent()->left.as_signed(), live->x + seen.x + origin.x);
    }
  }
  EXPECT_GT(limited_collections, 20u);
}

TEST(HashLife, EqualsTheDenseBoardOnTori) {
  Random random(7);
  for (std::int64_t i = 0; i < cases(120); ++i) {
    const Rule rule = random_rule(random);
    const Case made = random_case(random);
    Grid cells = Grid::random(std::int64_t{1} << random.number(0, 7), std::int64_t{1} << random.number(0, 7),
                              0.4, static_cast<std::uint64_t>(i));
    const WorldSpec spec = {rule, Topology::torus, cells.width(), cells.height()};
    TreeWorld world(spec, base_by(made.kernel), made.engine, made.store);
    world.load(cells, {});
    for (int step = 0; step < 3; ++step) {
      const auto generations =
          static_cast<int>(random.coin() ? std::int64_t{1} << random.number(0, 8) : random.number(0, 150));
      cells = dense(cells, rule, Topology::torus, advanced_by(world, generations));
      ASSERT_EQ(window_of(world, spec.box()), cells)
          << spec.str() << ", " << generations << " generations, case " << i;
      ASSERT_EQ(world.population(), BigInteger(cells.population())) << spec.str();
      const Grid patch = Grid::random(random.number(1, 20), random.number(1, 20), 0.5, 3);
      const Position at = {random.number(-5, 100), random.number(-5, 100)};
      world.write(patch, at, PasteMode::bitwise_xor);
      cells.paste(patch, at, PasteMode::bitwise_xor);
      ASSERT_EQ(window_of(world, spec.box()), cells) << spec.str();
    }
  }
}

std::unique_ptr<TreeWorld> bundled_world(const std::string& name, const EngineOptions& engine = {}) {
  const Pattern pattern = bundled_pattern(name + ".rle");
  auto world = std::make_unique<TreeWorld>(WorldSpec{Rule(), Topology::unbounded, 0, 0},
                                           base_by(window_kernels().front()), engine);
  world->load(pattern.cells, {});
  return world;
}

// Populations that others have published (LifeWiki).
TEST(HashLife, KnowsTheEndsOfMethuselahs) {
  const struct {
    const char* name;
    int generations, population;
  } published[] = {
      {"r-pentomino", 1103, 116}, {"diehard", 130, 0}, {"acorn", 5206, 633}, {"rabbits", 17331, 1744}};
  for (const auto& each : published) {
    const auto whole = bundled_world(each.name), parts = bundled_world(each.name);
    whole->advance(each.generations);
    EXPECT_EQ(whole->population(), BigInteger(each.population)) << each.name;
    for (int done = 0; done < each.generations; done += 577)
      parts->advance(std::min(577, each.generations - done));
    EXPECT_EQ(parts->population(), BigInteger(each.population)) << each.name;
  }
}

TEST(HashLife, ReachesGenerationsOfAnySize) {
  for (const std::size_t exponent : {60, 61, 64, 100, 1000, 4090}) {
    const BigInteger far = BigInteger::power_of_two(exponent);
    const auto glider = bundled_world("glider");
    const Extent before = *glider->extent();
    glider->advance(far);
    EXPECT_EQ(glider->population(), BigInteger(5));
    EXPECT_EQ(glider->extent()->right, before.right + (far >> 2));
    EXPECT_EQ(glider->extent()->top, before.top + (far >> 2));
    // A gun of period 30 with 36 cells: each period adds a glider
    const auto gun = bundled_world("gosper-glider-gun");
    BigInteger thirty;
    for (int i = 0; i < 30; ++i) thirty += far;
    gun->advance(thirty);
    EXPECT_EQ(gun->population(), far + (far << 2) + 36) << exponent;
    EXPECT_EQ(gun->generation(), thirty);
  }
}

// A torus of 8 x 8 with a glider, which returns after 32 generations.
TEST(HashLife, ReachesGenerationsOfAnySizeOnTori) {
  const Pattern glider = bundled_pattern("glider.rle");
  for (const std::int64_t side : {8, 64}) {
    Grid cells(side, side);
    cells.paste(glider.cells, {2, 1});
    const WorldSpec spec = {Rule(), Topology::torus, side, side};
    TreeWorld world(spec, base_by(window_kernels().back()), {});
    world.load(cells, {});
    world.advance(BigInteger::power_of_two(200));
    EXPECT_EQ(window_of(world, spec.box()), cells);
    world.advance(BigInteger::power_of_two(200) + 4);
    EXPECT_EQ(window_of(world, spec.box()), dense(cells, Rule(), Topology::torus, 4));
  }
}

// The limit is kept by collections in the middle of a step, and the result is that without a limit.
TEST(HashLife, KeepsALimitOfMemory) {
  const Grid soup = Grid::random(300, 300, 0.4, 5);
  EngineOptions limited;
  limited.huge_pages = false;
  limited.memory = std::size_t{3} << 19;
  const WorldSpec plane = {Rule(), Topology::unbounded, 0, 0};
  const MakeBase base = base_by(window_kernels().front());
  TreeWorld world(plane, base, limited, {.huge_pages = false}), free(plane, base, {});
  world.load(soup, {});
  free.load(soup, {});
  for (const int generations : {500, 333, 800}) {
    world.advance(generations);
    free.advance(generations);
    EXPECT_LE(world.engine().bytes(), limited.memory * 5 / 4);
    const Box seen = {-1700, -1700, 3700, 3700};
    ASSERT_EQ(window_of(world, seen), window_of(free, seen));
  }
  EXPECT_GT(world.engine().collections(), 3u);
  EXPECT_EQ(free.engine().collections(), 0u);
  EXPECT_GT(free.engine().bytes(), 3 * limited.memory);
}

TEST(HashLife, KeepsResultsBetweenSteps) {
  TreeWorld world({Rule(), Topology::unbounded, 0, 0}, base_by(window_kernels().front()), {});
  std::uint64_t evaluations = 0;
  for (const bool is_known : {false, true}) {
    world.load(Grid::random(200, 200, 0.4, 3), {});
    const std::uint64_t before = world.engine().evaluations();
    for (const int generations : {700, 512}) world.advance(generations);
    const std::uint64_t now = world.engine().evaluations() - before;
    // Of 700 generations, what is below a power of two is computed again
    if (is_known) {
      EXPECT_LT(now, evaluations / 2);
    }
    evaluations = now;
  }
  EXPECT_GT(evaluations, 0u);
}

TEST(HashLife, SaysThatALimitIsTooLow) {
  const Grid soup = Grid::random(600, 600, 0.4, 5);
  EngineOptions limited;
  limited.memory = std::size_t{128} << 10;
  limited.threads = 3;
  limited.always_shares = 1;
  TreeWorld world({Rule(), Topology::unbounded, 0, 0}, base_by(window_kernels().front()), limited);
  world.load(soup, {});
  for (int i = 0; i < 2; ++i) {
    try {
      world.advance(1000);
      FAIL() << "it did not notice";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::memory);
      EXPECT_NE(std::string(error.what()).find("more than 128.0 KiB"), std::string::npos) << error.what();
    }
    EXPECT_EQ(window_of(world, {0, 0, 600, 600}), soup);
    EXPECT_EQ(world.generation(), BigInteger(0));
  }
}

// Threads look up what is there; which nodes there are, and which are evaluated, does not depend on them.
TEST(HashLife, IsTheSameOnAnyNumberOfThreads) {
  const WorldSpec plane = {Rule(), Topology::unbounded, 0, 0};
  const Grid soup = Grid::random(200, 200, 0.4, 11);
  std::vector<std::unique_ptr<TreeWorld>> worlds;
  for (const int threads : {1, 2, 3, 8}) {
    EngineOptions options;
    options.threads = threads;
    // The last one chooses between a team and one thread, as it does for users
    options.always_shares = threads == 8 ? 0 : 4;
    if (threads == 8) options.batch = 4096;
    worlds.push_back(std::make_unique<TreeWorld>(plane, base_by(window_kernels().front()), options));
    worlds.back()->load(soup, {});
  }
  TreeWorld& alone = *worlds.front();
  const Box seen = {-700, -700, 1600, 1600};
  for (const int generations : {256, 131, 7}) {
    for (const auto& world : worlds) {
      world->advance(generations);
      EXPECT_EQ(world->population(), alone.population());
      EXPECT_EQ(world->store().nodes(), alone.store().nodes());
      EXPECT_EQ(world->engine().evaluations(), alone.engine().evaluations());
      ASSERT_EQ(window_of(*world, seen), window_of(alone, seen));
    }
  }
}

// A step that is interrupted between phases of a team leaves the world as it was, and can be repeated.
TEST(HashLife, StopsTeamsWhenAsked) {
  const WorldSpec plane = {Rule(), Topology::unbounded, 0, 0};
  EngineOptions options;
  options.threads = 3;
  options.always_shares = 4;
  TreeWorld world(plane, base_by(window_kernels().front()), options);
  const Grid soup = Grid::random(300, 300, 0.4, 5);
  world.load(soup, {});
  int asked = 0;
  for (const int most : {0, 1, 3, 6}) {
    asked = 0;
    EXPECT_FALSE(world.advance(500, [&] { return asked++ < most; })) << most;
    EXPECT_EQ(world.generation(), BigInteger(0));
    EXPECT_EQ(window_of(world, {0, 0, 300, 300}), soup);
  }
  EXPECT_TRUE(world.advance(500));
  TreeWorld alone(plane, base_by(window_kernels().front()), {});
  alone.load(soup, {});
  alone.advance(500);
  const Box seen = {-1100, -1100, 2500, 2500};
  EXPECT_EQ(window_of(world, seen), window_of(alone, seen));
}

TEST(HashLife, RefusesWorldsWithoutItsSymmetry) {
  const MakeBase base = base_by(window_kernels().front());
  for (const WorldSpec& spec :
       {WorldSpec{Rule(), Topology::torus, 100, 64}, WorldSpec{Rule(), Topology::plane, 64, 64}}) {
    try {
      TreeWorld world(spec, base, {});
      FAIL() << spec.str();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    }
  }
}

}  // namespace
}  // namespace moorea::test
