// SPDX-License-Identifier: MIT
// Rules by transitions that are made in a program: their texts, and patterns with them.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "error_kind.h"
#include "moorea/error.h"
#include "moorea/larger_than_life.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"
#include "moorea/transitions.h"

namespace moorea {
namespace {

// A tree of few nodes, so that they are shared, for each cell that it asks for.
Transitions random_transitions(const std::string& name, int states, bool corners, std::mt19937& random) {
  const int inputs = corners ? 9 : 5, nodes_a_cell = 3;
  Transitions::Tree tree;
  tree.states = states;
  tree.corners = corners;
  for (int input = 0; input < inputs; ++input) {
    for (int i = 0; i < nodes_a_cell * states; ++i) {
      const auto below = static_cast<int>(random() % nodes_a_cell) + (input + 1) * nodes_a_cell;
      tree.nodes.push_back(input + 1 == inputs ? static_cast<int>(random()) & 1 : below);
    }
  }
  return {name, tree, {}, {{0, 0, 0}, {1, 2, 3}, {255, 254, 253}}};
}

TEST(RuleDefinition, TreesAreWrittenAndRead) {
  std::mt19937 random(8);
  for (const bool corners : {false, true}) {
    for (int turn = 0; turn < 8; ++turn) {
      const Transitions made = random_transitions("Made in a program", 3, corners, random);
      const std::string text = Rule::by(made).definition();
      const Transitions read = Transitions::parse(text, "test");
      EXPECT_EQ(read.name(), made.name());
      EXPECT_EQ(read.has_corners(), corners);
      EXPECT_TRUE(std::ranges::equal(read.colours(), made.colours()));
      for (int i = 0; i < 2000; ++i) {
        Transitions::Neighbourhood cells;
        for (std::uint8_t& cell : cells) cell = static_cast<std::uint8_t>(random() % 3);
        ASSERT_EQ(read.next(cells), made.next(cells)) << text;
      }
    }
  }
}

TEST(RuleDefinition, WorldsContinueFromTheirPatterns) {
  std::mt19937 random(9);
  const Rule one = Rule::by(random_transitions("Same name", 3, true, random)),
             two = Rule::by(random_transitions("Same name", 3, true, random));
  ASSERT_NE(one, two);
  for (const Rule& rule : {one, two}) {
    Simulation world({rule, Topology::torus, 40, 30}, Cells::random(40, 30, 0.5, 3, 3));
    world.step(5);
    Simulation next = Simulation::of(parse_pattern(format_pattern(world.snapshot()), "test"));
    EXPECT_EQ(next.generation(), 5u);
    world.step(20);
    next.step(20);
    EXPECT_EQ(next.hash(), world.hash());
  }
  // A rule that is written over another one counts
  Pattern pattern = Simulation({one, Topology::torus, 3, 3}, Cells(3, 3, 3)).snapshot();
  pattern.rule = "B36/S23:T3";
  EXPECT_EQ(pattern.world().rule, Rule::parse("HighLife"));
}

// Their names say nothing elsewhere; two of one name are not mixed up.
TEST(RuleDefinition, RulesOfTwoStatesBecomeNotations) {
  const auto read = [](const char* transitions) {
    return parse_pattern(std::string("x = 1, y = 1, rule = Two:T9,8\no!\n@RULE Two\n@TABLE\nn_states:2\n"
                                     "neighborhood:Moore\nsymmetries:permute\n") +
                             transitions,
                         "test");
  };
  const Pattern seeds = read("1,0,0,0,0,0,0,0,0,0\n0,1,0,0,0,0,0,0,0,1\n"),
                dies = read("1,0,0,0,0,0,0,0,0,0\n");
  EXPECT_NE(seeds.world().rule, dies.world().rule);
  EXPECT_EQ(seeds.world().topology, Topology::torus);
  for (const Pattern* pattern : {&seeds, &dies}) {
    const Pattern again = parse_pattern(format_pattern(*pattern), "test");
    EXPECT_EQ(again.world(), pattern->world());
    EXPECT_EQ(again.rule.find("Two"), std::string::npos) << again.rule;
  }
  EXPECT_EQ(
      parse_pattern(format_pattern(parse_pattern("x = 1, y = 1, rule = HighLife:T9\no!", "test")), "test")
          .rule,
      "HighLife:T9");
}

TEST(RuleDefinition, LargeTreesHaveNone) {
  std::mt19937 random(10);
  Transitions::Tree tree;
  tree.states = 256;
  const int nodes = 600;  // below the first
  for (int i = 0; i < 256; ++i) tree.nodes.push_back(1 + i);
  for (int input = 1; input < 5; ++input)
    for (int i = 0; i < nodes * 256; ++i)
      tree.nodes.push_back(input == 4 ? static_cast<int>(random()) & 255
                                      : 1 + input * nodes + static_cast<int>(random() % nodes));
  EXPECT_EQ(Rule::by(Transitions("Large", tree)).definition(), "");
}

TEST(RuleDefinition, NumbersThatNoRuleHas) {
  using Shape = LargerThanLife::Shape;
  for (const int states : {-1, 0, 1, 257, 70000})
    EXPECT_EQ(test::kind_of([&] { (void)Rule().with_states(states); }), ErrorKind::usage) << states;
  Rule::Blocks blocks{};
  blocks[3] = 16;
  EXPECT_EQ(test::kind_of([&] { (void)Rule::by(blocks); }), ErrorKind::usage);
  EXPECT_EQ(test::kind_of([] {
              (void)LargerThanLife(5, Shape::moore, {{-1, 3}}, {{4, 9}});
            }),
            ErrorKind::usage);
  EXPECT_EQ(test::kind_of([] {
              (void)LargerThanLife(5, Shape::moore, {{1, 3}}, {{9, 4}});
            }),
            ErrorKind::usage);
}

}  // namespace
}  // namespace moorea
