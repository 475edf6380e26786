// SPDX-License-Identifier: MIT
// MCell's files and macrocell files with more than two states.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "moorea/error.h"
#include "moorea/pattern.h"
#include "moorea/rule.h"
#include "moorea/simulation.h"
#include "moorea/world_spec.h"

namespace moorea {
namespace {

// The states row by row, with a slash between rows.
std::string rows_of(const Pattern& pattern) {
  std::string text;
  const Cells cells = pattern.states ? *pattern.states : Cells(pattern.cells, 2);
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    if (y > 0) text += '/';
    for (std::int64_t x = 0; x < cells.width(); ++x)
      text += (x == 0 ? "" : " ") + std::to_string(cells.state(x, y));
  }
  return text;
}

std::string file_error(const std::string& text) {
  try {
    parse_pattern(text, "test");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run);
    return error.what();
  }
  return "";
}

TEST(MCell, HasRuleBoardAndStates) {
  const Pattern pattern = parse_pattern(
      "#MCell 4.00\r\n#GAME Generations\r\n#RULE 345/\r\n#RULE 2/60\r\n#BOARD 20x10\r\n#SPEED 0\r\n#WRAP "
      "1\r\n"
      "#D Two lines\r\n#D of words\r\n#L A.2B$\r\n#L $aAbBX\r\n#L A\r\n",
      "test");
  EXPECT_EQ(pattern.format, "mcl");
  EXPECT_EQ(pattern.rule, "345/2/60:T20,10");
  EXPECT_EQ(pattern.world(), (WorldSpec{Rule::parse("345/2/60"), Topology::torus, 20, 10}));
  EXPECT_EQ(pattern.comments, (std::vector<std::string>{"Two lines", "of words"}));
  EXPECT_EQ(rows_of(pattern), "1 0 2 2/0 0 0 0/25 50 24 1");
  EXPECT_FALSE(pattern.header);  // as in Golly, the pattern is in the middle of the board
}

TEST(RleStates, ARuleMayFollowThePattern) {
  const std::string rule =
      "@RULE Walker\n@TABLE\nn_states:3\nneighborhood:oneDimensional\nsymmetries:none\nvar a={0,1,2}\n"
      "0,1,a,1\n1,a,0,2\n";
  const std::string text = "x = 2, y = 1, rule = Walker:T9,3\nBA!\n\n" + rule;
  const Pattern pattern = parse_pattern(text, "test");
  ASSERT_TRUE(pattern.states);
  EXPECT_EQ(pattern.states->state(0, 0), 2);
  const WorldSpec world = pattern.world();
  ASSERT_NE(world.rule.transitions(), nullptr);
  EXPECT_EQ(world.rule.str(), "Walker");
  EXPECT_EQ(world.rule.definition(), rule);
  // It is written with the cells of its worlds, and so is it read again
  EXPECT_TRUE(format_pattern(pattern, "rle").ends_with("BA!\n\n" + rule)) << format_pattern(pattern, "rle");
  EXPECT_EQ(Rule().definition() + Rule::parse("WireWorld").definition(), "");
  // A later one of the same name is another rule: the first pattern keeps its own
  const Pattern other = parse_pattern(
      "x = 1, y = 1, rule = Walker\nA!\n@RULE Walker\n@TABLE\nn_states:3\nneighborhood:Moore\n"
      "symmetries:none\n1,0,0,0,0,0,0,0,0,2\n",
      "test");
  EXPECT_NE(other.world().rule, world.rule);
  EXPECT_EQ(Rule::parse("Walker"), other.world().rule);
  EXPECT_EQ(pattern.world(), world);
  const Pattern again = parse_pattern(format_pattern(Simulation::of(pattern).snapshot()), "test");
  EXPECT_EQ(again.world(), world);
  EXPECT_EQ(parse_pattern(format_pattern(other), "test").world(), other.world());
  // Errors name the place; Moorea's own names keep their meaning
  const std::string bad = "\no!\n@RULE Bad\n@TABLE\nn_states:1\n";
  EXPECT_NE(
      file_error("x = 1, y = 1, rule = Bad:T9,9" + bad).find("the rule in test, line 3: expected n_states:2"),
      std::string::npos);
  // A pattern of another rule does not need it
  EXPECT_EQ(parse_pattern("x = 1, y = 1, rule = B36/S23" + bad, "test").world().rule, Rule(0x48, 0xC));
  for (const std::string name : {"Life", "B3/S23", "LifeHistory", "WireWorld", "345/2/4"}) {
    const Rule own = Rule::parse(name);
    EXPECT_EQ(parse_pattern("x = 1, y = 1, rule = " + name + "\no!\n@RULE " + name +
                                "\n@TABLE\nn_states:3\nneighborhood:Moore\nsymmetries:none\n"
                                "0,0,0,0,0,0,0,0,0,1\n",
                            "test")
                  .world()
                  .rule,
              own)
        << name;
    EXPECT_EQ(Rule::parse(name), own) << name;
  }
}

TEST(Macrocell, StatesThatAreWrittenAreRead) {
  for (const Box& box : {Box{0, 0, 1, 1}, Box{-1, -1, 2, 2}, Box{-70, 9, 33, 41}, Box{1000, -3, 5, 64}}) {
    Pattern pattern;
    pattern.rule = "345/2/200";
    pattern.generation = 7;
    pattern.position = box.position();
    // The corners are not dead, so that the box is read again
    Cells cells = Cells::random(box.width, box.height, 0.3, 5, 200);
    for (const std::int64_t x : {std::int64_t{0}, box.width - 1})
      for (const std::int64_t y : {std::int64_t{0}, box.height - 1}) cells.set(x, y, 199);
    pattern.states = cells;
    pattern.cells = cells.live();
    const Pattern read = parse_pattern(format_pattern(pattern, "mc"), "test");
    EXPECT_EQ(read.rule, pattern.rule);
    EXPECT_EQ(read.generation, 7u);
    EXPECT_EQ(read.position, pattern.position);
    EXPECT_EQ(read.states, pattern.states);
  }
  Pattern empty;
  empty.states = Cells(9, 9, 3);
  empty.cells = Grid(9, 9);
  EXPECT_EQ(parse_pattern(format_pattern(empty, "mc"), "test").cells.population(), 0u);
  // Equal squares are written once
  Pattern wire;
  wire.states = Cells(64, 64, 4);
  wire.position = Position{-32, -31};
  for (std::int64_t y = 0; y < 64; ++y)
    for (std::int64_t x = 0; x < 64; ++x) wire.states->set(x, y, 3);
  wire.cells = wire.states->live();
  const std::string text = format_pattern(wire, "mc");
  EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 6) << text;
}

TEST(MCell, OfTwoStatesOrWithGollysName) {
  const Pattern life = parse_pattern("#MCell 4.00\n#GAME Life\n#BOARD 9x8\n#WRAP 0\n#L .A$..A$3A", "test");
  EXPECT_EQ(life.rule, "B3/S23:P9,8");
  EXPECT_FALSE(life.states);
  EXPECT_EQ(life.cells.population(), 5u);
  const Pattern wires =
      parse_pattern("#MCell 4.00\n#GAME Rules table\n#GOLLY WireWorld\n#RULE 1,0\n#L AB3C", "test");
  EXPECT_EQ(wires.world().rule, Rule::parse("WireWorld"));
  EXPECT_EQ(rows_of(wires), "1 2 3 3 3");
}

TEST(MCell, ErrorsHaveAPlace) {
  const std::string head = "#MCell 4.00\n#RULE 345/2/4\n#L ";
  EXPECT_NE(file_error(head + "A2D").find("line 3, column 6: state 4, but"), std::string::npos)
      << file_error(head + "A2D");
  EXPECT_NE(file_error(head + "A!").find("line 3, column 5: expected a run"), std::string::npos);
  EXPECT_NE(file_error(head + "9999999999999A"), "");
  EXPECT_NE(file_error(head + "a"), "");
}

TEST(MacrocellOfStates, AreReadAsCells) {
  const Pattern pattern = parse_pattern("[M2] (test)\n#R WireWorld\n#G 7\n1 0 1 2 3\n2 1 0 0 1\n", "test");
  EXPECT_EQ(pattern.format, "mc");
  EXPECT_EQ(pattern.generation, 7u);
  EXPECT_EQ(pattern.position, (Position{-2, -1}));
  EXPECT_EQ(rows_of(pattern), "0 1 0 0/2 3 0 0/0 0 0 1/0 0 2 3");
  EXPECT_EQ(pattern.states->states(), 4);
  EXPECT_NE(
      file_error("[M2] (test)\n#R WireWorld\n1 0 1 2 4\n").find("states of the pattern's rule are 0 to 3"),
      std::string::npos);
  EXPECT_NE(file_error("[M2] (test)\n1 0 1 2 256\n").find("line 2, column 9: state 256"), std::string::npos);
}

}  // namespace
}  // namespace moorea
