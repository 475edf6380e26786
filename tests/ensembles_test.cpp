// SPDX-License-Identifier: MIT
// Worlds of an ensemble are those of a Simulation each, whatever the kernel, the size and the threads.
#include "moorea/ensemble.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "ensemble_cases.h"
#include "moorea/pattern.h"

namespace {

using moorea::Ensemble;
using moorea::EnsembleSpec;
using moorea::Grid;
using moorea::Rule;
using moorea::Size;
using moorea::Topology;

EnsembleSpec spec_of(Size size, Topology topology, std::uint64_t worlds, const char* rule = "B3/S23") {
  EnsembleSpec spec;
  spec.size = size;
  spec.topology = topology;
  spec.groups = {{Rule::parse(rule), worlds}};
  spec.density = 0.375;
  spec.seed = 7;
  return spec;
}

// The first world, the last one and some between.
std::vector<std::uint64_t> sample_of(std::uint64_t worlds) {
  std::vector<std::uint64_t> sample;
  for (std::uint64_t i = 0; i < worlds; i += worlds / 5 + 1) sample.push_back(i);
  sample.push_back(worlds - 1);
  return sample;
}

void expect_worlds(const Ensemble& ensemble, std::uint64_t generations) {
  const auto populations = ensemble.populations();
  const auto hashes = ensemble.hashes();
  const auto boxes = ensemble.bounding_boxes();
  for (const std::uint64_t world : sample_of(ensemble.size())) {
    moorea::Simulation simulation = ensembles::simulation_of(ensemble.spec(), world);
    simulation.step(generations);
    ASSERT_EQ(ensemble.world(world), simulation.window(simulation.box())) << "world " << world;
    EXPECT_EQ(populations[world], simulation.population());
    EXPECT_EQ(hashes[world], simulation.hash());
    EXPECT_EQ(boxes[world], simulation.bounding_box());
    EXPECT_EQ(ensemble.generations()[world], generations);
  }
}

TEST(Ensembles, AreSimulations) {
  for (const std::string& kernel : ensembles::kernels()) {
    for (const Size size :
         {Size{1, 1}, Size{3, 5}, Size{2, 1}, Size{1, 6}, Size{17, 16}, Size{64, 64}, Size{100, 37}}) {
      for (const Topology topology : {Topology::torus, Topology::plane}) {
        // A named rule, one that runs by machine code, and one with B0
        for (const char* rule : {"B3/S23", "B35678/S024", "B02/S13"}) {
          SCOPED_TRACE(kernel + " " + rule + " " + std::to_string(size.width) + "x" +
                       std::to_string(size.height) + " " + std::string(moorea::to_string(topology)));
          Ensemble ensemble(spec_of(size, topology, 77, rule), {kernel, 2});
          ensemble.step(1);
          ensemble.step(22);
          expect_worlds(ensemble, 23);
        }
      }
    }
  }
}

TEST(Ensembles, LargerThanTheCacheAreSimulations) {
  for (const std::string& kernel : ensembles::kernels()) {
    for (const Size size : {Size{200, 301}, Size{1027, 64}, Size{2050, 33}}) {
      for (const Topology topology : {Topology::torus, Topology::plane}) {
        SCOPED_TRACE(kernel + " " + std::to_string(size.width));
        EnsembleSpec spec = spec_of(size, topology, 3);
        Ensemble ensemble(spec, {kernel, 1});
        ensemble.step(11);
        expect_worlds(ensemble, 11);
      }
    }
  }
}

TEST(Ensembles, HaveManyBatchesGroupsAndThreads) {
  EnsembleSpec spec = spec_of({20, 9}, Topology::torus, 700);
  spec.groups.push_back({Rule::parse("B36/S23"), 0});
  spec.groups.push_back({Rule::parse("B4678/S35678"), 1300});
  for (const int threads : {1, 3}) {
    Ensemble ensemble(spec, {"", threads});
    ensemble.step(40);
    expect_worlds(ensemble, 40);
  }
}

TEST(Ensembles, DoNotDependOnTheirNumber) {
  const Ensemble few(spec_of({70, 10}, Topology::torus, 2)), many(spec_of({70, 10}, Topology::torus, 600));
  EXPECT_EQ(few.world(1), many.world(1));
  EXPECT_EQ(many.world(599), Grid::random(70, 10, 0.375, moorea::world_seed(7, 599)));
  EXPECT_FALSE(many.world(0) == many.world(1));
}

TEST(Ensembles, AreReadInParts) {
  EnsembleSpec spec = spec_of({70, 9}, Topology::torus, 700);
  spec.groups.push_back({Rule::parse("B36/S23"), 90});
  const Ensemble ensemble(spec, {"", 2});
  for (const auto& [first, count] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {0, 790}, {63, 2}, {500, 20}, {699, 2}, {789, 1}, {5, 0}, {790, 0}}) {
    const std::vector<Grid> worlds = ensemble.worlds(first, count);
    ASSERT_EQ(worlds.size(), count);
    for (std::uint64_t i = 0; i < count; ++i) EXPECT_EQ(worlds[i], ensemble.world(first + i));
  }
  EXPECT_THROW(ensemble.worlds(789, 2), moorea::Error);
  EXPECT_THROW(ensemble.worlds(791, 0), moorea::Error);
}

// Published outputs of SplitMix64 with the state 1234567 (Rosetta Code, "Pseudo-random numbers/Splitmix64").
TEST(Ensembles, SeedsAreThoseOfSplitMix64) {
  const std::uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                    4593380528125082431u, 16408922859458223821u};
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_EQ(moorea::world_seed(1234567, i), expected[i]);
}

TEST(Ensembles, AdvanceEachWorldByItsOwnNumber) {
  const EnsembleSpec spec = spec_of({33, 12}, Topology::torus, 530);
  Ensemble ensemble(spec);
  std::vector<std::uint64_t> generations(530);
  for (std::size_t i = 0; i < generations.size(); ++i) generations[i] = i % 7 * 5;
  ensemble.step(generations);
  EXPECT_EQ(ensemble.generations(), generations);
  ensemble.step(3);
  for (const std::uint64_t world : {0, 1, 6, 64, 511, 512, 529}) {
    moorea::Simulation simulation = ensembles::simulation_of(spec, world);
    simulation.step(generations[world] + 3);
    EXPECT_EQ(ensemble.hashes()[world], simulation.hash()) << world;
  }
  EXPECT_THROW(ensemble.step(std::vector<std::uint64_t>(3)), moorea::Error);
}

TEST(Ensembles, CountEachGeneration) {
  for (const std::string& kernel : ensembles::kernels()) {
    const EnsembleSpec spec = spec_of({21, 13}, Topology::plane, 515);
    Ensemble counted(spec, {kernel, 2}), compared(spec, {kernel, 2});
    const auto populations = counted.step_counting(9);
    std::vector<std::vector<std::uint64_t>> changed;
    for (int g = 0; g < 9; ++g) changed.push_back(compared.step_comparing());
    for (const std::uint64_t world : {0, 63, 64, 300, 514}) {
      moorea::Simulation simulation = ensembles::simulation_of(spec, world);
      const auto expected = simulation.step_comparing(9);
      for (std::size_t g = 0; g < 9; ++g) {
        EXPECT_EQ(populations[g * 515 + world], expected[g].population) << kernel << " world " << world;
        EXPECT_EQ(changed[g][world], expected[g].changed) << kernel << " world " << world;
      }
    }
  }
}

// One world for each pattern, on a torus.
EnsembleSpec patterns_on(Size size, const std::vector<const char*>& texts) {
  EnsembleSpec spec = spec_of(size, Topology::torus, texts.size());
  std::vector<Grid> grids;
  for (const char* text : texts) {
    Grid grid(size.width, size.height);
    grid.paste(moorea::parse_pattern(text, "test").cells, {2, 2});
    grids.push_back(std::move(grid));
  }
  spec.start = [grids](std::uint64_t world) { return grids[world]; };
  return spec;
}

TEST(Ensembles, FindPeriods) {
  const EnsembleSpec spec = patterns_on(
      {17, 19}, {"x = 3, y = 1\n!", "x = 3, y = 1\n3o!", "x = 2, y = 2\n2o$2o!",
                 "x = 13, y = 13\n2b3o3b3o2b2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2b2$2b3o3b3o2b$"
                 "o4bobo4bo$o4bobo4bo$o4bobo4bo2$2b3o3b3o!",
                 "x = 3, y = 3\nbo$2bo$3o!"});
  for (const std::string& kernel : ensembles::kernels()) {
    const Ensemble ensemble(spec, {kernel, 1});
    // The glider returns after 4 * 17 * 19 generations: a cell in both directions takes four
    EXPECT_EQ(ensemble.periods(60), (std::vector<std::uint32_t>{1, 2, 1, 3, 0}));
    EXPECT_EQ(ensemble.periods(4 * 17 * 19), (std::vector<std::uint32_t>{1, 2, 1, 3, 4 * 17 * 19}));
    EXPECT_EQ(ensemble.world(4), spec.cells(4));
    EXPECT_EQ(ensemble.generations(), std::vector<std::uint64_t>(5));
  }
}

TEST(Ensembles, PeriodsOfSoupsAreThoseOfBruteForce) {
  Ensemble ensemble(spec_of({12, 8}, Topology::torus, 520));
  ensemble.step(300);
  const auto periods = ensemble.periods(100);  // of a glider: 4 * 24
  std::uint64_t longer = 0;
  for (std::uint64_t world = 0; world < 520; world += 3) {
    moorea::Simulation simulation = ensembles::simulation_of(ensemble.spec(), world);
    simulation.step(300);
    EXPECT_EQ(periods[world], ensembles::period_of(simulation, 100)) << world;
    longer += periods[world] > 2 ? 1 : 0;
  }
  EXPECT_GT(longer, 0u);
}

TEST(Ensembles, ChooseTheKernel) {
  const std::vector<std::string> supported = ensembles::kernels();
  const auto chosen = [](Size size, std::initializer_list<std::uint64_t> groups) {
    EnsembleSpec spec = spec_of(size, Topology::torus, 0);
    spec.groups.clear();
    for (const std::uint64_t worlds : groups) spec.groups.push_back({Rule(), worlds});
    return Ensemble(spec).kernel();
  };
  const bool avx512 = supported.back() == "cpu/strided_avx512", avx2 = supported.size() > 1;
  const std::string wide = avx512 ? "cpu/strided_avx512" : "cpu/strided", widest = supported.back();
  // Worlds that do not fill a vector, of a board that is small with AVX-512
  EXPECT_EQ(chosen({64, 64}, {1}), wide);
  EXPECT_EQ(chosen({64, 64}, {64}), wide);
  EXPECT_EQ(chosen({256, 256}, {64}), wide);
  EXPECT_EQ(chosen({64, 64}, {65}), widest);
  // of one that is large
  EXPECT_EQ(chosen({400, 400}, {64}), "cpu/strided");
  EXPECT_EQ(chosen({400, 400}, {64, 1}), "cpu/strided");
  EXPECT_EQ(chosen({400, 400}, {65}), avx2 ? "cpu/strided_avx2" : "cpu/strided");
  EXPECT_EQ(chosen({400, 400}, {257}), widest);
}

TEST(Ensembles, Edit) {
  const EnsembleSpec spec = spec_of({65, 5}, Topology::torus, 66);
  Ensemble ensemble(spec);
  ensemble.step(1);
  const Grid blinker = moorea::parse_pattern("x = 65, y = 5\n2$31b3o!", "test").cells;
  Grid start(65, 5);
  start.paste(blinker, {});
  ensemble.set_world(65, start);
  ensemble.step(2);
  EXPECT_EQ(ensemble.world(65), start);
  moorea::Simulation other = ensembles::simulation_of(spec, 64);
  other.step(3);
  EXPECT_EQ(ensemble.world(64), other.window(other.box()));
}

// A rule under which soups do not become periodic.
EnsembleSpec endless_worlds() { return spec_of({64, 64}, Topology::torus, 1100, "B2/S"); }

// Every world is whole, at the generation that the ensemble says, wherever it was interrupted.
void expect_whole(const Ensemble& ensemble) {
  const auto generations = ensemble.generations();
  for (const std::uint64_t world : sample_of(ensemble.size())) {
    moorea::Simulation simulation = ensembles::simulation_of(ensemble.spec(), world);
    simulation.step(generations[world]);
    EXPECT_EQ(ensemble.world(world), simulation.window(simulation.box())) << "world " << world;
  }
}

TEST(Ensembles, AreInterrupted) {
  constexpr std::uint64_t endless = std::uint64_t{1} << 60;
  for (const int threads : {1, 2, 5}) {  // the caller has boards to advance, or waits for the others
    const std::thread::id caller = std::this_thread::get_id();
    int calls = 0;
    const auto third = [&] {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      return ++calls % 3 != 0;
    };
    Ensemble ensemble(endless_worlds(), {"", threads});
    ensemble.step(endless, third);
    EXPECT_EQ(calls, 3);
    expect_whole(ensemble);
    std::vector<std::uint64_t> own(ensemble.size(), endless);
    own[1] = own[1099] = 5;
    const std::vector<std::uint64_t> before = ensemble.generations();
    ensemble.step(own, third);
    EXPECT_EQ(ensemble.generations()[1], before[1] + 5);
    expect_whole(ensemble);
    const std::vector<std::uint64_t> uncounted = ensemble.generations();
    const auto populations = ensemble.step_counting(2000, [] { return false; });
    expect_whole(ensemble);
    for (std::uint64_t world = 0; world < 1100; ++world) {
      const std::uint64_t counted = ensemble.generations()[world] - uncounted[world];
      ASSERT_LE(counted, 2000u);
      EXPECT_TRUE(counted == 0 || populations[(counted - 1) * 1100 + world] != 0);
      EXPECT_TRUE(counted == 2000 || populations[counted * 1100 + world] == 0);
    }
    const std::vector<std::uint64_t> hashes = ensemble.hashes();
    ensemble.periods(0xFFFFFFFF, third);
    EXPECT_EQ(calls, 9);
    EXPECT_EQ(ensemble.hashes(), hashes);
    EXPECT_THROW(ensemble.step(endless, []() -> bool { throw std::runtime_error("stop"); }),
                 std::runtime_error);
    expect_whole(ensemble);
  }
}

TEST(Ensembles, CatchUpAfterAnInterruption) {
  Ensemble ensemble(endless_worlds(), {"", 2});
  ensemble.step(std::uint64_t{1} << 60, [] { return false; });
  std::vector<std::uint64_t> left = ensemble.generations();
  const std::uint64_t latest = *std::max_element(left.begin(), left.end());
  for (std::uint64_t& each : left) each = latest - each;
  ensemble.step(left);
  EXPECT_EQ(ensemble.generations(), std::vector<std::uint64_t>(ensemble.size(), latest));
  expect_whole(ensemble);
}

TEST(Ensembles, RefuseMorePopulationsThanMemory) {
  Ensemble ensemble(spec_of({8, 8}, Topology::torus, 2));
  try {
    ensemble.step_counting(std::uint64_t{1} << 50);
    ADD_FAILURE() << "not refused";
  } catch (const moorea::Error& error) {
    EXPECT_EQ(error.kind(), moorea::ErrorKind::memory);
  }
}

void expect_refusal(const EnsembleSpec& spec, const moorea::EnsembleOptions& options,
                    const std::string& text) {
  try {
    Ensemble ensemble(spec, options);
    ADD_FAILURE() << "not refused";
  } catch (const moorea::Error& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(Ensembles, AreRefused) {
  const EnsembleSpec spec = spec_of({8, 8}, Topology::torus, 2);
  EnsembleSpec other = spec;
  other.size.width = 0;
  expect_refusal(other, {}, "0 x 8 cells: expected at least 1 x 1");
  other.size.width = std::int64_t{1} << 60;
  expect_refusal(other, {}, "expected at most 2^48 cells each");
  other = spec;
  other.groups.clear();
  expect_refusal(other, {}, "without worlds");
  other = spec;
  other.groups[0].worlds = UINT64_MAX;
  expect_refusal(other, {}, "18446744073709551615 worlds of 8 x 8 cells");
  other.groups.push_back({Rule(), 1});
  expect_refusal(other, {}, "more than 2^64 - 1 worlds");
  other = spec;
  other.topology = Topology::unbounded;
  expect_refusal(other, {}, "expected plane or torus");
  other = spec;
  other.start = [](std::uint64_t) { return Grid(3, 3); };
  expect_refusal(other, {}, "the start of world");
  expect_refusal(spec, {"cpu/bits", 1}, "does not advance ensembles");
  expect_refusal(spec, {"", -1}, "-1 threads");
  const Ensemble ensemble(spec);
  EXPECT_THROW(ensemble.world(2), moorea::Error);
}

}  // namespace
