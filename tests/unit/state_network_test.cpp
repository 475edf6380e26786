// SPDX-License-Identifier: MIT
// Rules by transitions as networks of gates.
#include "logic/state_network.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "logic/state_diagram.h"
#include "logic/state_logic.h"
#include "logic/transition_text.h"
#include "moorea/transitions.h"
#include "transition_rules.h"

namespace moorea {
namespace {

int next_by_gates(const StateNetwork& network, const Transitions::Neighbourhood& cells) {
  std::vector<unsigned> signals;
  for (const std::uint8_t cell : cells)
    for (int k = 0; k < network.digits; ++k) signals.push_back(cell >> k & 1u);
  for (const CellNetwork::Gate& gate : network.gates)
    signals.push_back(static_cast<unsigned>(gate.table) >>
                          (signals.at(gate.a) << 2 | signals.at(gate.b) << 1 | signals.at(gate.c)) &
                      1);
  unsigned state = 0;
  for (std::size_t k = 0; k < network.outputs.size(); ++k)
    state |= (signals.at(network.outputs[k]) ^ (network.complemented[k] ? 1u : 0u)) << k;
  return static_cast<int>(state);
}

void expect_equal(const Rule& rule, std::mt19937& random) {
  const auto network = state_network(rule);
  ASSERT_NE(network, nullptr);
  for (int i = 0; i < 2000; ++i) {
    Transitions::Neighbourhood cells;
    for (std::uint8_t& cell : cells)
      cell = static_cast<std::uint8_t>(random() % static_cast<unsigned>(rule.states()));
    ASSERT_EQ(next_by_gates(*network, cells), rule.transitions()->next(cells)) << rule.str();
  }
  // For words without gates of three inputs
  for (const CellNetwork::Gate& gate : network->gates) EXPECT_EQ(gate.table & 1, 0);
}

TEST(StateNetworks, SayTheSameAsTheTree) {
  std::mt19937 random(6);
  for (int i = 0; i < 6; ++i) {
    expect_equal(test::random_transitions(3, true, random, 3), random);
    expect_equal(test::random_transitions(3 + i, false, random, 3), random);
  }
}

// A digit that never changes, a state that is born from nothing, and cells that are copied.
TEST(StateNetworks, MayHaveNoGates) {
  const auto rule = [](const std::string& lines) {
    return Rule::by(
        Transitions::parse("@RULE Plain\n@TABLE\nn_states:4\nneighborhood:vonNeumann\nsymmetries:none\nvar "
                           "a={0,1,2,3}\nvar b=a\n"
                           "var c=a\nvar d=a\nvar e=a\n" +
                               lines,
                           "Plain.rule"));
  };
  std::mt19937 random(7);
  expect_equal(rule("a,b,c,d,e,3\n"), random);  // always the same
  expect_equal(rule(""), random);               // all keep their states
  expect_equal(rule("a,0,c,d,e,0\na,1,c,d,e,1\na,2,c,d,e,2\na,3,c,d,e,3\n"), random);  // from the north
  expect_equal(rule("0,b,c,d,e,3\n1,b,c,d,e,2\n2,b,c,d,e,1\n3,b,c,d,e,0\n"), random);  // complemented
  EXPECT_TRUE(state_network(rule(""))->gates.empty());
}

TEST(StateNetworks, OfOneNeighbourInTheNextStateAreSmall) {
  for (const auto& [file, max_gates] : {std::pair("Cyclic8", 190u), {"Cyclic8-VonNeumann", 100u}}) {
    const Rule rule = Rule::parse(MOOREA_SOURCE_DIR "/bench/rules/" + std::string(file) + ".rule");
    std::mt19937 random(8);
    expect_equal(rule, random);
    EXPECT_LE(state_network(rule)->gates.size(), max_gates);
    EXPECT_NE(gpu_transitions(rule).network, nullptr);
    EXPECT_TRUE(table_bytes(gpu_transitions(rule)).empty());
  }
}

TEST(StateNetworks, AreRefusedIfTheyAreTooLarge) {
  std::mt19937 random(9);
  EXPECT_EQ(state_network(test::random_transitions(8, true, random, 20)), nullptr);
  EXPECT_EQ(state_network(test::random_transitions(40, false, random)), nullptr);
  EXPECT_EQ(state_network(Rule()), nullptr);
}

}  // namespace
}  // namespace moorea
