// SPDX-License-Identifier: MIT
// Rules with more than two states: every kernel that supports them against the definition, and the functions
// of a simulation with states.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "byte_world.h"
#include "definition.h"
#include "moorea/cells.h"
#include "moorea/error.h"
#include "moorea/simulation.h"
#include "moorea/transitions.h"
#include "rule_kernels.h"
#include "transition_rules.h"

namespace moorea::test {
namespace {

// The next state of a cell under a rule with history.
int with_history(int state, bool alive) {
  constexpr int alive_next[] = {1, 1, 1, 3, 3, 5, 6}, dead_next[] = {0, 2, 2, 4, 4, 4, 6};
  return (alive ? alive_next : dead_next)[state];
}

// One generation, cell by cell.
ByteWorld next_generation(const ByteWorld& world, const Rule& rule, Topology topology) {
  ByteWorld next(world.width(), world.height(), topology);
  const auto is_alive = [&](std::int64_t x, std::int64_t y) {
    const int state = world.at(x, y);
    return state == 1 || (rule.has_history() && (state == 3 || state == 5));
  };
  const auto is_boundary = [&](std::int64_t x, std::int64_t y) { return world.at(x, y) == 6; };
  for (std::int64_t y = 0; y < world.height(); ++y) {
    SlidingNeighbourhood live(y, is_alive);
    SlidingNeighbourhood boundary(y, is_boundary);
    for (std::int64_t x = 0; x < world.width(); ++x) {
      const int state = world.at(x, y);
      if (const Transitions* const transitions = rule.transitions()) {
        Transitions::Neighbourhood around;
        for (int i = 0; i < 9; ++i)
          around[static_cast<std::size_t>(i)] = world.at(x + i % 3 - 1, y + i / 3 - 1);
        next.set(x, y, transitions->next(around));
        continue;
      }
      const unsigned cells = live.at(x);
      if (rule.has_history()) {
        const bool is_beside_boundary = boundary.at(x) != 0;
        const bool survives = rule.two_state().next(cells) && !(is_beside_boundary && is_alive(x, y));
        next.set(x, y, with_history(state, survives));
      } else if (state < 2 && rule.two_state().next(cells)) {
        next.set(x, y, 1);
      } else if (state > 0) {
        next.set(x, y, state + 1 < rule.states() ? state + 1 : 0);
      }
    }
  }
  return next;
}

Cells after(const Cells& start, const Rule& rule, Topology topology, int generations) {
  ByteWorld world(start, topology);
  for (int i = 0; i < generations; ++i) world = next_generation(world, rule, topology);
  return world.cells(rule.states());
}

std::vector<Rule> state_rules() {
  std::vector<Rule> rules = {Rule(1 << 2, 0).with_states(3), Rule(1 << 2, 0x38).with_states(4),
                             Rule(0x38, 0x0C).with_states(8)};
  std::mt19937 random(11);
  const auto number = [&](unsigned below) { return random() % below; };
  for (const int states : {3, 4, 5, 6, 7, 9, 10, 17, 25, 130, 256})
    rules.push_back(
        Rule(static_cast<unsigned>(number(512)), static_cast<unsigned>(number(512))).with_states(states));
  for (const int states : {3, 4, 12}) {
    Rule::Table table{};
    for (std::uint64_t& word : table) word = std::uint64_t{random()} << 32 | random();
    rules.push_back(Rule(table).with_states(states));
  }
  rules.push_back(Rule::parse("WireWorld"));
  rules.push_back(Rule::parse("LifeHistory"));
  rules.push_back(
      Rule(static_cast<unsigned>(number(512)), static_cast<unsigned>(number(512))).with_history());
  rules.push_back(Rule::parse("B2-a/S12History"));
  // Trees of one to three look-ups, or of too many; and neighbourhoods that 64 bits cannot hold
  for (const int states : {3, 8, 12, 64, 65, 200}) rules.push_back(random_transitions(states, true, random));
  for (const int states : {5, 17, 32, 33, 256}) rules.push_back(random_transitions(states, false, random));
  rules.push_back(random_transitions(256, false, random, 20));
  return rules;
}

Cells without(Cells cells, int state) {
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0; x < cells.width(); ++x)
      if (cells.state(x, y) == state) cells.set(x, y, 0);
  }
  return cells;
}

TEST(States, EveryKernelIsTheDefinition) {
  // The last two are wider than a strip of a GPU's warp; rows of one of them are joined without a halo
  const std::vector<Size> sizes = {{1, 1},   {3, 2},    {64, 5},   {65, 33},   {512, 20},
                                   {513, 7}, {1024, 3}, {200, 90}, {4096, 13}, {5000, 6}};
  std::mt19937 random(12);
  const std::vector<Rule> rules = state_rules();
  for (std::size_t number = 0; number < rules.size(); ++number) {
    const Rule& rule = rules[number];
    const std::vector<std::string> kernels = kernels_for(rule, number);
    EXPECT_GE(kernels.size(), 2u);
    for (const Topology topology : {Topology::torus, Topology::plane}) {
      for (const Size& size : sizes) {
        if (random() % sampled_worlds() != 0) continue;
        Cells start = Cells::random(size.width, size.height, 0.5, random(), rule.states());
        // Cells in state 6 are not everywhere
        if (rule.has_history() && random() % 2 == 0) start = without(start, 6);
        Cells expected = start;
        std::vector<Simulation> simulations;
        for (const std::string& kernel : kernels)
          simulations.emplace_back(WorldSpec{rule, topology, size.width, size.height}, start,
                                   with(kernel, 2));
        for (const int generations : {1, 2, 16, 17}) {
          expected = after(expected, rule, topology, generations);
          for (std::size_t i = 0; i < kernels.size(); ++i) {
            simulations[i].step(static_cast<std::uint64_t>(generations));
            ASSERT_EQ(simulations[i].states(simulations[i].box()), expected)
                << rule.str() << ", " << kernels[i] << ", " << to_string(topology) << ", " << size.width
                << " x " << size.height;
          }
        }
      }
    }
  }
}

int few_cells_cases() {
#ifdef MOOREA_SANITIZED
  return 2;
#else
  return test_everything() ? 400 : 8;
#endif
}

// Every kernel but the reference computes the cells under all of the rules, which say the same.
void expect_exact(const std::vector<Rule>& rules, const WorldSpec& world, const Cells& start) {
  std::vector<Simulation> simulations;
  for (const Rule& rule : rules) {
    for (const std::string& kernel : kernels_for(rule)) {
      if (!kernel.ends_with("reference"))
        simulations.emplace_back(WorldSpec{rule, world.topology, world.width, world.height}, start,
                                 with(kernel, 3));
    }
  }
  Cells expected = start;
  for (const int generations : {5, 17, 40}) {
    expected = after(expected, world.rule, world.topology, generations);
    for (Simulation& simulation : simulations) {
      simulation.step(static_cast<std::uint64_t>(generations));
      ASSERT_EQ(simulation.states(simulation.box()), expected)
          << simulation.rule().str() << ", " << simulation.kernel() << ", " << to_string(world.topology)
          << ", " << world.width << " x " << world.height;
    }
  }
}

constexpr const char* brain_table =
    "@RULE Brain-Table\n@TABLE\nn_states:3\nneighborhood:Moore\nsymmetries:permute\n"
    "var a={0,1,2}\nvar b={a}\nvar c={a}\nvar d={a}\nvar e={a}\nvar f={a}\nvar g={a}\nvar h={a}\n"
    "var i={0,2}\nvar j={i}\nvar k={i}\nvar l={i}\nvar m={i}\nvar n={i}\n"
    "0,1,1,i,j,k,l,m,n,1\n1,a,b,c,d,e,f,g,h,2\n2,a,b,c,d,e,f,g,h,0\n";

// Noise would hide what is wrong at borders, and in bands that die out.
TEST(States, AFewCellsAreExactEverywhere) {
  const Rule rule = Rule(1 << 2, 0).with_states(3);
  const Rule table = Rule::by(Transitions::parse(brain_table, "test"));
  std::mt19937 random(13);
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    for (int i = 0; i < few_cells_cases(); ++i) {
      const Size size = size_with_borders(i, random);
      Cells start(size.width, size.height, 3);
      // Two live cells before two dying ones are a spaceship of Brian's Brain
      for (int k = 0; k < 3; ++k) {
        const std::int64_t x = random() % (size.width - 2), y = random() % (size.height - 2);
        const int ahead = static_cast<int>(random() % 2);
        for (int along = 0; along < 2; ++along) {
          start.set(x + along, y + ahead, 1);
          start.set(x + along, y + 1 - ahead, 2);
        }
      }
      expect_exact({rule, table}, {rule, topology, size.width, size.height}, start);
    }
  }
}

// All digits of the states have neighbours, in a rule of few gates and in one that is looked up.
TEST(States, AFewSignalsAreExactEverywhere) {
  std::mt19937 random(15);
  for (const auto& [states, moving] : {std::pair(4, std::array{1, 2, 3}), {17, {4, 11, 16}}}) {
    const Rule rule = signals(states, moving);
    for (const Topology topology : {Topology::torus, Topology::plane}) {
      for (int i = 0; i < few_cells_cases() / 2; ++i) {
        const Size size = size_with_borders(i, random);
        Cells start(size.width, size.height, states);
        for (const int state : moving) {
          start.set(random() % size.width, random() % size.height, state);
          start.set(random() % size.width, random() % size.height, state);
        }
        expect_exact({rule}, {rule, topology, size.width, size.height}, start);
      }
    }
  }
}

// Wires along rows and columns from edge to edge, on which an electron passes all borders.
TEST(States, AFewElectronsAreExactEverywhere) {
  const Rule rule = Rule::parse("WireWorld");
  std::mt19937 random(14);
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    for (int i = 0; i < few_cells_cases() / 2; ++i) {
      const Size size = size_with_borders(i, random);
      Cells start(size.width, size.height, 4);
      const std::int64_t row = random() % size.height, column = random() % size.width;
      for (std::int64_t x = 0; x < size.width; ++x) start.set(x, row, 3);
      for (std::int64_t y = 0; y < size.height; ++y) start.set(column, y, 3);
      for (int k = 0; k < 3; ++k) {
        const std::int64_t x = random() % (size.width - 1), y = random() % (size.height - 1);
        const bool along = random() % 2 == 0;
        start.set(along ? x : column, along ? row : y, 1);
        start.set(along ? x + 1 : column, along ? row : y + 1, 2);
      }
      expect_exact({rule}, {rule, topology, size.width, size.height}, start);
    }
  }
}

// Gliders with marks leave trails through all borders, and some meet a cell that kills what is beside it.
TEST(States, AFewGlidersLeaveExactTrails) {
  const Rule rule = Rule::parse("LifeHistory");
  std::mt19937 random(15);
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    for (int i = 0; i < few_cells_cases() / 2; ++i) {
      const Size size = size_with_borders(i, random);
      Cells start(size.width, size.height, Rule::history_states);
      for (int k = 0; k < 3; ++k) {
        const std::int64_t x = random() % (size.width - 9), y = random() % (size.height - 9);
        constexpr int glider[][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
        for (const auto& [dx, dy] : glider) start.set(x + dx, y + dy, 1 + 2 * static_cast<int>(random() % 3));
        if (i % 4 == 0) start.set(x + 8, y + 8, 6);
      }
      expect_exact({rule}, {rule, topology, size.width, size.height}, start);
    }
  }
}

TEST(States, ABoundaryThatIsPlacedLaterKills) {
  const Rule rule = Rule::parse("LifeHistory");
  for (const std::string& kernel : kernels_for(rule)) {
    Simulation simulation({rule, Topology::torus, 100, 40}, Cells(100, 40, rule.states()), with(kernel, 1));
    Cells block(2, 2, rule.states()), boundary(1, 1, rule.states());
    for (int i = 0; i < 4; ++i) block.set(i % 2, i / 2, 1);
    boundary.set(0, 0, 6);
    simulation.paste(block, {98, 0});
    simulation.step(5);
    EXPECT_EQ(simulation.population(), 4u) << kernel;
    simulation.paste(boundary, {0, 39});
    simulation.step(1);
    // The cell in the north-east of the block is beside the boundary, across both edges
    Cells expected(100, 40, rule.states());
    expected.set(98, 0, 1), expected.set(98, 1, 1), expected.set(99, 1, 1), expected.set(99, 0, 2);
    expected.set(0, 39, 6);
    EXPECT_EQ(simulation.states(simulation.box()), expected) << kernel;
  }
}

TEST(States, FactsAreThoseOfTheCells) {
  const Rule rule = Rule(0x38, 0x0C).with_states(9);
  const Cells start = Cells::random(150, 70, 0.3, 1, 9);
  for (const std::string& kernel : kernels_for(rule)) {
    Simulation simulation({rule, Topology::torus, 150, 70}, start, with(kernel, 2));
    simulation.step(3);
    const Cells cells = simulation.states(simulation.box());
    EXPECT_EQ(simulation.grid(), cells.live());
    EXPECT_EQ(simulation.population(), cells.live().population());
    EXPECT_EQ(simulation.bounding_box(), cells.live().bounding_box());
    EXPECT_EQ(simulation.hash(), cells.hash());
    EXPECT_EQ(simulation.states({-3, 60, 100, 20}), cells.crop({-3, 60, 100, 20}));
    EXPECT_EQ(simulation.window({140, -5, 30, 20}), cells.live().crop({140, -5, 30, 20}));
    const Pattern snapshot = simulation.snapshot(true);
    ASSERT_TRUE(snapshot.states);
    EXPECT_EQ(*snapshot.states, cells);
    EXPECT_EQ(snapshot.cells, cells.live());
  }
}

TEST(States, EditsKeepTheStatesOfOtherCells) {
  const Rule rule = Rule(0x38, 0x0C).with_states(5);
  const Cells start = Cells::random(130, 40, 0.4, 2, 5);
  const Grid pasted = Grid::random(70, 20, 0.5, 3);
  for (const std::string& kernel : kernels_for(rule)) {
    for (const PasteMode mode :
         {PasteMode::replace, PasteMode::bitwise_or, PasteMode::bitwise_xor, PasteMode::bitwise_and_not}) {
      Simulation simulation({rule, Topology::plane, 130, 40}, start, with(kernel, 1));
      simulation.paste(pasted, {80, -3}, mode);
      Grid live = start.live();
      live.paste(pasted, {80, -3}, mode);
      Cells expected = start;
      for (std::int64_t y = 0; y < 40; ++y) {
        for (std::int64_t x = 0; x < 130; ++x) {
          const bool is_replaced = mode == PasteMode::replace && x >= 80 && y < 17;
          if (!live.alive(x, y)) {
            expected.set(x, y, 0);
          } else if (is_replaced || start.state(x, y) == 0) {
            expected.set(x, y, 1);
          }
        }
      }
      EXPECT_EQ(simulation.states(simulation.box()), expected) << kernel << ", " << to_string(mode);
      const Cells other = Cells::random(50, 30, 0.7, 4, 3);
      simulation.paste(other, {-10, 15});
      expected.paste(other, {-10, 15});
      EXPECT_EQ(simulation.states(simulation.box()), expected) << kernel;
      simulation.step(5);
      EXPECT_EQ(simulation.states(simulation.box()), after(expected, rule, Topology::plane, 5)) << kernel;
    }
  }
}

TEST(States, UnboundedPlanesGrow) {
  const Rule rule = Rule(1 << 2, 0).with_states(3);
  Pattern start;
  start.states = Cells::random(20, 12, 0.5, 5, 3);
  start.cells = start.states->live();
  start.position = Position{-7, 1000};
  Simulation simulation = Simulation::unbounded(rule, start);
#ifdef MOOREA_SANITIZED
  constexpr int margin = 80, generations = 70;
#else
  constexpr int margin = 150, generations = 140;
#endif
  Cells expected(20 + 2 * margin, 12 + 2 * margin, 3);
  expected.paste(*start.states, {margin, margin});
  expected = after(expected, rule, Topology::plane, generations);
  simulation.step(generations);
  EXPECT_EQ(simulation.states({-7 - margin, 1000 - margin, expected.width(), expected.height()}), expected);
  EXPECT_EQ(simulation.hash(), expected.hash({-7 - margin, 1000 - margin}));
  Cells far(1, 1, 3);
  far.set(0, 0, 2);
  simulation.paste(far, {5000, -5000});
  EXPECT_EQ(simulation.states({5000, -5000, 1, 1}), far);
  EXPECT_EQ(simulation.population(), expected.live().population() + 1);
}

TEST(States, PatternsOfOtherRulesAreTakenIfTheirStatesFit) {
  const Rule rule = Rule(1 << 2, 0).with_states(3);
  Pattern start;
  start.states.emplace(2, 2, 4);
  for (int x = 0; x < 2; ++x) {
    start.states->set(x, 0, 2);
    start.states->set(x, 1, 1);
  }
  start.cells = start.states->live();
  for (const WorldSpec& world :
       {WorldSpec{rule, Topology::unbounded, 0, 0}, WorldSpec{rule, Topology::torus, 40, 40}}) {
    Simulation simulation = Simulation::of(start, world);
    simulation.step(7);
    EXPECT_EQ(simulation.population(), 4u) << "a spaceship";
  }
  start.states->set(0, 0, 3);
  EXPECT_THROW(Simulation::of(start, {rule, Topology::unbounded, 0, 0}), Error);
  EXPECT_THROW(Simulation::of(start, {rule, Topology::torus, 40, 40}), Error);
  EXPECT_THROW(Simulation::of(start, {Rule(), Topology::unbounded, 0, 0}), Error);
}

TEST(States, OtherKernelsAndWorldsRefuse) {
  const Rule rule = Rule(1 << 2, 0).with_states(3);
  const Cells start(64, 64, 3);
  const WorldSpec world = {rule, Topology::torus, 64, 64};
  EXPECT_THROW(Simulation(world, start, with("cpu/strided", 1)), Error);
  EXPECT_THROW(Simulation({Rule(), Topology::torus, 64, 64}, Grid(64, 64), with("cpu/states/reference", 1)),
               Error);
  EXPECT_THROW(Simulation({Rule(), Topology::torus, 64, 64}, start), Error);
  EXPECT_THROW(Simulation(world, Cells(64, 64, 4)), Error);
  Options streamed;
  streamed.out_of_core.emplace();
  EXPECT_THROW(Simulation(world, start, streamed), Error);
}

}  // namespace
}  // namespace moorea::test
