// SPDX-License-Identifier: MIT
// Larger than Life and rules of blocks: notations, names and errors.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "moorea/error.h"
#include "moorea/larger_than_life.h"
#include "moorea/rule.h"
#include "moorea/world_spec.h"

namespace moorea {
namespace {

using Shape = LargerThanLife::Shape;

std::string message_of(const std::string& text) {
  try {
    (void)Rule::parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(WideRule, EveryNotationOfBoscosRule) {
  const Rule rule = Rule::by(LargerThanLife(5, Shape::moore, {{34, 45}}, {{33, 57}}));
  for (const char* text :
       {"R5,C0,M1,S34..58,B34..45,NM", "R5,C2,M0,S33..57,B34..45,NM", "R5,C2,S33-57,B34-45,NM",
        "R5,C2,S33-57,B34-45", "r5,c1,b34..45,s33..57,nm", "R5/C2/S33-57/B34-45", "5,34,45,34,58",
        "r5b34t45s34t58", "R5,C0,M1,S34..58,B34..45,NM", " R5, C0, M1, S34..58, B34..45, NM ", "Bosco's Rule",
        "bugs", "R5,S40-57,33-39,B34-45", "R5,S33-57,B34-40,38-45"})
    EXPECT_EQ(Rule::parse(text), rule) << text;
  EXPECT_EQ(rule.str(), "R5,C0,M0,S33..57,B34..45,NM");
  EXPECT_EQ(rule.name(), "Bosco's Rule");
  EXPECT_EQ(rule.reach(), 5);
  EXPECT_FALSE(rule.is_life_like());
  EXPECT_FALSE(rule.has_nine_cells());
  EXPECT_FALSE(rule.births_from_nothing());
  EXPECT_EQ(rule.table(), nullptr);
  const WorldSpec world = WorldSpec::parse("R5,C0,M1,S34..58,B34..45,NM:T400,300");
  EXPECT_EQ(world.rule, rule);
  EXPECT_EQ(world.box(), (Box{0, 0, 400, 300}));
}

TEST(WideRule, StatesAndBirthsFromNothing) {
  const Rule rule = Rule::parse("R3,C7,S2-3,B0,5,NC");
  EXPECT_EQ(rule.states(), 7);
  EXPECT_TRUE(rule.births_from_nothing());
  EXPECT_EQ(rule.with_states(2), Rule::parse("R3,C2,S2-3,B0,5,NC"));
  EXPECT_EQ(rule.two_state().with_states(7), rule);
  EXPECT_EQ(rule.str(), "R3,C7,S2-3,B0,5,NC");
  // With M1 a live cell counts itself, so that a count of 0 never occurs
  EXPECT_EQ(Rule::parse("R2,C0,M1,S0..0,B3..3,NM"), Rule::parse("R2,C2,S,B3"));
  EXPECT_EQ(Rule::parse("R2,C2,S,B3").str(), "R2,C2,S,B3,NM");
}

TEST(WideRule, CountsOutsideTheNeighbourhoodNeverOccur) {
  const LargerThanLife counts(2, Shape::von_neumann, {{3, 4}, {11, 900}}, {{20, 30}});
  EXPECT_EQ(counts.neighbours(), 12);
  EXPECT_EQ(counts.str(2), "R2,C2,S,B3-4,11-12,NN");
  EXPECT_TRUE(counts.next(false, 12));
  EXPECT_FALSE(counts.next(true, 12));
}

// Numbers of neighbours in Golly's help, and those of the definitions.
TEST(WideRule, NumbersOfNeighbours) {
  struct Case {
    const char* suffix;
    int of_radius_3;
  };
  for (const auto& [suffix, neighbours] :
       {Case{"NM", 48}, Case{"NN", 24}, Case{"NC", 36}, Case{"N2", 28}, Case{"NH", 36}, Case{"N+", 12},
        Case{"NX", 12}, Case{"N*", 24}, Case{"N#", 24}, Case{"NB", 24}, Case{"ND", 24}}) {
    const Rule rule = Rule::parse(std::string("R3,C2,S2,5,B3,7,") + suffix);
    ASSERT_NE(rule.larger_than_life(), nullptr);
    EXPECT_EQ(rule.larger_than_life()->neighbours(), neighbours) << suffix;
    EXPECT_EQ(Rule::parse(rule.str()), rule) << rule.str();
  }
}

TEST(WideRule, DigitsOfACustomNeighbourhood) {
  // All cells, and the four in the corners
  EXPECT_EQ(Rule::parse("R2,S2-3,B3,N@ffffff").larger_than_life()->neighbours(), 24);
  const Rule corners = Rule::parse("R2,S2-3,B3,N@880011");
  EXPECT_EQ(corners.larger_than_life()->neighbours(), 4);
  const std::vector<LargerThanLife::Run> runs = {{-2, -2, -2}, {-2, 2, 2}, {0, 0, 0}, {2, -2, -2}, {2, 2, 2}};
  EXPECT_TRUE(std::ranges::equal(corners.larger_than_life()->runs(), runs));
  EXPECT_EQ(corners.str(), "R2,C2,S2-3,B3,N@880011");
  EXPECT_EQ(Rule::parse("r2,s2-3,b3,n@880011"), corners);
}

TEST(WideRule, CanonicalTextReadsBack) {
  std::mt19937 random(31);
  for (int i = 0; i < 200; ++i) {
    const auto shape = static_cast<Shape>(random() % 11);
    const int radius = 2 + static_cast<int>(random() % 499);
    const auto intervals = [&] {
      std::vector<LargerThanLife::Interval> result;
      for (unsigned k = 0; k < random() % 4; ++k) {
        const int first = static_cast<int>(random() % 1000);
        result.push_back({first, first + static_cast<int>(random() % 100)});
      }
      return result;
    };
    const Rule rule = Rule::by(LargerThanLife(radius, shape, intervals(), intervals()),
                               2 + static_cast<int>(random() % 255));
    EXPECT_EQ(Rule::parse(rule.str()), rule) << rule.str();
  }
}

TEST(BlockRule, EveryNotationOfCritters) {
  const Rule rule = Rule::parse("Critters");
  for (const char* text :
       {"M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0", "MS,D15;14;13;3;11;5;6;1;7;9;10;2;12;4;8;0",
        "ms,d15;14;13;3;11;5;6;1;7;9;10;2;12;4;8;0", "m15, 14,13,3,11,5,6,1,7,9,10,2,12,4,8,0", "critters"})
    EXPECT_EQ(Rule::parse(text), rule) << text;
  EXPECT_EQ(rule.str(), "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0");
  EXPECT_TRUE(rule.births_from_nothing());
  EXPECT_FALSE(rule.has_nine_cells());
  EXPECT_FALSE(Rule::parse("BBM").births_from_nothing());
}

TEST(BlockRule, InversesOfPermutations) {
  for (const char* name : {"BBM", "Critters", "Tron", "HPP Gas"}) {
    const Rule rule = Rule::parse(name);
    ASSERT_TRUE(rule.inverse()) << name;
    for (unsigned block = 0; block < 16; ++block)
      EXPECT_EQ((*rule.inverse()->blocks())[(*rule.blocks())[block]], block);
  }
  EXPECT_FALSE(Rule::parse("M0,0,2,3,4,5,6,7,8,9,10,11,12,13,14,15").inverse());
  EXPECT_FALSE(Rule().inverse());
}

TEST(WideRule, ErrorsHaveTheirPlace) {
  struct Case {
    const char* text;
    std::size_t place;
    const char* expected;
  };
  for (const Case& bad :
       {Case{"R5,C0,M1,S34..58", 17, "births"}, Case{"R0,S1,B1", 2, "1 to 500"},
        Case{"R501,S1,B1", 2, "1 to 500"}, Case{"R5,C257,S1,B1", 5, "0 to 256"}, Case{"R5,M2,S1,B1", 5, "M0"},
        Case{"R5,S9-8,B1", 7, "9 or more"}, Case{"R5,S1,B1,NQ", 11, "letter of a neighbourhood"},
        Case{"R5,S1,B1,NM,S2", 12, "the end"}, Case{"R5,S1,B1,B2", 10, ",N"},
        Case{"R2,S1,B1,N@fff", 15, "6 hexadecimal digits"}, Case{"5,34,45,34", 11, "five numbers"},
        Case{"5,34,33,34,58", 6, "34 to"}, Case{"M0,1,2", 7, "16 in all"},
        Case{"M0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,16", 37, "0 to 15"}, Case{"MS,0;1", 4, "semicolons"},
        Case{"M0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,1", 39, "the end"}}) {
    const std::string message = message_of(bad.text);
    EXPECT_NE(message.find("character " + std::to_string(bad.place) + ":"), std::string::npos)
        << bad.text << ": " << message;
    EXPECT_NE(message.find(bad.expected), std::string::npos) << message;
  }
  EXPECT_THROW(LargerThanLife(0, Shape::moore, {}, {}), Error);
  EXPECT_THROW(LargerThanLife(2, Shape::custom, {}, {}), Error);
  EXPECT_THROW(LargerThanLife(2, "12345", {}, {}), Error);
  EXPECT_THROW((void)Rule::by(LargerThanLife(2, Shape::moore, {}, {}), 257), Error);
}

}  // namespace
}  // namespace moorea
