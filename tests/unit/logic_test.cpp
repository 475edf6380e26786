// SPDX-License-Identifier: MIT
// Every rule's network against the rule's definition, over every neighbourhood.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "definition.h"
#include "logic/emit_c.h"
#include "logic/network.h"
#include "logic/schedule.h"
#include "logic/two_input.h"
#include "moorea/inventory.h"

namespace networks_of_named_rules {
using word = std::uint64_t;
static inline word lut3(word a, word b, word c, unsigned table) {
  word result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  }
  return result;
}
#define LUT3 lut3
#include "kernels/common/networks.h"
#undef LUT3
}  // namespace networks_of_named_rules

namespace moorea {
namespace {

// Cells of four rows of three, all combinations: bit i of the words together is combination i.
using Words = std::vector<std::uint64_t>;

constexpr std::size_t combinations = std::size_t{1} << 12;

Words cell(int number) {
  Words words(combinations / 64);
  for (std::size_t i = 0; i < combinations; ++i)
    words[i / 64] |= static_cast<std::uint64_t>(i >> number & 1) << i % 64;
  return words;
}

Words gate(const Words& a, const Words& b, const Words& c, unsigned table) {
  Words result(a.size());
  for (unsigned input = 0; input < 8; ++input) {
    if ((table >> input & 1) == 0) continue;
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] |= (input & 4 ? a[i] : ~a[i]) & (input & 2 ? b[i] : ~b[i]) & (input & 1 ? c[i] : ~c[i]);
  }
  return result;
}

Words operation(Operator what, const Words& a, const Words& b) {
  Words result(a.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    switch (what) {
      case Operator::conjunction:
        result[i] = a[i] & b[i];
        break;
      case Operator::disjunction:
        result[i] = a[i] | b[i];
        break;
      case Operator::exclusive:
        result[i] = a[i] ^ b[i];
        break;
      case Operator::and_not:
        result[i] = a[i] & ~b[i];
        break;
      case Operator::complement:
        result[i] = ~a[i];
        break;
    }
  }
  return result;
}

// Inputs of the network, computed from the cells as a kernel computes them.
std::vector<Words> input_signals() {
  std::vector<Words> signals;
  for (int row = 0; row < 4; ++row) {
    for (const unsigned table : {0x96u, 0xE8u}) {
      signals.push_back(gate(cell(3 * row), cell(3 * row + 1), cell(3 * row + 2), table));
    }
  }
  for (int row = 1; row <= 2; ++row) signals.push_back(cell(3 * row + 1));
  return signals;
}

// Neighbourhoods for which one bit of a rule determines row 1 + `row`: the centre is `alive` and has
// `neighbours` live neighbours.
Words places(int row, bool alive, int neighbours) {
  Words words(combinations / 64);
  const unsigned centre = 3 * static_cast<unsigned>(row + 1) + 1;
  const std::size_t block = std::size_t{0x1FF} << 3 * row;
  for (std::size_t i = 0; i < combinations; ++i) {
    const int count = __builtin_popcountll(i & block & ~(std::size_t{1} << centre));
    if ((i >> centre & 1) == alive && count == neighbours) words[i / 64] |= std::uint64_t{1} << i % 64;
  }
  return words;
}

constexpr int bits_of_rule = 18;

struct Checker {
  Checker() : inputs(input_signals()) {
    for (int row = 0; row < 2; ++row) {
      for (int bit = 0; bit < bits_of_rule; ++bit) wanted.push_back(places(row, bit >= 9, bit % 9));
    }
  }

  Words expected(unsigned rule, int row) const {
    Words words(combinations / 64);
    for (int bit = 0; bit < bits_of_rule; ++bit) {
      if ((rule >> bit & 1) == 0) continue;
      const Words& place = wanted[row * bits_of_rule + bit];
      for (std::size_t i = 0; i < words.size(); ++i) words[i] |= place[i];
    }
    return words;
  }

  bool right(const std::vector<Words>& signals, const std::array<std::uint8_t, 2>& outputs,
             unsigned rule) const {
    for (int row = 0; row < 2; ++row) {
      if (signals.at(outputs[row]) != expected(rule, row)) return false;
    }
    return true;
  }

  bool right(const Network& network, unsigned rule) const {
    std::vector<Words> signals = inputs;
    for (const Gate& g : network.gates)
      signals.push_back(gate(signals.at(g.a), signals.at(g.b), signals.at(g.c), g.table));
    return right(signals, network.outputs, rule);
  }

  bool right(const Circuit& circuit, unsigned rule) const {
    std::vector<Words> signals = inputs;
    for (const Operation& o : circuit.operations)
      signals.push_back(operation(o.what, signals.at(o.a), signals.at(o.b)));
    return right(signals, circuit.outputs, rule);
  }

  std::vector<Words> inputs, wanted;
};

const Checker& checker() {
  static const Checker made;
  return made;
}

unsigned bits_of(const Rule& rule) { return rule.birth() | rule.survival() << 9; }

#ifdef MOOREA_SANITIZED
constexpr unsigned stride = 997;  // all rules would take minutes
#else
constexpr unsigned stride = 1;
#endif

// All of them, or one in five under a sanitizer, which only checks memory accesses
std::vector<NamedRule> named_rules_to_test() {
  std::vector<NamedRule> rules;
  for (const NamedRule& named : named_rules()) {
    if (named.rule.is_life_like()) rules.push_back(named);
  }
  if (stride > 1) {
    std::size_t at = 0;
    std::erase_if(rules, [&](const NamedRule&) { return at++ % 5 != 0; });
  }
  return rules;
}

TEST(Logic, EveryRulesNetworkIsRight) {
  std::vector<double> costs;
  const test::TestPart part = test::test_part();
  for (unsigned rule = part.first; rule < 1u << bits_of_rule; rule += stride * part.step) {
    const Network network = network_for(Rule(rule & 0x1FF, rule >> 9));
    ASSERT_TRUE(checker().right(network, rule)) << Rule(rule & 0x1FF, rule >> 9).str();
    costs.push_back(network.gates_per_word());
  }
  std::sort(costs.begin(), costs.end());
  EXPECT_LE(costs.back(), 12);
  if (stride == 1 && part.step == 1) {
    EXPECT_LE(costs[costs.size() / 2], 9);  // 51 % are: a sample would not suffice
  }
}

// The numbers that docs/logic.md states.
TEST(Logic, NamedRulesCostWhatIsKnown) {
  const std::map<std::string, double> known = {{"Life", 7.5},   {"Anneal", 6.5},     {"Majority", 6.5},
                                               {"Seeds", 7},    {"Replicator", 3.5}, {"Fredkin", 3},
                                               {"HighLife", 9}, {"Maze", 9},         {"Day & Night", 9}};
  for (const auto& [name, cost] : known) {
    const Rule rule = Rule::parse(name);
    EXPECT_EQ(network_for(rule).gates_per_word(), cost) << name;
    EXPECT_EQ(rule_cost(rule).gates_per_word, cost) << name;
  }
  EXPECT_LE(rule_cost(Rule()).operations_per_word, 19);
  for (const NamedRule& named : named_rules_to_test())
    EXPECT_LE(network_for(named.rule).gates_per_word(),
              named.name == "Morley" || named.name == "Move" ? 10 : 9)
        << named.name;
}

// A wrong network must be detected: each gate of Life's with one bit of its table changed.
TEST(Logic, TheCheckSeesAWrongGate) {
  const Network life = network_for(Rule());
  const unsigned rule = bits_of(Rule());
  ASSERT_TRUE(checker().right(life, rule));
  for (std::size_t g = 0; g < life.gates.size(); ++g) {
    int seen = 0;
    for (int bit = 0; bit < 8; ++bit) {
      Network wrong = life;
      wrong.gates[g].table = static_cast<std::uint8_t>(wrong.gates[g].table ^ 1 << bit);
      seen += !checker().right(wrong, rule);
    }
    EXPECT_GT(seen, 0) << "gate " << g;
  }
}

TEST(Logic, CircuitsOfTwoInputsAreRight) {
  for (const NamedRule& named : named_rules_to_test()) {
    const Circuit circuit = circuit_for(named.rule);
    EXPECT_TRUE(checker().right(circuit, bits_of(named.rule))) << named.name;
  }
  for (unsigned rule = 0; rule < 1u << bits_of_rule; rule += 4001 * (stride == 1 ? 1 : 8)) {
    const Circuit circuit = circuit_for(Rule(rule & 0x1FF, rule >> 9));
    EXPECT_TRUE(checker().right(circuit, rule)) << Rule(rule & 0x1FF, rule >> 9).str();
  }
}

// Gates are lowered to the fewest operations: known minima of functions of three inputs.
TEST(Logic, AGateIsLoweredToTheFewestOperations) {
  const auto operations = [](std::uint8_t table) {
    return lowered({{{0, 1, 2, table}}, {10, 0}}).operations.size();
  };
  EXPECT_EQ(operations(0x96), 2u);  // exclusive or
  EXPECT_EQ(operations(0xE8), 4u);  // majority
  EXPECT_EQ(operations(0xCA), 3u);  // choose
  EXPECT_EQ(operations(0x80), 2u);  // and
  EXPECT_EQ(operations(0x01), 3u);  // nor: the complement is an operation
  EXPECT_EQ(operations(0x0F), 1u);
  // A full adder shares one of them
  EXPECT_EQ(lowered({{{0, 1, 2, 0x96}, {0, 1, 2, 0xE8}}, {10, 11}}).operations.size(), 5u);
  for (unsigned table = 0; table < 256; ++table)
    EXPECT_LE(operations(static_cast<std::uint8_t>(table)), 6u) << table;
}

// A reordered schedule computes the same, and every gate without a copy overwrites a dead operand.
TEST(Logic, SchedulesOverwriteOnlyWhatIsNotNeeded) {
  for (const NamedRule& named : named_rules_to_test()) {
    const Schedule schedule = schedule_for(named.rule);
    const Network& network = schedule.network;
    EXPECT_TRUE(checker().right(network, bits_of(named.rule))) << named.name;
    EXPECT_EQ(schedule.copies, std::count(schedule.copied.begin(), schedule.copied.end(), true));
    std::vector<bool> gone(network_inputs + network.gates.size());
    for (std::size_t g = 0; g < network.gates.size(); ++g) {
      const Gate& one = network.gates[g];
      const unsigned operands = operands_of(one.table);
      EXPECT_FALSE((operands & 4) && gone[one.a]) << named.name;
      EXPECT_FALSE((operands & 2) && gone[one.b]) << named.name;
      EXPECT_FALSE((operands & 1) && gone[one.c]) << named.name;
      if (two_operands(one).what == 0 && !schedule.copied[g]) gone[one.a] = true;
    }
    for (std::size_t i = 4; i < 8; ++i) EXPECT_FALSE(gone[i]) << named.name << " row sum " << i;
    for (const std::uint8_t output : network.outputs) EXPECT_FALSE(gone[output]) << named.name;
  }
}

std::string committed_header() {
  std::ifstream file(MOOREA_SOURCE_DIR "/src/kernels/common/networks.h");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Logic, TheHeaderIsWhatTheEmitterMakes) {
  EXPECT_EQ(committed_header(), networks_header())
      << "run make_networks_header > src/kernels/common/networks.h";
}

using Function = void (*)(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                          std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                          std::uint64_t*, std::uint64_t*);

bool computes(Function function, unsigned rule) {
  const std::vector<Words>& in = checker().inputs;
  Words a(in[0].size()), b(a);
  for (std::size_t i = 0; i < a.size(); ++i) {
    function(in[0][i], in[1][i], in[2][i], in[3][i], in[4][i], in[5][i], in[6][i], in[7][i], in[8][i],
             in[9][i], &a[i], &b[i]);
  }
  return a == checker().expected(rule, 0) && b == checker().expected(rule, 1);
}

// The compiled text, over every neighbourhood.
TEST(Logic, TheFunctionsOfTheHeaderAreRight) {
  std::size_t checked = 0;
#define CHECK_FUNCTIONS(function, birth, survival)                                                          \
  EXPECT_TRUE(computes(networks_of_named_rules::function##_lut3, (birth) | (survival) << 9)) << #function;  \
  EXPECT_TRUE(computes(networks_of_named_rules::function##_mixed, (birth) | (survival) << 9)) << #function; \
  EXPECT_TRUE(computes(networks_of_named_rules::function##_plain, (birth) | (survival) << 9)) << #function; \
  EXPECT_EQ(Rule(birth, survival).name().empty(), false);                                                   \
  ++checked;
  MOOREA_NAMED_NETWORKS(CHECK_FUNCTIONS)
#undef CHECK_FUNCTIONS
  const auto rules = named_rules();
  EXPECT_EQ(checked,
            static_cast<std::size_t>(std::count_if(rules.begin(), rules.end(), [](const NamedRule& named) {
              return named.rule.name() == named.name && named.rule.is_life_like();
            })));
}

}  // namespace
}  // namespace moorea
