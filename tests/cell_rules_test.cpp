// SPDX-License-Identifier: MIT
// Rules that do not count: their networks, and every kernel that supports them, against the definition.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "definition.h"
#include "logic/cell_network.h"
#include "logic/pair_network.h"
#include "moorea/ensemble.h"
#include "moorea/error.h"
#include "moorea/hashlife.h"
#include "moorea/inventory.h"
#include "moorea/simulation.h"

namespace moorea::test {
namespace {

// Rules of every notation, and functions of one cell, which the mirror image of a kernel would show.
std::vector<Rule> cell_rules(int random_tables) {
  std::vector<Rule> rules;
  for (const char* text :
       {"tlife", "Just Friends", "Snowflakes", "B2/S013V", "B1/S01234V", "B2/S34H", "B0135/S246H"})
    rules.push_back(Rule::parse(text));
  for (unsigned cell = 0; cell < 9; ++cell) {
    Rule::Table table{};
    for (unsigned n = 0; n < 512; ++n) table[n / 64] |= std::uint64_t{n >> cell & 1} << n % 64;
    rules.emplace_back(table);
    for (std::uint64_t& word : table) word = ~word;
    rules.emplace_back(table);
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < random_tables; ++i) {
    Rule::Table table{};
    for (std::uint64_t& word : table) word = random();
    // With and without births from nothing
    table[0] = i % 2 == 0 ? table[0] & ~std::uint64_t{1} : table[0] | 1;
    rules.emplace_back(table);
  }
  return rules;
}

bool is_cell_rule(const Rule& rule) { return !rule.is_life_like(); }

Rule::Table constant(bool alive) {
  Rule::Table table{};
  if (alive) table.fill(~std::uint64_t{0});
  return table;
}

TEST(CellRules, NetworksAreTheRule) {
  std::vector<Rule> rules = cell_rules(test_everything() ? 100 : 6);
  rules.push_back(Rule());
  rules.emplace_back(constant(false));
  rules.emplace_back(constant(true));
  for (const Rule& rule : rules) {
    const CellNetwork network = cell_network_for(rule);
    for (unsigned n = 0; n < 512; ++n) ASSERT_EQ(network.next(n), rule.next(n)) << rule.str() << " " << n;
    EXPECT_LE(network.gates.size(), 120u);
    EXPECT_GE(operations_of(network), network.gates.size());
  }
  EXPECT_EQ(cell_network_for(Rule::parse("B2/S013V")).gates.size(), 5u);
  EXPECT_LE(cell_network_for(Rule::parse("B2/S34H")).gates.size(), 8u);
  // Resubstitution: 29 and 41 gates without it
  EXPECT_LE(cell_network_for(Rule::parse("tlife")).gates.size(), 22u);
  EXPECT_LE(cell_network_for(Rule::parse("Snowflakes")).gates.size(), 37u);
}

// Over all states of four rows of three cells, of which the two in the middle have next states.
TEST(CellRules, NetworksOfTwoRowsAreTheRule) {
  std::vector<Rule> rules = cell_rules(test_everything() ? 100 : 6);
  rules.emplace_back(constant(false));
  rules.emplace_back(constant(true));
  for (const Rule& rule : rules) {
    const PairNetwork network = pair_network_for(rule);
    for (unsigned cells = 0; cells < 4096; ++cells) {
      const unsigned expected = (rule.next(cells >> 3) ? 1u : 0u) | (rule.next(cells & 511) ? 2u : 0u);
      ASSERT_EQ(network.next(cells), expected) << rule.str() << " " << cells;
    }
    EXPECT_LE(network.gates_per_word(), static_cast<double>(cell_network_for(rule).gates.size()))
        << rule.str();
    EXPECT_GE(network.operations_per_word(), network.gates_per_word()) << rule.str();
    for (const std::uint8_t table : network.row_gates) EXPECT_EQ(table & 1, 0) << rule.str();
  }
  // The numbers of docs/logic.md
  for (const auto& [name, one_row, pair] :
       {std::tuple("B2/S013V", 5u, 5.0), std::tuple("B2/S34H", 8u, 8.0), std::tuple("LeapLife", 18u, 13.5),
        std::tuple("Just Friends", 19u, 16.5), std::tuple("tlife", 20u, 17.0),
        std::tuple("Snowflakes", 35u, 35.0)}) {
    const Rule rule = Rule::parse(name);
    EXPECT_EQ(cell_network_for(rule).gates.size(), one_row) << name;
    EXPECT_EQ(pair_network_for(rule).gates_per_word(), pair) << name;
    EXPECT_EQ(rule_cost(rule).gates_per_word, pair) << name;
    EXPECT_GE(rule_cost(rule).operations_per_word, pair) << name;
  }
}

// Compilers of GPU code take seconds for a large network, so those kernels have one rule in twelve, others
// for each kernel, and the last one, which has no symmetry. Only `./test --all` runs all of them.
bool is_sampled(Backend backend, std::size_t kernel, std::size_t rule, std::size_t rules) {
  return backend == Backend::cpu || test_everything() || rule + 1 == rules || (rule + kernel) % 12 == 0;
}

// Widths and heights around words, vectors, tiles and bands; noise, and a few cells that an edge would lose.
TEST(CellRules, EveryKernelIsTheDefinition) {
  int compared = 0;
  const std::vector<Rule> rules = cell_rules(4);
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const Rule& rule = rules[r];
    if (!is_cell_rule(rule)) continue;
    const std::vector<KernelInfo> kernels = list_kernels(rule);
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      const KernelInfo& kernel = kernels[k];
      if (!kernel.runs || !is_sampled(kernel.backend, k, r, rules.size())) continue;
      const bool on_cpu = kernel.backend == Backend::cpu;
      for (const auto& [width, height] : {std::pair(1, 3), std::pair(65, 7), std::pair(130, 99),
                                          std::pair(512, 64), std::pair(600, 41), std::pair(4224, 30)}) {
        if (kernel.name == "cuda/chip" && width != 512) continue;  // it needs certain widths and heights
        if ((r + static_cast<std::size_t>(width)) % 2 == 0 && on_cpu && !test_everything()) continue;
        if (width > 600 && on_cpu) continue;  // rows that kernels for GPUs join
        for (const Topology topology : {Topology::torus, Topology::plane}) {
          for (const double density : {0.4, 0.004}) {
            const Grid start = Grid::random(width, height, density, r);
            // Sweeps of 32 generations alternate in direction
            const int generations = 1 + static_cast<int>(r * 23 % 70);
            Options options;
            options.kernel = kernel.name;
            options.threads = 1 + static_cast<int>(r % 2);
            Simulation simulation({rule, topology, width, height}, start, options);
            simulation.step(static_cast<std::uint64_t>(generations));
            ASSERT_EQ(simulation.grid(), after(start, rule, topology, generations))
                << kernel.name << " " << rule.str() << " " << width << " x " << height << " density "
                << density;
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(CellRules, AreRefusedByOtherKernels) {
  const Rule rule = Rule::parse("tlife");
  int refused = 0;
  for (const KernelInfo& kernel : list_kernels(rule)) {
    if (kernel.runs || !kernel.reason.starts_with("it supports only life-like rules")) continue;
    ++refused;
    Options options;
    options.kernel = kernel.name;
    EXPECT_THROW(Simulation({rule, Topology::torus, 64, 64}, Grid(64, 64), options), Error) << kernel.name;
  }
  EXPECT_GT(refused, 10);
}

// Also of generations that kernels for GPUs count while they compute them.
TEST(CellRules, PopulationsOfEveryGeneration) {
  const Rule rule = Rule::parse("tlife");
  for (const DeviceInfo& device : list_devices()) {
    for (const Topology topology : {Topology::torus, Topology::plane}) {
      const Grid start = Grid::random(4224, 50, 0.4, 4);
      Options options;
      options.device = device.name;
      Simulation simulation({rule, topology, 4224, 50}, start, options);
      const std::vector<std::uint64_t> populations = simulation.step_counting(13);
      ASSERT_EQ(populations.size(), 13u) << device.name;
      for (int g = 0; g < 13; ++g)
        ASSERT_EQ(populations[static_cast<std::size_t>(g)], after(start, rule, topology, g + 1).population())
            << device.name << " " << to_string(topology) << " generation " << g + 1;
    }
  }
}

// The kernels that each device chooses for rules of few, some and many gates, for a small and a larger world.
TEST(CellRules, EveryDeviceIsTheDefinition) {
  constexpr int generations = 25;
  for (const DeviceInfo& device : list_devices()) {
    for (const Rule& rule : {Rule::parse("B2/S34H"), Rule::parse("tlife"), cell_rules(1).back()}) {
      for (const auto& [width, height] : {std::pair(192, 100), std::pair(4224, 40)}) {
        const WorldSpec world{rule, Topology::torus, width, height};
        const Grid start = Grid::random(width, height, 0.4, 8);
        Options options;
        options.device = device.name;
        Simulation simulation(world, start, options);
        simulation.step(generations);
        ASSERT_EQ(simulation.grid(), after(start, rule, world.topology, generations))
            << device.name << " " << rule.str() << " " << width << " x " << height;
      }
    }
  }
}

// An unbounded plane without a named kernel, and as a tree, also under rules whose background blinks.
TEST(CellRules, PlanesAndTrees) {
  for (const Rule& rule : cell_rules(2)) {
    if (!is_cell_rule(rule)) continue;
    const Grid start = Grid::random(40, 30, 0.4, 5);
    constexpr int generations = 37;
    constexpr std::int64_t margin = generations + 1;
    Pattern pattern;
    pattern.cells = start;
    pattern.position = Position{0, 0};
    if (!rule.births_from_nothing()) {
      Grid around(40 + 2 * margin, 30 + 2 * margin);
      around.paste(start, {margin, margin});
      const Grid expected = after(around, rule, Topology::plane, generations);
      for (const char* kernel : {"", "hashlife"}) {
        Options options;
        options.kernel = kernel;
        options.device = "cpu";
        Simulation simulation = Simulation::unbounded(rule, pattern, options);
        simulation.step(generations);
        ASSERT_EQ(simulation.window({-margin, -margin, expected.width(), expected.height()}), expected)
            << rule.str() << " " << kernel;
      }
    }
    Options options;
    options.kernel = "hashlife";
    const Grid noise = Grid::random(64, 32, 0.3, 6);
    Simulation torus({rule, Topology::torus, 64, 32}, noise, options);
    torus.step(generations);
    ASSERT_EQ(torus.grid(), after(noise, rule, Topology::torus, generations)) << rule.str();
  }
}

TEST(CellRules, Ensembles) {
  for (const char* text : {"tlife", "B2/S34H"}) {
    const Rule rule = Rule::parse(text);
    EnsembleSpec spec;
    spec.groups = {{rule, 70}};
    spec.size = {20, 13};
    spec.topology = Topology::torus;
    spec.density = 0.4;
    spec.seed = 9;
    Ensemble ensemble(spec);
    const Grid start = ensemble.world(66);
    ensemble.step(11);
    EXPECT_EQ(ensemble.world(66), after(start, rule, Topology::torus, 11)) << text;
  }
}

// Life's glider, of period 4 and speed c/4, is one of tlife too.
TEST(CellRules, LifesGliderMovesInTlife) {
  Pattern glider = parse_pattern("x = 3, y = 3, rule = B3/S2-i34q\nbob$2bo$3o!", "glider.rle");
  Simulation simulation = Simulation::unbounded(Rule::parse("tlife"), glider, {});
  const std::uint64_t start = simulation.hash();
  const Box before = *simulation.bounding_box();
  simulation.step(400);
  EXPECT_EQ(simulation.population(), 5u);
  EXPECT_EQ(*simulation.bounding_box(), (Box{before.x + 100, before.y + 100, 3, 3}));
  EXPECT_NE(simulation.hash(), start);
}

}  // namespace
}  // namespace moorea::test
