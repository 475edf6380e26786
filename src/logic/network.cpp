// SPDX-License-Identifier: MIT
// Networks are grouped into families: networks whose last gate has no table yet. The last gate distinguishes
// classes of (alive, neighbours), and every rule that is constant on each class has that network, with its
// own table for the last gate. tools/find_networks.cpp found them; docs/logic.md describes how.
#include "logic/network.h"

#include <algorithm>
#include <bit>
#include <bitset>
#include <cassert>
#include <span>
#include <string_view>
#include <utility>

namespace moorea {
namespace {

constexpr int bits_of_rule = 18;  // birth with 0..8 neighbours, then survival

// Families, fewest gates first. A line: number of gates shared with the line before; if that is 0, the number
// of output rows, and the number of gates that both rows share, which read the sums of rows y and y + 1 only;
// then for each further gate the signals a, b, c in a digit each and the table in two, all in base 16.
// Signals: 0 1 the sum of the row on the other side of y (y - 1, or y + 2 for the second of two rows), 2 3
// that of y, 4 5 that of y + 1, 6 the centre, then the gates.
constexpr std::string_view family_lines[] = {
#include "logic/families.inc"
};

constexpr std::size_t family_inputs = 7;

struct Family {
  int rows = 1;
  std::size_t shared = 0;
  std::vector<Gate> gates;  // the last one has no table
};

Family read_family(std::string_view line, const Family& before) {
  const auto number = [&](std::size_t at, std::size_t digits) {
    unsigned value = 0;
    for (const char digit : line.substr(at, digits))
      value = value * 16 + static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'A' + 10);
    return static_cast<std::uint8_t>(value);
  };
  Family family = before;
  family.gates.resize(number(0, 1));
  std::size_t at = 1;
  if (family.gates.empty()) {
    family.rows = number(1, 1);
    family.shared = number(2, 1);
    at = 3;
  }
  for (; at < line.size(); at += 5)
    family.gates.push_back({number(at, 1), number(at + 1, 1), number(at + 2, 1), number(at + 3, 2)});
  return family;
}

// One bit per value of the inputs: bit i of a value's number is input i.
using Signal = std::bitset<1 << family_inputs>;

Signal evaluate(const Gate& gate, std::span<const Signal> signals) {
  Signal result;
  for (unsigned i = 0; i < 8; ++i) {
    if ((gate.table >> i & 1) == 0) continue;
    result |= (i & 4 ? signals[gate.a] : ~signals[gate.a]) & (i & 2 ? signals[gate.b] : ~signals[gate.b]) &
              (i & 1 ? signals[gate.c] : ~signals[gate.c]);
  }
  return result;
}

// For each bit of a rule the values of the inputs for which it decides. A live centre counts in its row's
// sum, a dead one does not; if the centre may be in either row, both are accepted.
std::array<Signal, bits_of_rule> places_of_bits(int rows) {
  std::array<Signal, bits_of_rule> places;
  for (unsigned value = 0; value < 1u << family_inputs; ++value) {
    const unsigned row[] = {value & 3, value >> 2 & 3, value >> 4 & 3};
    const bool alive = value >> 6 & 1;
    const auto may_hold_the_centre = [&](unsigned sum) { return alive ? sum >= 1 : sum <= 2; };
    if (!may_hold_the_centre(row[1]) && !(rows == 2 && may_hold_the_centre(row[2]))) continue;
    const unsigned total = row[0] + row[1] + row[2];
    places[alive ? 9 + total - 1 : total].set(value);
  }
  return places;
}

// Classes that a family's last gate distinguishes, as sets of bits of a rule.
struct Classes {
  std::array<std::uint32_t, 8> members{};  // that map to each of its eight inputs
  std::array<std::uint32_t, 8>
      groups{};  // members, merged where they overlap: a rule must be constant on each
};

Classes classes_of(const Family& family, std::span<const Signal> places) {
  std::vector<Signal> signals(family_inputs);
  for (unsigned value = 0; value < 1u << family_inputs; ++value) {
    for (std::size_t i = 0; i < family_inputs; ++i) signals[i].set(value, value >> i & 1);
  }
  for (const Gate& gate : family.gates) signals.push_back(evaluate(gate, signals));
  Classes classes;
  Gate last = family.gates.back();
  for (unsigned i = 0; i < 8; ++i) {
    last.table = static_cast<std::uint8_t>(1u << i);
    const Signal input = evaluate(last, signals);
    for (std::size_t bit = 0; bit < places.size(); ++bit) {
      if ((input & places[bit]).any()) classes.members[i] |= 1u << bit;
    }
  }
  classes.groups = classes.members;
  for (bool joined = true; joined;) {
    joined = false;
    for (std::size_t i = 0; i < 8; ++i) {
      for (std::size_t j = i + 1; j < 8; ++j) {
        if ((classes.groups[i] & classes.groups[j]) == 0) continue;
        classes.groups[i] |= classes.groups[j];
        classes.groups[j] = 0;
        joined = true;
      }
    }
  }
  return classes;
}

// Groups of more than one bit, the largest first, at which a rule most likely fails.
using Conditions = std::array<std::uint32_t, 8>;

Conditions conditions_of(const Classes& classes) {
  Conditions conditions{};
  std::copy_if(classes.groups.begin(), classes.groups.end(), conditions.begin(),
               [](std::uint32_t group) { return (group & (group - 1)) != 0; });
  std::sort(conditions.begin(), conditions.end(),
            [](std::uint32_t a, std::uint32_t b) { return std::popcount(a) > std::popcount(b); });
  return conditions;
}

bool serves(const Conditions& conditions, std::uint32_t rule) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](std::uint32_t group) { return (rule & group) == 0 || (rule & group) == group; });
}

// The rule with live and dead cells exchanged in its neighbourhoods: birth with n is survival with 8 - n. It
// has the same networks, applied to complemented cells, whose sums are the complements of the sums.
std::uint32_t exchanged(std::uint32_t rule) {
  std::uint32_t result = 0;
  for (int bit = 0; bit < bits_of_rule; ++bit) result |= (rule >> bit & 1) << (bits_of_rule - 1 - bit);
  return result;
}

// Network of a family for a rule that it serves; with `complemented`, for the exchanged rule.
std::vector<Gate> gates_for(const Family& family, const Classes& classes, std::uint32_t rule,
                            bool complemented) {
  std::vector<Gate> gates = family.gates;
  for (unsigned i = 0; i < 8; ++i) {
    if ((classes.members[i] & rule) != 0) gates.back().table |= static_cast<std::uint8_t>(1u << i);
  }
  if (complemented) {
    for (Gate& gate : gates) {
      const auto inputs = static_cast<unsigned>((gate.a < family_inputs) << 2 |
                                                (gate.b < family_inputs) << 1 | (gate.c < family_inputs));
      gate.table = with_complemented(gate.table, inputs);
    }
  }
  // Remove a last gate that only copies or complements another gate
  while (gates.size() > 1) {
    const Gate last = gates.back();
    const unsigned operands = operands_of(last.table);
    const std::uint8_t from = operands == 4 ? last.a : operands == 2 ? last.b : last.c;
    if ((operands != 4 && operands != 2 && operands != 1) || from < family_inputs) break;
    gates.resize(from - family_inputs + std::size_t{1});
    if ((last.table & 1) != 0) gates.back().table = static_cast<std::uint8_t>(~gates.back().table);
  }
  return gates;
}

// Removes gates that the outputs do not need, and renumbers. An operand that a table does not depend on is
// replaced by the first one it does.
void drop_unused(Network& network) {
  constexpr std::size_t inputs = network_inputs;
  std::vector<bool> needed(inputs + network.gates.size());
  for (const std::uint8_t output : network.outputs) needed[output] = true;
  for (std::size_t g = network.gates.size(); g-- > 0;) {
    Gate& gate = network.gates[g];
    const unsigned operands = operands_of(gate.table);
    const std::uint8_t any = operands & 4   ? gate.a
                             : operands & 2 ? gate.b
                             : operands & 1 ? gate.c
                                            : std::uint8_t{0};
    if (!(operands & 4)) gate.a = any;
    if (!(operands & 2)) gate.b = any;
    if (!(operands & 1)) gate.c = any;
    if (needed[inputs + g]) needed[gate.a] = needed[gate.b] = needed[gate.c] = true;
  }
  std::vector<std::uint8_t> number(needed.size());
  std::vector<Gate> kept;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    number[i] = static_cast<std::uint8_t>(i < inputs ? i : inputs + kept.size());
    if (i < inputs || !needed[i]) continue;
    const Gate& gate = network.gates[i - inputs];
    kept.push_back({number[gate.a], number[gate.b], number[gate.c], gate.table});
  }
  for (std::uint8_t& output : network.outputs) output = number[output];
  network.gates = std::move(kept);
}

// Gates of a family's network for two rows. A family for one row reads the sums of y - 1, y and y + 1 in this
// order; for the second row it is mirrored vertically, so that both read the inner rows.
Network assemble(const Family& family, const std::vector<Gate>& gates) {
  Network network;
  const std::size_t shared = family.rows == 2 ? std::min(family.shared, gates.size()) : 0;
  std::vector<std::uint8_t> signals(family_inputs + gates.size());
  for (std::uint8_t row = 0; row < 2; ++row) {
    const bool turned = row == 1 && family.rows == 1;
    for (std::uint8_t i = 0; i < family_inputs; ++i)
      signals[i] = static_cast<std::uint8_t>(i < 2 ? i + 6 * row : i == 6 ? 8 + row : turned ? i ^ 6 : i);
    for (std::size_t g = row == 0 ? 0 : shared; g < gates.size(); ++g) {
      signals[family_inputs + g] = static_cast<std::uint8_t>(network_inputs + network.gates.size());
      network.gates.push_back(
          {signals[gates[g].a], signals[gates[g].b], signals[gates[g].c], gates[g].table});
    }
    network.outputs[row] = signals.back();
  }
  drop_unused(network);
  return network;
}

// The family that reads the complement of the centre, which serves further rules.
Family with_centre_complemented(Family family) {
  constexpr std::uint8_t centre = 6;
  for (Gate& gate : family.gates) {
    gate.table = with_complemented(
        gate.table,
        static_cast<unsigned>((gate.a == centre) << 2 | (gate.b == centre) << 1 | (gate.c == centre)));
  }
  return family;
}

struct Known {
  std::vector<Conditions> conditions;  // separate from the families, because the search reads nothing else
  std::vector<std::pair<Family, Classes>> families;
};

Known read_families() {
  const std::array<Signal, bits_of_rule> places[] = {places_of_bits(1), places_of_bits(2)};
  Known known;
  Family family;
  for (const std::string_view line : family_lines) {
    family = read_family(line, family);
    for (const Family& either : {family, with_centre_complemented(family)}) {
      const Classes classes = classes_of(either, places[family.rows - 1]);
      known.conditions.push_back(conditions_of(classes));
      known.families.emplace_back(either, classes);
    }
  }
  return known;
}

}  // namespace

unsigned operands_of(std::uint8_t table) {
  unsigned operands = 0;
  for (const unsigned operand : {4u, 2u, 1u}) {
    if (with_complemented(table, operand) != table) operands |= operand;
  }
  return operands;
}

std::uint8_t with_complemented(std::uint8_t table, unsigned which) {
  unsigned result = 0;
  for (unsigned i = 0; i < 8; ++i) result |= (table >> (i ^ which) & 1u) << i;
  return static_cast<std::uint8_t>(result);
}

Network network_for(const Rule& rule) { return networks_for(rule, 1).front(); }

std::vector<Network> networks_for(const Rule& rule, std::size_t max_networks) {
  static const Known known = read_families();
  const std::uint32_t bits = rule.birth() | rule.survival() << 9, other = exchanged(bits);
  std::vector<Network> networks;
  for (std::size_t i = 0; i < known.conditions.size() && networks.size() < max_networks; ++i) {
    const auto& [family, classes] = known.families[i];
    if (serves(known.conditions[i], bits)) {
      networks.push_back(assemble(family, gates_for(family, classes, bits, false)));
    } else if (serves(known.conditions[i], other)) {
      networks.push_back(assemble(family, gates_for(family, classes, other, true)));
    }
  }
  assert(!networks.empty());  // the table serves every rule
  return networks;
}

}  // namespace moorea
