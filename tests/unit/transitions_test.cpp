// SPDX-License-Identifier: MIT
// Rules by transitions: tables with variables and symmetries, trees, errors, and files in folders.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "moorea/error.h"
#include "moorea/rule.h"
#include "moorea/transitions.h"
#include "moorea/world_spec.h"
#include "temporary_cache.h"

namespace moorea {
namespace {

using Neighbourhood = Transitions::Neighbourhood;

Transitions table(const std::string& states, const std::string& cells, const std::string& symmetries,
                  const std::string& lines) {
  return Transitions::parse("@RULE Test\n@TABLE\nn_states:" + states + "\nneighborhood:" + cells +
                                "\nsymmetries:" + symmetries + "\n" + lines,
                            "Test.rule");
}

std::string error_of(const std::string& text) {
  try {
    Transitions::parse(text, "Test.rule");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run);
    return error.what();
  }
  return "";
}

// Calls check(cells, next) for random neighbourhoods.
void for_random_cells(const Transitions& rule, const std::function<void(const Neighbourhood&, int)>& check) {
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    Neighbourhood cells;
    for (std::uint8_t& cell : cells)
      cell =
          static_cast<std::uint8_t>(random() % 3 == 0 ? random() % static_cast<unsigned>(rule.states()) : 0);
    check(cells, rule.next(cells));
  }
}

// Of the eight neighbours.
int count(const Neighbourhood& cells, int state) {
  int sum = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) sum += i != 4 && cells[i] == state ? 1 : 0;
  return sum;
}

TEST(Transitions, WireWorldIsPartOfMoorea) {
  const Rule rule = Rule::parse("WireWorld");
  ASSERT_NE(rule.transitions(), nullptr);
  EXPECT_EQ(rule.states(), 4);
  EXPECT_EQ(rule.str(), "WireWorld");
  EXPECT_EQ(Rule::parse("wire world"), rule);
  EXPECT_FALSE(rule.births_from_nothing());
  for_random_cells(*rule.transitions(), [](const Neighbourhood& cells, int next) {
    const int heads = count(cells, 1);
    const int expected[] = {0, 2, 3, heads == 1 || heads == 2 ? 1 : 3};
    EXPECT_EQ(next, expected[cells[4]]);
  });
}

TEST(Transitions, FirstOneThatFitsDecides) {
  const Transitions rule = table("3", "vonNeumann", "none",
                                 "var a={0,1,2}\nvar b=a\nvar c={a}\nvar d={0, 1 2}  # all\n"
                                 "0,1,a,b,c,2\n0,a,b,c,d,1\n1,2,2,2,2,0\n");
  for_random_cells(rule, [](const Neighbourhood& cells, int next) {
    if (cells[4] == 0) {
      EXPECT_EQ(next, cells[1] == 1 ? 2 : 1);
    } else {
      const bool all = cells[4] == 1 && cells[1] == 2 && cells[3] == 2 && cells[5] == 2 && cells[7] == 2;
      EXPECT_EQ(next, all ? 0 : cells[4]);
    }
  });
}

TEST(Transitions, AVariableThatOccursTwiceIsOneState) {
  const Transitions rule =
      table("4", "Moore", "none",
            "var a={0,1,2,3}\nvar b={a}\nvar c={a}\nvar d={a}\nvar e={a}\nvar f={a}\nvar "
            "g={a}\nvar x={1,2,3}\n0,x,a,b,c,x,d,e,f,x\n");
  for_random_cells(rule, [](const Neighbourhood& cells, int next) {
    const bool fits = cells[4] == 0 && cells[1] != 0 && cells[1] == cells[7];
    EXPECT_EQ(next, fits ? cells[1] : cells[4]);
  });
}

// What rotations and reflections make of one neighbour, or of two
// As in Golly: of several ways in which a transition fits, the state that is named first decides.
TEST(Transitions, StatesOfABoundVariableAreTriedInTheOrderOfItsLine) {
  for (const auto& [states, expected] : {std::pair("2,1", 2), {"1,2", 1}}) {
    const Transitions rule = table("3", "oneDimensional", "reflect",
                                   std::string("var a={") + states + "}\nvar b={1,2}\n0,a,b,a\n");
    for (const auto& [west, east] : {std::pair(1, 2), {2, 1}})
      EXPECT_EQ(
          rule.next({0, 0, 0, static_cast<std::uint8_t>(west), 0, static_cast<std::uint8_t>(east), 0, 0, 0}),
          expected);
  }
}

TEST(Transitions, SymmetriesTurnTheNeighbours) {
  const auto results = [](const std::string& cells, const std::string& symmetries, const std::string& line) {
    const Transitions rule = table("2", cells, symmetries, line + "\n");
    int sum = 0;
    for (unsigned n = 0; n < 512; ++n) {
      Neighbourhood around;
      for (std::size_t i = 0; i < 9; ++i) around[i] = n >> i & 1;
      if (around[4] == 0 && rule.next(around) == 1) ++sum;
    }
    return sum;
  };
  // Of von Neumann, hexagonal and one-dimensional neighbourhoods, 4, 2 and 6 cells are not read
  EXPECT_EQ(results("vonNeumann", "none", "0,1,0,0,0,1"), 1 * 16);
  EXPECT_EQ(results("vonNeumann", "rotate4", "0,1,0,0,0,1"), 4 * 16);
  EXPECT_EQ(results("vonNeumann", "rotate4", "011001"), 4 * 16);
  EXPECT_EQ(results("vonNeumann", "reflect_horizontal", "0,0,1,0,0,1"), 2 * 16);
  EXPECT_EQ(results("vonNeumann", "permute", "0,1,1,0,0,1"), 6 * 16);
  EXPECT_EQ(results("Moore", "none", "0,1,1,0,1,0,0,0,0,1"), 1);
  EXPECT_EQ(results("Moore", "rotate4", "0,1,1,0,1,0,0,0,0,1"), 4);
  EXPECT_EQ(results("Moore", "rotate8", "0,1,1,0,1,0,0,0,0,1"), 8);
  EXPECT_EQ(results("Moore", "rotate4reflect", "0,1,1,0,1,0,0,0,0,1"), 8);
  EXPECT_EQ(results("Moore", "rotate8reflect", "0,1,1,0,1,0,0,0,0,1"), 16);
  EXPECT_EQ(results("Moore", "reflect_horizontal", "0,1,1,0,1,0,0,0,0,1"), 2);
  EXPECT_EQ(results("Moore", "permute", "0,1,1,0,1,0,0,0,0,1"), 56);
  EXPECT_EQ(results("hexagonal", "rotate2", "0,1,1,0,1,0,0,1"), 2 * 4);
  EXPECT_EQ(results("hexagonal", "rotate3", "0,1,1,0,1,0,0,1"), 3 * 4);
  EXPECT_EQ(results("hexagonal", "rotate6", "0,1,1,0,1,0,0,1"), 6 * 4);
  EXPECT_EQ(results("hexagonal", "rotate6reflect", "0,1,1,0,1,0,0,1"), 12 * 4);
  EXPECT_EQ(results("oneDimensional", "none", "0,1,0,1"), 1 * 64);
  EXPECT_EQ(results("oneDimensional", "reflect", "0,1,0,1"), 2 * 64);
}

TEST(Transitions, ATreeIsReadFromItsLastNode) {
  // The state of the northern neighbour
  const Transitions rule = Transitions::parse(
      "@RULE North\n\n@TREE\nnum_states=2\nnum_neighbors=4\nnum_nodes=10\n1 0 0\n1 1 1\n2 0 0\n2 1 1\n3 2 2\n"
      "3 3 3\n4 4 4\n4 5 5\n5 6 7\n@COLORS\n0 0 0 0\n@ICONS\nXPM\n",
      "North.rule");
  for_random_cells(rule, [](const Neighbourhood& cells, int next) { EXPECT_EQ(next, cells[1]); });
  ASSERT_EQ(rule.ignored().size(), 1u);
  EXPECT_EQ(rule.ignored()[0], "ICONS");
  EXPECT_EQ(Rule::by(rule).str(), Rule::by(rule).two_state().str());
}

TEST(Transitions, OfTwoStatesAreARuleOfTwoStates) {
  const Rule parity = Rule::by(table("2", "Moore", "permute",
                                     "0,1,0,0,0,0,0,0,0,1\n0,1,1,1,0,0,0,0,0,1\n1,1,1,0,0,0,0,0,0,1\n"
                                     "1,0,0,0,0,0,0,0,0,0\n1,1,0,0,0,0,0,0,0,0\n"));
  EXPECT_EQ(parity.transitions(), nullptr);
  EXPECT_EQ(parity, Rule(1 << 1 | 1 << 3, 0x1FC));
  EXPECT_EQ(Rule::by(*Rule::parse("WireWorld").transitions()), Rule::parse("WireWorld"));
}

// The colours of five states by lines of COLORS.
std::vector<Colour> colours(const std::string& lines) {
  const Transitions rule = Transitions::parse(
      "@RULE T\n@COLORS\n" + lines + "@TABLE\nn_states:5\nneighborhood:Moore\nsymmetries:none\n",
      "Test.rule");
  return {rule.colours().begin(), rule.colours().end()};
}

TEST(Transitions, StatesHaveTheColoursOfTheFile) {
  const Colour grey{48, 48, 48}, red{255, 0, 0}, yellow{255, 255, 0};
  EXPECT_TRUE(colours("\n# 1 2 3 4\n").empty());
  // Those that are not named are between red and yellow
  EXPECT_EQ(colours("2, 10, 20, 30 blue\n200 1 1 1\n"),
            (std::vector<Colour>{grey, red, {10, 20, 30}, {255, 170, 0}, yellow}));
  // A gradient of all live states, of which one is named
  EXPECT_EQ(colours("0 1 2 3\n0 0 0 90 60 30 from black\n4 7 8 9 # end\n"),
            (std::vector<Colour>{{1, 2, 3}, {0, 0, 0}, {30, 20, 10}, {60, 40, 20}, {7, 8, 9}}));
  const std::string file = "@RULE T\n@COLORS\n";
  for (const std::string line : {"1 2 3\n", "1 2 3 256\n", "256 1 1 1\n", "red\n", "1 2 3 4 5\n-1 0 0 0\n"})
    EXPECT_NE(error_of(file + line).find("expected a state and its red, green and blue"), std::string::npos)
        << line;
}

TEST(Transitions, ErrorsNameFileAndLine) {
  const std::string head = "@RULE T\n@TABLE\nn_states:3\nneighborhood:Moore\nsymmetries:none\n";
  for (const auto& [text, expected] :
       {std::pair<std::string, std::string>("", "Test.rule, line 0"),
        {"@RULE\n", "line 1: expected @RULE"},
        {"@RULE T\n@COLORS\n1 1 1 1\n", "expected a section @TABLE or @TREE"},
        {"@RULE T\n@TABLE\nn_states:257\n", "line 3: expected n_states:2 to 256"},
        {"@RULE T\n@TABLE\nn_states:3\nneighborhood:Margolus\n", "line 4: expected neighborhood"},
        {"@RULE T\n@TABLE\nneighborhood:Moore\n0,0,0,0,0,0,0,0,0,0\n", "belong before"},
        {"@RULE T\n@TABLE\nn_states:3\nneighborhood:vonNeumann\nsymmetries:rotate8\n0,0,0,0,0,0\n",
         "no symmetries rotate8"},
        {head + "0,0,0,0,0,0,0,0,0\n", "line 6: 9 states of a transition: expected 10"},
        {head + "0,0,0,0,0,0,0,0,0,3\n", "state 3 of a rule with states 0 to 2"},
        {head + "0,0,0,0,0,x,0,0,0,1\n", "\"x\" is neither a variable nor a state"},
        {head + "var x={1,2}\n0,0,0,0,0,0,0,0,0,x\n", "its value is unknown"},
        {head + "var x\n", "expected a variable and its states"},
        {head + "0,0,0,0,0,0,0,0,0,1\nn_states:3\n", "belongs before"},
        {"@RULE T\n@TREE\nnum_states=2\nnum_neighbors=5\n", "line 4"},
        {"@RULE T\n@TREE\nnum_states=2\nnum_neighbors=4\n1 0 2\n", "entry 2 is 2: expected a state"},
        {"@RULE T\n@TREE\nnum_states=2\nnum_neighbors=4\n1 0 1\n3 0 0\n", "one less deep"},
        {"@RULE T\n@TREE\nnum_states=2\nnum_neighbors=4\n1 0 1\n", "no root"}})
    EXPECT_NE(error_of(text).find(expected), std::string::npos)
        << error_of(text) << "\nexpected " << expected;
}

// A neighbour in the next of eight states: by position, the transitions that fit after some cells are more
// than the tree has nodes by far.
TEST(Transitions, OfPermutedNeighboursAreATree) {
  std::string lines;
  for (const char variable : std::string("abcdefg"))
    lines += fmt::format("var {}={{0,1,2,3,4,5,6,7}}\n", variable);
  for (int state = 0; state < 8; ++state) {
    const std::string next = std::to_string((state + 1) % 8);
    lines += std::to_string(state) + "," + next + ",a,b,c,d,e,f,g," + next + "\n";
  }
  const Transitions cyclic = table("8", "Moore", "permute", lines);
  EXPECT_LT(cyclic.tree().nodes.size(), 8u * 2000);
  for_random_cells(cyclic, [](const Neighbourhood& cells, int next) {
    const int centre = cells[4], following = (centre + 1) % 8;
    bool is_eaten = false;
    for (std::size_t i = 0; i < 9; ++i) is_eaten = is_eaten || (i != 4 && cells[i] == following);
    EXPECT_EQ(next, is_eaten ? following : centre);
  });
}

// Of transitions for the same cells the first one counts, also if later ones are between them.
TEST(Transitions, TheFirstOneCounts) {
  const Transitions rule = table("3", "vonNeumann", "none",
                                 "var a={0,1,2}\nvar b={0,1,2}\n"
                                 "0,1,a,0,0,1\n0,b,2,0,0,2\n0,1,2,0,0,0\n0,1,a,0,0,2\n");
  const auto next = [&](std::uint8_t north, std::uint8_t east) {
    return rule.next({0, north, 0, 0, 0, east, 0, 0, 0});
  };
  EXPECT_EQ(next(1, 2), 1);
  EXPECT_EQ(next(2, 2), 2);
  EXPECT_EQ(next(1, 0), 1);
  EXPECT_EQ(next(0, 1), 0);
}

using RuleFiles = TemporaryCache;

TEST_F(RuleFiles, AreFoundInFolders) {
  std::filesystem::create_directories(folder());
  const std::string path = (folder() / "Own-Rule.rule").string();
  std::ofstream(path) << "@RULE Own-Rule\n@TABLE\nn_states:3\nneighborhood:vonNeumann\nsymmetries:none\n"
                         "0,0,0,0,0,1\n";
  setenv("MOOREA_RULES", ("/nowhere::" + folder().string()).c_str(), 1);
  EXPECT_EQ(rule_folders()[1], folder().string());
  const Rule rule = Rule::parse("Own-Rule");
  EXPECT_EQ(Rule::parse("own rule"), rule);
  EXPECT_EQ(WorldSpec::parse("Own-Rule:T20,30"), (WorldSpec{rule, Topology::torus, 20, 30}));
  EXPECT_TRUE(rule.births_from_nothing());
  unsetenv("MOOREA_RULES");
  EXPECT_THROW(Rule::parse("Own-Rule"), Error);
  // Its colours may be in a file that others share
  EXPECT_TRUE(rule.transitions()->colours().empty());
  std::ofstream(folder() / "Own-shared.rule")
      << "@RULE Own-shared\n@COLORS\n1 9 8 7\n@TABLE\nn_states:3\nneighborhood:Moore\nsymmetries:none\n";
  const std::string other = (folder() / "Own-Other.rule").string();
  std::ofstream(other) << "@RULE Own-Other\n@TABLE\nn_states:3\nneighborhood:Moore\nsymmetries:none\n";
  ASSERT_EQ(Rule::parse(other).transitions()->colours().size(), 3u);
  EXPECT_EQ(Rule::parse(other).transitions()->colours()[1], (Colour{9, 8, 7}));
  // A rule whose path was given has its name until the program ends
  EXPECT_EQ(Rule::parse(path), rule);
  EXPECT_EQ(Rule::parse("Own-Rule"), rule);
}

}  // namespace
}  // namespace moorea
