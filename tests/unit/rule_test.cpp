// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "moorea/error.h"
#include "moorea/rule.h"
#include "moorea/world_spec.h"

namespace moorea {
namespace {

std::string rule_error(const std::string& text) {
  try {
    WorldSpec::parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(Rule, EveryNotationOfLife) {
  for (const char* text :
       {"B3/S23", "b3/s23", "B3S23", "b3s23", "S23/B3", "s23b3", "23/3", "32/3", "B3/S32", " B3 / S23 ",
        "B 3 / S 2 3", "Life", "LIFE", "conway's life", "Game of Life", "gameoflife", "B33/S2323"}) {
    EXPECT_EQ(Rule::parse(text), Rule()) << text;
  }
}

TEST(Rule, EmptySets) {
  EXPECT_EQ(Rule::parse("B2/S"), Rule(1 << 2, 0));
  EXPECT_EQ(Rule::parse("B2"), Rule(1 << 2, 0));
  EXPECT_EQ(Rule::parse("/2"), Rule(1 << 2, 0));
  EXPECT_EQ(Rule::parse("2/"), Rule(0, 1 << 2));
  EXPECT_EQ(Rule::parse("bs23"), Rule(0, 1 << 2 | 1 << 3));
  EXPECT_EQ(Rule::parse("B/S"), Rule(0, 0));
  EXPECT_EQ(Rule::parse("/"), Rule(0, 0));
  EXPECT_EQ(Rule::parse("B012345678/S012345678"), Rule(0x1FF, 0x1FF));
}

// Anneal by its definition: the next state is 1 if the 3x3 block holds 4 or at least 6.
TEST(Rule, TotalsCountTheCentre) {
  const Rule anneal = Rule::parse("T46789");
  for (int neighbours = 0; neighbours <= 8; ++neighbours) {
    for (const bool alive : {false, true}) {
      const int total = neighbours + alive;
      EXPECT_EQ(anneal.next(alive, neighbours), total == 4 || total >= 6);
    }
  }
  EXPECT_EQ(anneal.str(), "B4678/S35678");
  EXPECT_EQ(Rule::parse("anneal"), anneal);
  EXPECT_EQ(Rule::parse("t 4 6789"), anneal);
}

TEST(Rule, CanonicalTextOfEveryRuleReadsBack) {
#ifdef MOOREA_SANITIZED
  constexpr unsigned stride = 11;
#else
  constexpr unsigned stride = 1;
#endif
  for (unsigned birth = 0; birth <= 0x1FF; birth += stride) {
    for (unsigned survival = 0; survival <= 0x1FF; survival += stride) {
      const Rule rule(birth, survival);
      ASSERT_EQ(Rule::parse(rule.str()), rule) << rule.str();
    }
  }
}

TEST(Rule, NamesAreKnownInAnySpelling) {
  EXPECT_EQ(Rule::parse("HighLife").str(), "B36/S23");
  EXPECT_EQ(Rule::parse("high-life").str(), "B36/S23");
  EXPECT_EQ(Rule::parse("Day & Night").str(), "B3678/S34678");
  EXPECT_EQ(Rule::parse("day and night").str(), "B3678/S34678");
  EXPECT_EQ(Rule::parse("DayNight").str(), "B3678/S34678");
  EXPECT_EQ(Rule::parse("Seeds").str(), "B2/S");
  EXPECT_EQ(Rule::parse("Diamoeba").str(), "B35678/S5678");
  EXPECT_EQ(Rule::parse("Maze").str(), "B3/S12345");
  EXPECT_EQ(Rule::parse("Replicator").str(), "B1357/S1357");
  EXPECT_EQ(Rule::parse("2x2").str(), "B36/S125");
  EXPECT_EQ(Rule::parse("Morley").str(), "B368/S245");
  EXPECT_EQ(Rule().name(), "Life");
  EXPECT_EQ(Rule(0x155, 0).name(), "");
}

TEST(Rule, EveryNameInTheTableReadsAsItsRule) {
  for (const NamedRule& named : named_rules()) EXPECT_EQ(Rule::parse(named.name), named.rule) << named.name;
}

// AntiLife and InverseLife are Life with the roles of live and dead cells exchanged.
TEST(Rule, AntiLifeIsTheComplementOfLife) {
  const Rule anti = Rule::parse("AntiLife");
  for (int n = 0; n <= 8; ++n) {
    for (const bool alive : {false, true}) EXPECT_EQ(anti.next(alive, n), !Rule().next(!alive, 8 - n));
  }
}

// Bell, "Day & Night: an interesting variant of Life" (1997): live and dead cells behave alike.
TEST(Rule, DayAndNightIsItsOwnComplement) {
  const Rule rule = Rule::parse("Day & Night");
  for (int n = 0; n <= 8; ++n) {
    for (const bool alive : {false, true}) EXPECT_EQ(rule.next(alive, n), !rule.next(!alive, 8 - n));
  }
}

TEST(Rule, BoundedGrids) {
  EXPECT_EQ(WorldSpec::parse("B3/S23:T100,50").bounds(), (Bounds{Topology::torus, 100, 50}));
  EXPECT_EQ(WorldSpec::parse("Life:P30").bounds(), (Bounds{Topology::plane, 30, 30}));
  EXPECT_EQ(WorldSpec::parse("23/3:t7, 9").bounds(), (Bounds{Topology::torus, 7, 9}));
  EXPECT_TRUE(WorldSpec::parse("B3/S23").is_unbounded());
  EXPECT_EQ(WorldSpec::parse("B3/S23").str(), "B3/S23");
  EXPECT_EQ(WorldSpec::parse("Life:P30").str(), "B3/S23:P30,30");
  EXPECT_EQ((Bounds{Topology::torus, 100, 50}).suffix(), ":T100,50");
  EXPECT_THROW(Rule::parse("B3/S23:T100,50"), Error);
}

TEST(Rule, IsotropicNotation) {
  for (const auto& [text, canonical] :
       {std::pair("tlife", "B3/S2-i34q"), std::pair("just friends", "B2-a/S12"),
        std::pair("B2ecikn/S12", "B2-a/S12"), std::pair("12/2-a", "B2-a/S12"),
        std::pair("B3_S23-a4ei6", "B3/S23-a4ei6"),
        std::pair("b2CI3ai4c8 / s02ae3eijkq4iz5ar6i7e", "B2ci3ai4c8/S02ae3eijkq4iz5ar6i7e"),
        std::pair("B2aceikn3aceijknqry/S4aceijknqrtwyz", "B23/S4"), std::pair("B1c2-cn/S", "B1c2-cn/S")}) {
    const Rule rule = Rule::parse(text);
    EXPECT_EQ(rule.str(), canonical) << text;
    EXPECT_EQ(Rule::parse(rule.str()), rule) << text;
  }
  EXPECT_TRUE(Rule::parse("B2aceikn3aceijknqry/S4aceijknqrtwyz").is_life_like());
  EXPECT_EQ(Rule::parse("B2-a/S12").name(), "Just Friends");
  EXPECT_FALSE(Rule::parse("B2-a/S12").is_life_like());
  EXPECT_EQ(Rule::parse("B2-a/S12").birth(), 0u);
}

// Rotations and reflections of a neighbourhood have one letter, and different ones never do.
TEST(Rule, LettersAreOrbits) {
  const auto turned = [](unsigned n) {
    constexpr int from[] = {2, 5, 8, 1, 4, 7, 0, 3, 6};
    unsigned result = 0;
    for (int i = 0; i < 9; ++i) result |= (n >> from[i] & 1) << i;
    return result;
  };
  const auto mirrored = [](unsigned n) {
    unsigned result = 0;
    for (int i = 0; i < 9; ++i) result |= (n >> (i / 3 * 3 + 2 - i % 3) & 1) << i;
    return result;
  };
  std::vector<Rule> rules;
  for (int count = 0; count <= 8; ++count) {
    const std::string letters[] = {"",       "ce", "aceikn", "aceijknqry", "aceijknqrtwyz", "aceijknqry",
                                   "aceikn", "ce", ""};
    for (const char letter : letters[count].empty() ? std::string(" ") : letters[count])
      rules.push_back(Rule::parse(fmt::format("B{}{}/S", count, letter)));
  }
  EXPECT_EQ(rules.size(), 51u);
  for (unsigned n = 0; n < 512; ++n) {
    if ((n >> 4 & 1) != 0) continue;
    int born = 0;
    for (const Rule& rule : rules) {
      born += rule.next(n);
      EXPECT_EQ(rule.next(n), rule.next(turned(n)));
      EXPECT_EQ(rule.next(n), rule.next(mirrored(n)));
      EXPECT_FALSE(rule.next(n | 16));
    }
    EXPECT_EQ(born, 1) << n;
  }
}

TEST(Rule, OtherNeighbourhoods) {
  const Rule cross = Rule::parse("B2/S013V"), six = Rule::parse("b2s34h");
  EXPECT_EQ(cross.str(), "B2/S013V");
  EXPECT_EQ(Rule::parse("013/2v"), cross);
  EXPECT_EQ(six.str(), "B2/S34H");
  EXPECT_TRUE(cross.next(0b010'100'000));  // north and west
  EXPECT_TRUE(cross.next(0b111'100'101));  // the corners do not matter
  EXPECT_FALSE(cross.next(0b110'000'001));
  EXPECT_TRUE(six.next(0b100'000'001));   // north west and south east
  EXPECT_FALSE(six.next(0b001'000'100));  // no neighbours there
  EXPECT_TRUE(Rule::parse("B01234/SV").births_from_nothing());
  EXPECT_EQ(Rule::parse("B01234/S01234V").str(), "B012345678/S012345678");
}

TEST(Rule, MapStrings) {
  const char* const life =
      "MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAA";
  EXPECT_EQ(Rule::parse(life), Rule());
  EXPECT_EQ(Rule::parse(std::string(life) + "=="), Rule());
  EXPECT_EQ(Rule::parse("MAPHmlphg"), Rule::parse("B2/S013V"));
  // Neither isotropic nor on fewer cells: born where the north is alive
  Rule::Table north{};
  for (unsigned n = 0; n < 512; ++n) north[n / 64] |= std::uint64_t{n >> 7 & 1} << n % 64;
  EXPECT_EQ(Rule(north).str().size(), 3u + 6u);  // the von Neumann neighbourhood suffices
  EXPECT_EQ(Rule::parse(Rule(north).str()), Rule(north));
  std::mt19937_64 random(1);
  for (int i = 0; i < 50; ++i) {
    Rule::Table table{};
    for (std::uint64_t& word : table) word = random();
    const Rule rule(table);
    EXPECT_EQ(rule.str().size(), 89u);
    EXPECT_EQ(Rule::parse(rule.str()), rule);
    EXPECT_EQ(WorldSpec::parse(rule.str() + ":T20,10").rule, rule);
  }
}

// Invalid text: a caret under the character, the expected input, and the nearest name if there is one.
TEST(Rule, ErrorsPointAtTheCharacter) {
  struct Case {
    const char* text;
    std::size_t place;  // from 1
    const char* expected;
  };
  for (const Case& bad : {Case{"B3/S2x", 6, "count"},
                          Case{"B3/S29", 6, "0 to 8"},
                          Case{"23", 3, "'/'"},
                          Case{"B3/S23/B3", 8, "number of states"},
                          Case{"T4x", 3, "total"},
                          Case{"Hihglife", 1, "a name"},
                          Case{"", 1, "a rule"},
                          Case{"B3/S23:K10,10", 8, "torus"},
                          Case{"B3/S23:T0", 9, "at least 1"},
                          Case{"B3/S23:T", 9, "a size"},
                          Case{"B3/S23:T10,", 12, "a size"},
                          Case{"B3/S23:T10+2,10", 11, "shifted"},
                          Case{"B2z/S1", 3, "aceikn"},
                          Case{"B2-/S1", 4, "aceikn"},
                          Case{"B8c/S", 3, "one arrangement"},
                          Case{"B3a/S2V", 7, "no letters"},
                          Case{"B5/SV", 5, "0 to 4"},
                          Case{"B7/S2H", 6, "0 to 6"},
                          Case{"MAPabc", 7, "86 digits"},
                          Case{"MAPa!", 5, "base64"},
                          Case{"B2-a/S12x", 9, "the end"},
                          Case{"B3/S23:T99999999999999999999", 9, "2^40"}}) {
    const std::string message = rule_error(bad.text);
    ASSERT_NE(message, "") << bad.text;
    EXPECT_NE(message.find("character " + std::to_string(bad.place) + ":"), std::string::npos) << message;
    EXPECT_NE((message + "\n").find("\n  " + std::string(bad.place - 1, ' ') + "^\n"), std::string::npos)
        << message;
    EXPECT_NE(message.find(bad.expected), std::string::npos) << message;
  }
  for (const char* text : {"", "Zebra", "xxxxxxxxxxxx", "NW1,NN2"})
    EXPECT_EQ(rule_error(text).find("nearest"), std::string::npos) << rule_error(text);
  EXPECT_NE(rule_error("Hihglife").find("HighLife"), std::string::npos);
  EXPECT_NE(rule_error("Hihglife:T5,5").find("HighLife"), std::string::npos);
  EXPECT_NE(rule_error("Lief").find("Life,"), std::string::npos);
  EXPECT_NE(rule_error("Day and Nihgt").find("Day"), std::string::npos);
  EXPECT_NE(rule_error("B3\x01\xff").find("B3??"), std::string::npos);
  EXPECT_NE(rule_error(std::string(100000, 'B')), "");
}

TEST(Rule, OtherFamiliesAreNamed) {
  for (const auto& [text, family] :
       {std::pair("NW1,NN2,NE1:T100,100", "weighted Life"), std::pair("W110", "elementary"),
        std::pair("B45/S345L", "triangular neighbourhood")}) {
    const std::string message = rule_error(text);
    EXPECT_NE(message.find(family), std::string::npos) << message;
    EXPECT_NE(message.find("Moorea does not run it yet"), std::string::npos) << message;
    EXPECT_EQ(message.find("nearest"), std::string::npos) << message;
  }
  // Moorea's own family, misspelt, is not mistaken for another one
  for (const char* text :
       {"B3/S29", "B3/S2x", "23", "B3/S23/B3", "T4x", "B3/S23:K10,10", "Hihglife", "345/2/257", "B2/S345/C"})
    EXPECT_EQ(rule_error(text).find("another family"), std::string::npos) << rule_error(text);
}

}  // namespace
}  // namespace moorea
