// SPDX-License-Identifier: MIT
// Names of rules. To add one, add a line; the first name of a rule is the one that is printed. Names and
// notations as catalogued by LifeWiki ("List of Life-like rules") and MCell's lexicon of rules, those of
// Generations, Larger than Life and block rules by the latter and Golly's help; Anneal and Majority after
// Vichniac (1984) and Toffoli and Margolus, "Cellular Automata Machines" (1987).
#include <iterator>
#include <vector>

#include "moorea/larger_than_life.h"
#include "moorea/rule.h"
#include "rules/neighbourhoods.h"

namespace moorea {
namespace {

constexpr unsigned counts(const char* digits) {
  unsigned mask = 0;
  for (; *digits != '\0'; ++digits) mask |= 1u << (*digits - '0');
  return mask;
}

constexpr NamedRule named(std::string_view name, const char* birth, const char* survival) {
  return {name, Rule(counts(birth), counts(survival))};
}

// As MCell and Golly write them: survivals, births, number of states.
constexpr NamedRule generations(std::string_view name, const char* survival, const char* birth, int states) {
  return {name, Rule(counts(birth), counts(survival)).with_states(states)};
}

constexpr neighbourhoods::Conditions conditions(std::string_view text) {
  std::size_t at = 0;
  return neighbourhoods::read_conditions(text, at);
}

constexpr NamedRule isotropic(std::string_view name, const char* birth, const char* survival) {
  const neighbourhoods::Conditions sets[2] = {conditions(birth), conditions(survival)};
  Rule::Table table{};
  for (unsigned n = 0; n < 512; ++n) {
    const neighbourhoods::Name at = neighbourhoods::name_of(n);
    table[n / 64] |= static_cast<std::uint64_t>(sets[n >> 4 & 1][at.count] >> at.letter & 1) << n % 64;
  }
  return {name, Rule(table)};
}

constexpr NamedRule names[] = {
    named("Life", "3", "23"),
    named("Conway's Life", "3", "23"),
    named("Game of Life", "3", "23"),
    named("HighLife", "36", "23"),
    named("Day & Night", "3678", "34678"),
    named("Day and Night", "3678", "34678"),
    named("Seeds", "2", ""),
    named("Diamoeba", "35678", "5678"),
    named("Maze", "3", "12345"),
    named("Mazectric", "3", "1234"),
    named("Anneal", "4678", "35678"),
    named("Twisted Majority", "4678", "35678"),
    named("Vote 4/5", "4678", "35678"),
    named("Majority", "5678", "45678"),
    named("Vote", "5678", "45678"),
    named("Replicator", "1357", "1357"),
    named("Fredkin", "1357", "02468"),
    named("2x2", "36", "125"),
    named("Morley", "368", "245"),
    named("Move", "368", "245"),
    named("34 Life", "34", "34"),
    named("Amoeba", "357", "1358"),
    named("AntiLife", "0123478", "01234678"),
    named("Assimilation", "345", "4567"),
    named("Bacteria", "34", "456"),
    named("Coagulations", "378", "235678"),
    named("Coral", "3", "45678"),
    named("Corrosion of Conformity", "3", "124"),
    named("DotLife", "3", "023"),
    named("DryLife", "37", "23"),
    named("EightLife", "3", "238"),
    named("Flock", "3", "12"),
    named("Geology", "3578", "24678"),
    named("Gnarl", "1", "1"),
    named("H-trees", "1", "012345678"),
    named("Holstein", "35678", "4678"),
    named("HoneyLife", "38", "238"),
    named("Iceballs", "25678", "5678"),
    named("InverseLife", "012345678", "34678"),
    named("Land Rush", "36", "234578"),
    named("Life without Death", "3", "012345678"),
    named("Flakes", "3", "012345678"),
    named("Live Free or Die", "2", "0"),
    named("Long Life", "345", "5"),
    named("LowDeath", "368", "238"),
    named("LowLife", "3", "13"),
    named("Pedestrian Life", "38", "23"),
    named("Plow World", "378", "012345678"),
    named("Pseudo Life", "357", "238"),
    named("Serviettes", "234", ""),
    named("SnowLife", "3", "1237"),
    named("Stains", "3678", "235678"),
    named("Star Trek", "3", "0248"),
    named("Virus", "36", "235"),
    named("Walled Cities", "45678", "2345"),
    isotropic("tlife", "3", "2-i34q"),
    isotropic("tHighLife", "36", "2-i34q"),
    isotropic("tDryLife", "37", "2-i34q"),
    isotropic("tEightLife", "3", "2-i34q8"),
    isotropic("Just Friends", "2-a", "12"),
    isotropic("LeapLife", "2n3", "23-q"),
    isotropic("Salad", "2i34c", "2-i3"),
    isotropic("Snowflakes", "2ci3ai4c8", "02ae3eijkq4iz5ar6i7e"),
    generations("Banners", "2367", "3457", 5),
    generations("BelZhab", "23", "23", 8),
    generations("BelZhab Sediment", "145678", "23", 8),
    generations("Bloomerang", "234", "34678", 24),
    generations("Bombers", "345", "24", 25),
    generations("Brain 6", "6", "246", 3),
    generations("Brian's Brain", "", "2", 3),
    generations("Burst", "0235678", "3468", 9),
    generations("BurstII", "235678", "3468", 9),
    generations("Caterpillars", "124567", "378", 4),
    generations("Chenille", "05678", "24567", 6),
    generations("Circuit Genesis", "2345", "1234", 8),
    generations("Cooties", "23", "2", 8),
    generations("Ebb & Flow", "012478", "36", 18),
    generations("Ebb & Flow II", "012468", "37", 18),
    generations("Faders", "2", "2", 25),
    generations("Fireworks", "2", "13", 21),
    generations("Flaming Starbows", "347", "23", 8),
    generations("Frogs", "12", "34", 3),
    generations("Frost", "", "1", 25),
    generations("Frozen Spirals", "356", "23", 6),
    generations("Glisserati", "035678", "245678", 7),
    generations("Glissergy", "035678", "245678", 5),
    generations("Lava", "12345", "45678", 8),
    generations("Lines", "012345", "458", 3),
    generations("Living on the Edge", "345", "3", 6),
    generations("Meteor Guns", "01245678", "3", 8),
    generations("Nova", "45678", "2478", 25),
    generations("OrthoGo", "3", "2", 4),
    generations("Prairie on Fire", "345", "34", 6),
    generations("RainZha", "2", "23", 8),
    generations("Rake", "3467", "2678", 6),
    generations("SediMental", "45678", "25678", 4),
    generations("Snake", "03467", "25", 6),
    generations("SoftFreeze", "13458", "38", 6),
    generations("Spirals", "2", "234", 5),
    generations("Star Wars", "345", "2", 4),
    generations("Sticks", "3456", "2", 6),
    generations("Swirl", "23", "34", 8),
    generations("ThrillGrill", "1234", "34", 48),
    generations("Transers", "345", "26", 5),
    generations("Transers II", "0345", "26", 6),
    generations("Wanderers", "345", "34678", 5),
    generations("Worms", "3467", "25", 6),
    generations("Xtasy", "1456", "2356", 16),
};

// With the counts of live neighbours, without the centre.
struct WideName {
  std::string_view name;
  int radius;
  LargerThanLife::Interval survival, birth;
};
constexpr WideName wide_names[] = {
    {"Bosco's Rule", 5, {33, 57}, {34, 45}},   {"Bugs", 5, {33, 57}, {34, 45}},
    {"Bugsmovie", 10, {122, 211}, {123, 170}}, {"Globe", 8, {163, 223}, {74, 252}},
    {"Majorly", 7, {112, 224}, {113, 225}},    {"Waffle", 7, {99, 199}, {75, 170}},
};

constexpr NamedRule block_names[] = {
    {"BBM", Rule::by(Rule::Blocks{0, 8, 4, 3, 2, 5, 9, 7, 1, 6, 10, 11, 12, 13, 14, 15})},
    {"Critters", Rule::by(Rule::Blocks{15, 14, 13, 3, 11, 5, 6, 1, 7, 9, 10, 2, 12, 4, 8, 0})},
    {"HPP Gas", Rule::by(Rule::Blocks{0, 8, 4, 12, 2, 10, 9, 14, 1, 6, 5, 13, 3, 11, 7, 15})},
    {"Tron", Rule::by(Rule::Blocks{15, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0})},
};

std::vector<NamedRule> all_names() {
  std::vector<NamedRule> all(std::begin(names), std::end(names));
  for (const WideName& wide : wide_names)
    all.push_back({wide.name, Rule::by(LargerThanLife(wide.radius, LargerThanLife::Shape::moore, {wide.birth},
                                                      {wide.survival}))});
  all.insert(all.end(), std::begin(block_names), std::end(block_names));
  return all;
}

}  // namespace

std::span<const NamedRule> named_rules() {
  static const std::vector<NamedRule> all = all_names();
  return all;
}

std::string_view Rule::name() const {
  for (const NamedRule& entry : named_rules()) {
    if (entry.rule == *this) return entry.name;
  }
  return {};
}

}  // namespace moorea
