// SPDX-License-Identifier: MIT
// Cells of several states in RLE, as Golly writes them: Golly's help, "Extended RLE format".
#include <gtest/gtest.h>

#include <cstdlib>

#include "moorea/cell_tree.h"
#include "moorea/error.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"

namespace moorea {
namespace {

// The states of a pattern row by row, as in "0,1,2/3,0,0".
std::string states_in(const std::string& text) {
  const Pattern pattern = parse_pattern(text, "test");
  const Cells cells = pattern.states.value_or(Cells(pattern.cells, 2));
  EXPECT_EQ(cells.live(), pattern.cells);
  std::string rows;
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0; x < cells.width(); ++x)
      rows += (x > 0 ? "," : y > 0 ? "/" : "") + std::to_string(cells.state(x, y));
  }
  return rows;
}

int number_of_states(const std::string& text) {
  const Pattern pattern = parse_pattern(text, "test");
  return pattern.states ? pattern.states->states() : 2;
}

std::string rle_error(const std::string& bytes) {
  try {
    parse_pattern(bytes, "test");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run);
    return error.what();
  }
  return "";
}

Pattern pattern_of(const Cells& cells) {
  Pattern pattern;
  pattern.cells = cells.live();
  pattern.states = cells;
  return pattern;
}

TEST(RleStates, LettersOfAnUnknownRuleAreStates) {
  const Pattern own = parse_pattern("x = 3, y = 1, rule = Unknown-Rule\n3B!", "test");
  ASSERT_TRUE(own.states);
  EXPECT_EQ(own.states->state(2, 0), 2);
  EXPECT_EQ(Simulation::of(own, WorldSpec::parse("WireWorld:P5,5")).population(), 3u);
  // Of a rule of two states, and without a rule, they are dead and alive
  for (const char* rule : {"", ", rule = B3/S23", ", rule = HighLife:T20"})
    EXPECT_EQ(parse_pattern(std::string("x = 3, y = 1") + rule + "\nBOB!", "test").cells.population(), 1u);
}

TEST(RleStates, LettersAndPrefixesAreGollys) {
  EXPECT_EQ(states_in("x = 4, y = 1\n.AXpA!"), "0,1,24,25");
  EXPECT_EQ(states_in("x = 4, y = 1\npXqAxXyA!"), "48,49,240,241");
  EXPECT_EQ(states_in("x = 3, y = 2, rule = Somebody's\n.2B$yO!"), "0,2,2/255,0,0");
  EXPECT_EQ(states_in("x = 4, y = 3\n2.pA2$A2 rB!"), "0,0,25/0,0,0/1,74,74") << "counts, blanks, empty rows";
  EXPECT_EQ(states_in("x = 4, y = 1\nboBC!"), "0,1,2,3") << "b and o are states 0 and 1";
  EXPECT_EQ(states_in("x = 3, y = 1\n.\n# pA\nBO\n!"), "0,2,15");
  EXPECT_EQ(number_of_states("x = 2, y = 1\n.B!"), 3);
  EXPECT_EQ(number_of_states("x = 2, y = 1\n.0CB!"), 3) << "no cell in state 3";
  EXPECT_EQ(number_of_states("x = 2, y = 1\nyO!"), 256);
}

TEST(RleStates, BAndOAloneAreNotStates) {
  for (const char* text :
       {"x = 3, y = 3\nBO$2BO$3O!", "BO$2BO$3O!", "x = 3, y = 3\n.A$2.A$3A!", "x = 3, y = 3\nBO$2BO$3O! A.C",
        "x = 3, y = 3\n# .A\nBO$2BO$3O!", "x = 3, y = 3\n#C\nBO\n# p\n$2BO$3O!"}) {
    const Pattern pattern = parse_pattern(text, "test");
    EXPECT_FALSE(pattern.states) << text;
    EXPECT_EQ(states_in(text), "0,1,0/0,0,1/1,1,1") << text;
  }
}

TEST(RleStates, TheRuleHasItsStates) {
  EXPECT_EQ(number_of_states("x = 3, y = 1, rule = B3/S23\n.AC!"), 4) << "a rule of two states";
  EXPECT_EQ(number_of_states("x = 3, y = 1, rule = Unknown\n.AC!"), 4);
  EXPECT_EQ(number_of_states("x = 3, y = 1, rule = 23/3/3\n.AB!"), 3);
}

TEST(RleStates, StatesOfGenerationsAreThoseOfTheRule) {
  EXPECT_EQ(number_of_states("x = 3, y = 1, rule = 345/2/4\n.AB!"), 4);
  EXPECT_EQ(number_of_states("x = 3, y = 1, rule = 345/2/4:T20,20\n.AB!"), 4);
  EXPECT_EQ(states_in("x = 3, y = 1, rule = /2/3\n3B!"), "2,2,2") << "no letter but B";
  EXPECT_FALSE(parse_pattern("x = 3, y = 1, rule = /2/3\n.2A!", "test").states);
  EXPECT_EQ(rle_error("x = 3, y = 1, rule = /2/3\n.A\n2C!"),
            "test, line 3, column 2: 'C' is state 3, but the states of the pattern's rule are 0 to 2");
  EXPECT_EQ(rle_error("x = 3, y = 1, rule = /2/3:T9,9\n.pA!"),
            "test, line 2, column 2: 'pA' is state 25, but the states of the pattern's rule are 0 to 2");
}

TEST(RleStates, ErrorsNameTheirPlace) {
  EXPECT_EQ(rle_error("x = 3, y = 1\n.A3yP!"),
            "test, line 2, column 4: 'yP' is state 256; the largest one is 255");
  EXPECT_EQ(rle_error("x = 3, y = 1\n.\np!"),
            "test, line 3, column 2: expected a letter 'A' to 'X' after 'p', for a state");
  EXPECT_EQ(rle_error("x = 3, y = 1\n.pY!"),
            "test, line 2, column 3: expected a letter 'A' to 'X' after 'p', for a state");
  EXPECT_EQ(rle_error("x = 3, y = 1\n.p"),
            "test, line 2, column 3: expected a letter 'A' to 'X' after 'p', for a state");
  EXPECT_EQ(rle_error("x = 3, y = 1\n.AZ!"),
            "test, line 2, column 3: expected a run of 'b', 'o' or '$', or '!', not 'Z'");
  EXPECT_EQ(rle_error("x = 3, y = 1\n.3C!"),
            "test, line 2, column 2: a live cell in column 3 of row 0, but the header says x = 3, y = 1");
  EXPECT_EQ(rle_error("x = 3, y = 1\n.AC"),
            "test, line 2, column 4: the pattern ends without '!'; the file may be truncated");
  EXPECT_NE(rle_error("x = 1000000000, y = 1000000000\nC900000000$900000000.C!").find("needs"),
            std::string::npos);
  EXPECT_THROW(parse_pattern("x = 9, y = 9\n.C$8.B!", "test", 17), Error);
}

TEST(RleStates, AreWrittenAsGollyWritesThem) {
  Cells cells(5, 3, 256);
  const int row[] = {0, 1, 2, 24, 25};
  for (int x = 0; x < 5; ++x) cells.set(x, 0, row[x]);
  for (int x = 1; x < 5; ++x) cells.set(x, 2, 255);
  EXPECT_EQ(format_pattern(pattern_of(cells)), "x = 5, y = 3, rule = B3/S23\n.ABXpA2$.4yO!\n");
  Pattern named = pattern_of(cells.crop({0, 0, 3, 1}));
  named.rule = "/2/3";
  named.position = Position{-1, 0};
  EXPECT_EQ(format_pattern(named), "#CXRLE Pos=-1,0\nx = 3, y = 1, rule = /2/3\n.AB!\n");
}

TEST(RleStates, BAndOAloneAreWrittenWithADeadCell) {
  Cells cells(3, 1, 16);
  for (int x = 0; x < 3; ++x) cells.set(x, 0, 2);
  EXPECT_EQ(format_pattern(pattern_of(cells)), "x = 3, y = 1, rule = B3/S23\n3B.!\n");
  cells.set(1, 0, 15);
  EXPECT_EQ(states_in(format_pattern(pattern_of(cells))), "2,15,2");
}

TEST(RleStates, RoundTrip) {
  for (int states = 3; states <= 256; states = states < 30 ? states + 1 : 2 * states - 8) {
    for (const double density : {0.02, 0.5, 1.0}) {
      Cells cells = Cells::random(131, 40, density, static_cast<std::uint64_t>(states), states);
      cells.set(130, 39, states - 1);
      const Pattern pattern = pattern_of(cells);
      const std::string text = format_pattern(pattern);
      const Pattern again = parse_pattern(text, "test");
      ASSERT_TRUE(again.states) << states;
      EXPECT_EQ(*again.states, cells) << states;
      EXPECT_EQ(again.cells, pattern.cells) << states;
      EXPECT_EQ(format_pattern(again), text) << states;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        EXPECT_LE(end - at, 70u);
        at = end + 1;
      }
    }
  }
  const Cells two = Cells::random(131, 40, 0.5, 7, 2);
  const Pattern again = parse_pattern(format_pattern(pattern_of(two)), "test");
  EXPECT_FALSE(again.states);
  EXPECT_EQ(again.cells.hash(), two.hash());
}

TEST(RleStates, OtherFormatsRefuseThem) {
  const Pattern pattern = pattern_of(Cells::random(9, 9, 0.5, 1, 3));
  for (const FormatInfo& format : pattern_formats()) {
    if (!format.writable || format.name == "rle" || format.name == "mc") continue;
    for (const bool to_file : {false, true}) {
      try {
        if (to_file)
          write_pattern(pattern, "/tmp/moorea-states", std::string(format.name));
        else
          format_pattern(pattern, std::string(format.name));
        ADD_FAILURE() << format.name;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_EQ(std::string(error.what()),
                  "format \"" + std::string(format.name) + "\" has two states: write RLE or Macrocell");
      }
    }
  }
}

TEST(RleStates, SparseFilesWithStatesAreNotTrees) {
  std::optional<CellTree> tree;
  const Pattern pattern = parse_pattern("x = 100000, y = 1000\n.A999$99998.B!", "test", tree, 1);
  EXPECT_FALSE(tree);
  ASSERT_TRUE(pattern.states);
  EXPECT_EQ(pattern.states->state(99998, 999), 2);
  // States 0 and 1 alone: as b and o
  parse_pattern("x = 100000, y = 1000\n.A999$99998.A!", "test", tree, 1);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->population(), BigInteger(2));
}

TEST(PlaceStates, PutsPatternsWherePlaceDoes) {
  Pattern pattern = pattern_of(Cells::random(3, 3, 1, 1, 5));
  pattern.position = Position{-5, 2};
  for (const bool has_position : {true, false}) {
    if (!has_position) pattern.position.reset();
    const Cells cells = place_states(pattern, 11, 12, 6);
    EXPECT_EQ(cells.states(), 6);
    EXPECT_EQ(cells.live(), place(pattern, 11, 12));
    EXPECT_EQ(cells.crop(*cells.live().bounding_box()).hash(), pattern.states->hash());
  }
  Pattern live;
  live.cells = pattern.cells;
  EXPECT_EQ(place_states(live, 11, 12, 6), Cells(place(live, 11, 12), 6));
  EXPECT_EQ(place_states(live, 11, 12, 2), Cells(place(live, 11, 12), 2));
  EXPECT_EQ(place_states(Pattern(), 4, 4, 3), Cells(4, 4, 3));
}

TEST(PlaceStates, RefusesWhatDoesNotFit) {
  Cells cells(3, 1, 256);
  cells.set(0, 0, 3);
  Pattern pattern = pattern_of(cells);
  EXPECT_EQ(place_states(pattern, 3, 1, 4).state(0, 0), 3) << "the states that occur decide";
  try {
    place_states(pattern, 3, 1, 3);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run);
    EXPECT_EQ(std::string(error.what()),
              "the pattern has cells in state 3, but the states of the rule are 0 to 2");
  }
  pattern.position = Position{5, 0};
  EXPECT_THROW(place_states(pattern, 3, 1, 4), Error);
}

}  // namespace
}  // namespace moorea
