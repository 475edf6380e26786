// SPDX-License-Identifier: MIT
// Rules of Generations: notations, names and refusals.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>

#include "moorea/checkpoint.h"
#include "moorea/ensemble.h"
#include "moorea/error.h"
#include "moorea/far_plane.h"
#include "moorea/hashlife.h"
#include "moorea/identify.h"
#include "moorea/inventory.h"
#include "moorea/mesh.h"
#include "moorea/period.h"
#include "moorea/rule.h"
#include "moorea/simulation.h"
#include "moorea/support/nine_cells.h"
#include "moorea/survey.h"
#include "moorea/world_spec.h"

namespace moorea {
namespace {

Rule of_states(unsigned birth, unsigned survival, int states) {
  return Rule(birth, survival).with_states(states);
}

// The message of an Error of this kind, which must be thrown.
std::string refusal_by(ErrorKind kind, const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(GenerationsRule, EveryNotationOfStarWars) {
  for (const char* text :
       {"345/2/4",    "543/2/4",    " 345 / 2 / 4 ", "345/2/C4",          "345/2/G4",  "B2/S345/C4",
        "B2/S345/G4", "b2/s345/g4", "B2/S345/4",     "B2_S345_4",         "S345/B2/4", "S345/B2/C4",
        "B2S345C4",   "b2s345c4",   "B2S345G4",      "b2s345g4",          "S345B2G4",  "G4/B2/S345",
        "g4b2s345",   "G4/S345/B2", "G4B2S345",      "B 2 / S 345 / G 4", "Star Wars", "starwars"}) {
    EXPECT_EQ(Rule::parse(text), of_states(1 << 2, 7 << 3, 4)) << text;
    EXPECT_EQ(Rule::parse(text).str(), "345/2/4") << text;
  }
}

TEST(GenerationsRule, EveryNotationOfBriansBrain) {
  for (const char* text : {"/2/3", "B2/S/C3", "B2/S/G3", "B2/S/3", "B2SC3", "b2sc3", "B2SG3", "S/B2/3",
                           "G3/B2/S", "G3B2S", "G3B2", "Brian's Brain", "brians brain"}) {
    EXPECT_EQ(Rule::parse(text), of_states(1 << 2, 0, 3)) << text;
    EXPECT_EQ(Rule::parse(text).str(), "/2/3") << text;
  }
}

// A letter c gives the states where counts do not ascend across it, but if it may be an arrangement, too.
TEST(GenerationsRule, LettersThatMayBeArrangements) {
  for (const char* text : {"B3/S7c80", "b327/s7c418", "B2/S45c3", "B3/S23C4"})
    EXPECT_THROW(Rule::parse(text), Error) << text;
  EXPECT_EQ(Rule::parse("B2/S345c4").str(), "345/2/4");  // 4 is among the counts
  EXPECT_EQ(Rule::parse("B3/S7c90").str(), "7/3/90");    // there are no nine neighbours
  EXPECT_EQ(Rule::parse("B3/S2c34").states(), 2);
  EXPECT_EQ(Rule::parse("b3s7c80").states(), 80);
}

// Golly, "Help: Generations": 23/3/2 is Life.
TEST(GenerationsRule, TwoStatesAreARuleOfTwoStates) {
  for (const char* text : {"23/3/2", "B3/S23/C2", "B3/S23/2", "G2/B3/S23", "b3s23g2"}) {
    EXPECT_EQ(Rule::parse(text), Rule()) << text;
    EXPECT_EQ(Rule::parse(text).str(), "B3/S23") << text;
  }
}

TEST(GenerationsRule, StatesFromTwoTo256) {
  for (int states = 3; states <= 256; ++states) {
    const Rule rule = Rule::parse(fmt::format("345/2/{}", states));
    EXPECT_EQ(rule.states(), states);
    EXPECT_FALSE(rule.is_life_like());
    EXPECT_EQ(rule.two_state().str(), "B2/S345");
    EXPECT_EQ(Rule::parse(rule.str()), rule);
  }
}

TEST(GenerationsRule, HaveBoundedGrids) {
  const WorldSpec spec = WorldSpec::parse("/2/3:T100,50");
  EXPECT_EQ(spec.rule, of_states(1 << 2, 0, 3));
  EXPECT_EQ(spec.bounds(), (Bounds{Topology::torus, 100, 50}));
  EXPECT_EQ(spec.str(), "/2/3:T100,50");
  EXPECT_EQ(WorldSpec::parse(spec.str()), spec);
}

TEST(GenerationsRule, BirthsFromNothing) {
  EXPECT_TRUE(Rule::parse("23/03/4").births_from_nothing());
  EXPECT_FALSE(Rule::parse("023/3/4").births_from_nothing());
}

TEST(GenerationsRule, HenselsLetters) {
  for (const char* text :
       {"B2-a/S12/G4", "12/2-a/4", "b2-a/s12/c4", "G4/B2-a/S12", "B2-aS12G4", "B2ceikn/S12/4"}) {
    EXPECT_EQ(Rule::parse(text), Rule::parse("B2-a/S12").with_states(4)) << text;
    EXPECT_EQ(Rule::parse(text).str(), "12/2-a/4") << text;
  }
  EXPECT_EQ(Rule::parse("/2aceikn3/8").str(), "/23/8");  // as in Golly's help
  EXPECT_EQ(Rule::parse("/2-aceikn3/8").str(), "/3/8");
  std::mt19937 random(4);
  for (int i = 0; i < 200; ++i) {
    const auto conditions = [&] {
      std::string text;
      for (const char count : {'0', '1', '2', '3', '5', '6'}) {
        if (random() % 2 == 0) continue;
        text += count;
        for (const char letter : std::string(count == '0' ? "" : count == '1' ? "ce" : "ceakin"))
          if (random() % 3 == 0) text += letter;
      }
      return text;
    };
    const std::string birth = conditions(), survival = conditions();
    const Rule rule =
        Rule::parse("B" + birth + "/S" + survival).with_states(static_cast<int>(3 + random() % 9));
    const std::string text = rule.str();
    EXPECT_EQ(Rule::parse(text), rule) << text;
    EXPECT_EQ(std::ranges::count(text, '/'), 2) << text;
  }
}

// Golly appends V or H to the number of states.
TEST(GenerationsRule, OtherNeighbourhoods) {
  for (const char* text :
       {"013/2/4V", "013/2V/4", "B2/S013V/G4", "B2/S013/G4V", "B2/S013/4v", "G4/B2/S013V"}) {
    EXPECT_EQ(Rule::parse(text), Rule::parse("B2/S013V").with_states(4)) << text;
    EXPECT_EQ(Rule::parse(text).str(), "013/2/4V") << text;
  }
  EXPECT_EQ(Rule::parse("B2/S34/G5H").str(), "34/2/5H");
  EXPECT_EQ(Rule::parse("34/2H/5"), Rule::parse("B2/S34H").with_states(5));
}

TEST(GenerationsRule, MapStrings) {
  const std::string life =
      "MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAA";
  EXPECT_EQ(Rule::parse(life + "/2"), Rule());  // as in Golly's help
  EXPECT_EQ(Rule::parse(life + "/3").str(), "23/3/3");
  EXPECT_EQ(Rule::parse(life + "==/3").str(), "23/3/3");
  EXPECT_EQ(Rule::parse(life + "/G3").str(), "23/3/3");
  EXPECT_EQ(Rule::parse("MAPHmlphg/12").str(), "013/2/12V");
  std::mt19937_64 random(2);
  for (int i = 0; i < 50; ++i) {
    Rule::Table table{};
    for (std::uint64_t& word : table) word = random();
    const Rule rule = Rule(table).with_states(static_cast<int>(3 + random() % 254));
    EXPECT_EQ(Rule::parse(rule.str()), rule) << rule.str();
    EXPECT_EQ(WorldSpec::parse(rule.str() + ":T20,10").rule, rule);
  }
}

TEST(GenerationsRule, CanonicalTextReadsBack) {
  for (unsigned birth = 0; birth <= 0x1FF; birth += 5) {
    for (unsigned survival = 0; survival <= 0x1FF; survival += 3) {
      const Rule rule = of_states(birth, survival, static_cast<int>(3 + (birth + survival) % 254));
      ASSERT_EQ(Rule::parse(rule.str()), rule) << rule.str();
    }
  }
  for (const char* text : {"B2/S34c5", "B2S23c4", "B2/S8", "B2c/S2c3c", "B2/S012345678", "B1e2c/SV"}) {
    if (std::string(text).ends_with('V')) continue;
    EXPECT_EQ(Rule::parse(text).states(), 2) << text;
    const Rule rule = Rule::parse(text).with_states(7);
    EXPECT_EQ(Rule::parse(rule.str()), rule) << rule.str();
  }
}

// The c of Hensel's notation and the C before a number of states.
TEST(GenerationsRule, CAfterACount) {
  EXPECT_EQ(Rule::parse("b2s23c4").str(), "B2/S23c4");
  EXPECT_EQ(Rule::parse("B2S8C4").str(), "8/2/4");
  EXPECT_EQ(Rule::parse("B2S345C25").str(), "345/2/25");
  EXPECT_EQ(Rule::parse("B2S23C9").str(), "23/2/9");
  EXPECT_EQ(Rule::parse("B2S34C3V").str(), "34/2/3V");
  const std::string message = refusal_by(ErrorKind::usage, [] { Rule::parse("B2S23C4"); });
  EXPECT_NE(message.find("\n       ^"), std::string::npos) << message;
  EXPECT_NE(message.find("or /C and the number of states"), std::string::npos) << message;
}

TEST(GenerationsRule, ErrorsPointAtTheCharacter) {
  struct Case {
    const char* text;
    std::size_t place;  // from 1
    const char* expected;
  };
  for (const Case& bad : {Case{"345/2/", 7, "number of states, 2 to 256"},
                          Case{"345/2/1", 7, "2 to 256"},
                          Case{"345/2/0", 7, "2 to 256"},
                          Case{"345/2/257", 7, "2 to 256"},
                          Case{"345/2/99999999999999999999", 7, "2 to 256"},
                          Case{"345/2/x", 7, "number of states"},
                          Case{"345/2/4/5", 8, "the end"},
                          Case{"345/2/4x", 8, "the end"},
                          Case{"345/29/4", 6, "0 to 8"},
                          Case{"B2/S345/C", 10, "number of states"},
                          Case{"B2/S345/C300", 10, "2 to 256"},
                          Case{"B2/S345/", 9, "number of states"},
                          Case{"B2/S345/B4", 9, "number of states"},
                          Case{"G300/B2/S345", 2, "2 to 256"},
                          Case{"G4/B2/S345/4", 11, "the end"},
                          Case{"G4/345/2", 4, "B"},
                          Case{"B2/S34/4VV", 10, "the end"},
                          Case{"B2/S345/4V", 10, "0 to 4"},
                          Case{"B2-a/S1/4H", 10, "no letters"},
                          Case{"MAPHmlphg/", 11, "number of states"},
                          Case{"MAPHmlphg/300", 11, "2 to 256"}}) {
    const std::string message = refusal_by(ErrorKind::usage, [&] { WorldSpec::parse(bad.text); });
    EXPECT_NE(message.find("character " + std::to_string(bad.place) + ":"), std::string::npos) << message;
    EXPECT_NE((message + "\n").find("\n  " + std::string(bad.place - 1, ' ') + "^\n"), std::string::npos)
        << message;
    EXPECT_NE(message.find(bad.expected), std::string::npos) << message;
  }
}

// Golly, "Help: Generations", and the rules of MCell: survivals, births, states.
TEST(GenerationsRule, PublishedNames) {
  struct Named {
    const char* name;
    const char* text;
  };
  for (const Named& named : {Named{"Banners", "2367/3457/5"},
                             Named{"BelZhab", "23/23/8"},
                             Named{"Belzhab Sediment", "145678/23/8"},
                             Named{"Bloomerang", "234/34678/24"},
                             Named{"Bombers", "345/24/25"},
                             Named{"Brain 6", "6/246/3"},
                             Named{"Brian's Brain", "/2/3"},
                             Named{"Burst", "0235678/3468/9"},
                             Named{"Burst II", "235678/3468/9"},
                             Named{"Caterpillars", "124567/378/4"},
                             Named{"Chenille", "05678/24567/6"},
                             Named{"Circuit Genesis", "2345/1234/8"},
                             Named{"Cooties", "23/2/8"},
                             Named{"Ebb & Flow", "012478/36/18"},
                             Named{"Ebb & Flow II", "012468/37/18"},
                             Named{"Faders", "2/2/25"},
                             Named{"Fireworks", "2/13/21"},
                             Named{"Flaming Starbows", "347/23/8"},
                             Named{"Frogs", "12/34/3"},
                             Named{"Frozen spirals", "356/23/6"},
                             Named{"Glisserati", "035678/245678/7"},
                             Named{"Glissergy", "035678/245678/5"},
                             Named{"Lava", "12345/45678/8"},
                             Named{"Lines", "012345/458/3"},
                             Named{"LivingOn TheEdge", "345/3/6"},
                             Named{"Meteor Guns", "01245678/3/8"},
                             Named{"Nova", "45678/2478/25"},
                             Named{"Orthogo", "3/2/4"},
                             Named{"Prairie on fire", "345/34/6"},
                             Named{"RainZha", "2/23/8"},
                             Named{"Rake", "3467/2678/6"},
                             Named{"SediMental", "45678/25678/4"},
                             Named{"Snake", "03467/25/6"},
                             Named{"SoftFreeze", "13458/38/6"},
                             Named{"Spirals", "2/234/5"},
                             Named{"Star Wars", "345/2/4"},
                             Named{"Sticks", "3456/2/6"},
                             Named{"Swirl", "23/34/8"},
                             Named{"ThrillGrill", "1234/34/48"},
                             Named{"Transers", "345/26/5"},
                             Named{"Transers II", "0345/26/6"},
                             Named{"Wanderers", "345/34678/5"},
                             Named{"Worms", "3467/25/6"},
                             Named{"Xtasy", "1456/2356/16"}}) {
    EXPECT_EQ(Rule::parse(named.name).str(), named.text) << named.name;
    EXPECT_FALSE(Rule::parse(named.text).name().empty()) << named.name;
  }
}

TEST(GenerationsRule, NamesDifferWhateverTheirSpelling) {
  std::set<std::string> names;
  for (const NamedRule& named : named_rules()) {
    std::string plain;
    for (const char c : named.name)
      if (std::isalnum(static_cast<unsigned char>(c))) plain += static_cast<char>(std::tolower(c));
    EXPECT_TRUE(names.insert(plain).second) << named.name;
  }
}

TEST(HistoryRule, EveryNotation) {
  const Rule rule = Rule().with_history();
  for (const char* const text : {"LifeHistory", "B3/S23History", "b3s23history", "23/3History",
                                 "Conway's Life History", "B3/S23 HISTORY "})
    EXPECT_EQ(Rule::parse(text), rule) << text;
  EXPECT_EQ(rule.str(), "LifeHistory");
  EXPECT_EQ(rule.states(), 7);
  EXPECT_EQ(rule.two_state(), Rule());
  EXPECT_NE(rule, Rule().with_states(7));
  for (const char* const text : {"B36/S23History", "B2-a/S12History", "B2/S34HHistory", "B2/S013VHistory"})
    EXPECT_EQ(Rule::parse(text).str(), text);
  EXPECT_EQ(WorldSpec::parse("LifeHistory:T64,32").rule, rule);
}

TEST(HistoryRule, OthersHaveNone) {
  for (const char* const text :
       {"History", "B3/S29History", "/2/3History", "LifeHistoryHistory", "B3/S23Histor"})
    EXPECT_THROW(Rule::parse(text), Error) << text;
}

TEST(GenerationsRule, CostIsThatOfBirthsAndSurvivals) {
  for (const char* text : {"345/2/4", "B2-a/S12/G4"}) {
    const Rule rule = Rule::parse(text);
    EXPECT_EQ(rule_cost(rule).gates_per_word, rule_cost(rule.two_state()).gates_per_word);
    EXPECT_EQ(rule_cost(rule).operations_per_word, rule_cost(rule.two_state()).operations_per_word);
    EXPECT_EQ(gates_per_word(rule), gates_per_word(rule.two_state()));
  }
}

// Refusals of all that computes cells of two states only.
class RefusedRules : public testing::TestWithParam<const char*> {
 protected:
  const Rule rule = Rule::parse(GetParam());
  const WorldSpec plane{rule, Topology::unbounded, 0, 0};

  void expect_refused(ErrorKind kind, const std::function<void()>& call) const {
    const std::string message = refusal_by(kind, call);
    EXPECT_NE(message.find("two states"), std::string::npos) << message;
  }
};

TEST_P(RefusedRules, ByTheHelper) {
  require_nine_cells(Rule(), "a test");
  expect_refused(ErrorKind::usage, [&] { require_nine_cells(rule, "a test"); });
  expect_refused(ErrorKind::unavailable, [&] { require_nine_cells(rule, "a test", ErrorKind::unavailable); });
}

TEST_P(RefusedRules, ByTrees) {
  EXPECT_NE(HashLife::refusal(plane), nullptr);
  expect_refused(ErrorKind::unavailable, [&] { HashLife{plane}; });
  expect_refused(ErrorKind::unavailable, [&] { HashLife::of(Pattern(), plane); });
  EXPECT_NE(FarPlane::refusal(plane, {}).find("two states"), std::string::npos);
  expect_refused(ErrorKind::usage, [&] { FarPlane::of(Pattern(), plane); });
}

TEST_P(RefusedRules, ByEnsemblesAndSurveys) {
  EnsembleSpec spec;
  spec.groups = {{Rule(), 3}, {rule, 3}};
  spec.size = {16, 16};
  expect_refused(ErrorKind::usage, [&] { Ensemble{spec}; });
  expect_refused(ErrorKind::usage, [&] { check_survey(spec, {}); });
  expect_refused(ErrorKind::usage, [&] { survey(spec, {}, {}); });
}

TEST_P(RefusedRules, ByIdentify) {
  Pattern pattern;
  pattern.rule = rule.str();
  pattern.cells = Grid(3, 3);
  expect_refused(ErrorKind::usage, [&] { identify(pattern); });
}

TEST_P(RefusedRules, ByTheSearchForThePeriod) {
  Simulation world(rule, Topology::torus, Grid(16, 16));
  expect_refused(ErrorKind::usage, [&] { find_period(world); });
}

TEST_P(RefusedRules, ByMeshes) {
  expect_refused(ErrorKind::usage, [&] { WorldSpec::on(rule, Mesh::make("sphere:4")); });
}

TEST_P(RefusedRules, ByCheckpoints) {
  if (checkpoints_unavailable_reason() != nullptr) GTEST_SKIP() << checkpoints_unavailable_reason();
  const Simulation world(rule, Topology::torus, Grid(16, 16));
  expect_refused(ErrorKind::usage, [&] { checkpoint_header(world); });
  CheckpointHeader header;
  header.rule = rule;
  expect_refused(ErrorKind::usage, [&] { CheckpointWriter("generations.mck", header); });
}

INSTANTIATE_TEST_SUITE_P(Generations, RefusedRules,
                         testing::Values("/2/3", "LifeHistory", "B2-a/S12/G4", "013/2/256V"));

}  // namespace
}  // namespace moorea
