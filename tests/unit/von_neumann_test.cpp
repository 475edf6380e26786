// SPDX-License-Identifier: MIT
// Von Neumann's automaton and its descendants: what signals build, and decision trees that agree with the
// transitions. tests/golly_rules_test.py compares them with bgolly.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <utility>

#include "moorea/cells.h"
#include "moorea/error.h"
#include "moorea/rule.h"
#include "moorea/simulation.h"
#include "moorea/transitions.h"
#include "rules/von_neumann.h"

namespace moorea::test {
namespace {

constexpr VonNeumannRule all[] = {VonNeumannRule::jvn29, VonNeumannRule::nobili32, VonNeumannRule::hutton32};

TEST(VonNeumann, HaveTreesThatAgreeWithTheirTransitions) {
  std::mt19937 random(3);
  for (const VonNeumannRule which : all) {
    const Transitions rule = von_neumann_transitions(which);
    const auto states = static_cast<unsigned>(rule.states());
    EXPECT_EQ(states, which == VonNeumannRule::jvn29 ? 29u : 32u);
    EXPECT_EQ(rule.colours().size(), states);
    for (int i = 0; i < 300'000; ++i) {
      std::array<std::uint8_t, 5> cells;
      for (std::uint8_t& cell : cells) cell = static_cast<std::uint8_t>(random() % states);
      const auto [own, east, north, west, south] = cells;
      ASSERT_EQ(rule.next({0, north, 0, west, own, east, 0, south, 0}),
                von_neumann_next(which, own, {east, north, west, south}))
          << rule.name() << ": " << int{own} << " between " << int{east} << " " << int{north} << " "
          << int{west} << " " << int{south};
    }
  }
}

// Signals on a wire to the east, the first one at its end: what the cell beyond becomes.
int built(const std::string& rule, const std::string& signals) {
  Cells start(12, 3, Rule::parse(rule).states());
  for (std::int64_t x = 0; x < 8; ++x) start.set(x, 1, 9);
  for (std::size_t i = 0; i < signals.size(); ++i)
    start.set(7 - static_cast<std::int64_t>(i), 1, signals[i] == '1' ? 13 : 9);
  Simulation simulation({Rule::parse(rule), Topology::plane, 12, 3}, start);
  simulation.step(signals.size());
  return simulation.states({8, 1, 1, 1}).state(0, 0);
}

// J. von Neumann, "Theory of Self-Reproducing Automata", 2.6: the nine sequences
TEST(VonNeumann, BuildWhatSignalsSay) {
  const std::pair<const char*, int> sequences[] = {{"10000", 9}, {"10001", 10}, {"1001", 11},
                                                   {"1010", 12}, {"1011", 17},  {"1100", 18},
                                                   {"1101", 19}, {"1110", 20},  {"1111", 25}};
  for (const auto& [signals, state] : sequences) {
    EXPECT_EQ(built("JvN29", signals), state) << signals;
    EXPECT_EQ(built("Nobili32", signals), state) << signals;
  }
  // T. Hutton: relative to the wire, forward, to the left and backwards
  EXPECT_EQ(built("Hutton32", "10000"), 9);
  EXPECT_EQ(built("Hutton32", "10001"), 10);
  EXPECT_EQ(built("Hutton32", "1001"), 11);
}

// A confluent cell at a crossing of wires: Nobili's lets both signals pass, von Neumann's is an "and".
TEST(VonNeumann, LetSignalsCross) {
  for (const auto& [rule, crosses] : {std::pair{"JvN29", false}, {"Nobili32", true}, {"Hutton32", true}}) {
    Cells start(7, 7, Rule::parse(rule).states());
    for (std::int64_t i = 0; i < 7; ++i) {
      start.set(i, 3, 9);
      start.set(3, i, 12);
    }
    start.set(3, 3, 25);
    start.set(2, 3, 13);
    Simulation simulation({Rule::parse(rule), Topology::plane, 7, 7}, start);
    simulation.step(1);
    EXPECT_EQ(simulation.states({3, 3, 1, 1}).state(0, 0), crosses ? 29 : 25) << rule;
    simulation.step(1);
    EXPECT_EQ(simulation.states({4, 3, 1, 1}).state(0, 0), crosses ? 13 : 9) << rule;
    EXPECT_EQ(simulation.states({3, 4, 1, 1}).state(0, 0), 12) << rule;
  }
}

TEST(VonNeumann, HaveNames) {
  EXPECT_EQ(Rule::parse("jvn-29").str(), "JvN29");
  EXPECT_EQ(Rule::parse("JvN-32"), Rule::parse("Nobili32"));
  EXPECT_EQ(Rule::parse("modJvN-32"), Rule::parse("Hutton32"));
  EXPECT_EQ(WorldSpec::parse("Nobili32:T20,30").str(), "Nobili32:T20,30");
  EXPECT_FALSE(Rule::parse("JvN29") == Rule::parse("Nobili32"));
  // Text in a pattern does not change what the name means
  Rule::define("@RULE JvN29\n@TABLE\nn_states:3\nneighborhood:vonNeumann\nsymmetries:none\n0,1,0,0,0,2\n",
               "test");
  EXPECT_EQ(Rule::parse("JvN29").states(), 29);
  EXPECT_TRUE(Rule::parse("WireWorld").is_wires());
}

}  // namespace
}  // namespace moorea::test
