// SPDX-License-Identifier: MIT
// Signals of find_networks: truth tables of gates over the cells around two rows, families of networks, and
// the sums from which a search starts.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cmath>
#include <compare>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr int bits_of_rule = 18;  // birth with 0..8 neighbours, then survival
constexpr std::uint32_t all_rules = 1u << bits_of_rule;
constexpr std::size_t raw_inputs = 7;  // 0 1: the row beyond, 2 3: row y, 4 5: row y + 1, 6: the centre
constexpr std::uint8_t no_price = 255;

struct Gate {
  std::uint8_t a, b, c, table;

  friend auto operator<=>(const Gate&, const Gate&) = default;
};

struct Family {
  int rows = 1;
  std::size_t shared = 0;
  std::vector<Gate> gates;  // the table of the last one is irrelevant

  // Cost in half gates per word, without the row's sum
  int price() const { return static_cast<int>(rows == 1 ? 2 * gates.size() : 2 * gates.size() - shared); }
};

// A function of up to 128 values of inputs.
using Signal = std::bitset<128>;

Signal lut3(const Signal& a, const Signal& b, const Signal& c, unsigned table) {
  Signal result;
  for (unsigned i = 0; i < 8; ++i) {
    if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  }
  return result;
}

// Evaluates a gate on up to 64 values of inputs; the hot spot of the search.
std::uint64_t lut3(std::uint64_t a, std::uint64_t b, std::uint64_t c, unsigned table) {
  const auto choose = [](std::uint64_t which, std::uint64_t yes, std::uint64_t no) {
    return no ^ (which & (yes ^ no));
  };
  const auto bit = [&](int i) { return -static_cast<std::uint64_t>(table >> i & 1); };
  return choose(a, choose(b, choose(c, bit(7), bit(6)), choose(c, bit(5), bit(4))),
                choose(b, choose(c, bit(3), bit(2)), choose(c, bit(1), bit(0))));
}

Signal raw(std::size_t input) {
  Signal result;
  for (std::size_t value = 0; value < result.size(); ++value) result[value] = value >> input & 1;
  return result;
}

// For each bit of a rule the values of the raw inputs for which it decides.
std::array<Signal, bits_of_rule> places_of_bits(int rows) {
  std::array<Signal, bits_of_rule> places;
  for (unsigned value = 0; value < 128; ++value) {
    const unsigned row[] = {value & 3, value >> 2 & 3, value >> 4 & 3};
    const bool alive = value >> 6 & 1;
    const auto may_hold_the_centre = [&](unsigned sum) { return alive ? sum >= 1 : sum <= 2; };
    if (!may_hold_the_centre(row[1]) && !(rows == 2 && may_hold_the_centre(row[2]))) continue;
    const unsigned total = row[0] + row[1] + row[2];
    places[alive ? 9 + total - 1 : total].set(value);
  }
  return places;
}

// Sets of bits of a rule that three signals do not distinguish.
using Groups = std::vector<std::uint32_t>;

template <class Bits>
Groups groups_of(const Bits& x, const Bits& y, const Bits& z, const std::array<Bits, bits_of_rule>& places) {
  std::array<std::uint32_t, 8> cells{};
  for (unsigned i = 0; i < 8; ++i) {
    const Bits cell = (i & 4 ? x : ~x) & (i & 2 ? y : ~y) & (i & 1 ? z : ~z);
    for (std::size_t bit = 0; bit < places.size(); ++bit) {
      if ((cell & places[bit]) != Bits{}) cells[i] |= 1u << bit;
    }
  }
  Groups groups;
  for (std::uint32_t cell : cells) {
    for (std::size_t i = groups.size(); i-- > 0;) {
      if ((groups[i] & cell) == 0) continue;
      cell |= groups[i];
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (cell != 0) groups.push_back(cell);
  }
  return groups;
}

std::uint32_t exchanged(std::uint32_t rule) {
  std::uint32_t result = 0;
  for (int bit = 0; bit < bits_of_rule; ++bit) result |= (rule >> bit & 1) << (bits_of_rule - 1 - bit);
  return result;
}

std::vector<Signal> signals_of(const Family& family, bool centre_complemented) {
  std::vector<Signal> signals;
  for (std::size_t i = 0; i < raw_inputs; ++i) signals.push_back(raw(i));
  if (centre_complemented) signals[6].flip();
  for (std::size_t g = 0; g + 1 < family.gates.size(); ++g) {
    const Gate& gate = family.gates[g];
    signals.push_back(lut3(signals[gate.a], signals[gate.b], signals[gate.c], gate.table));
  }
  return signals;
}

// Gates that add up cells, and the signals from which a search continues.
struct Start {
  Family family;
  std::vector<std::uint8_t> signals;
};

constexpr std::uint8_t parity = 0x96, majority = 0xE8, not_all_equal = 0x7E, both = 0xC0, differ = 0x3C;

// Ones and twos of three rows: any two of the three symmetric functions determine their sum.
std::vector<Start> sums_of_five() {
  std::vector<Start> starts;
  const std::array<std::uint8_t, 2> codes[] = {
      {parity, majority}, {parity, not_all_equal}, {majority, not_all_equal}};
  const auto add = [&](const std::vector<Gate>& gates, const std::vector<std::uint8_t>& signals) {
    Start start;
    start.family.gates = gates;
    start.signals = signals;
    starts.push_back(start);
  };
  for (const auto& ones : codes) {
    for (const auto& twos : codes)
      add({{0, 2, 4, ones[0]}, {0, 2, 4, ones[1]}, {1, 3, 5, twos[0]}, {1, 3, 5, twos[1]}}, {7, 8, 9, 10, 6});
  }
  // Alternatively the carry of the ones is added to two of the twos, and the third is left unchanged
  for (const auto& twos : codes) {
    for (const std::uint8_t left : {std::uint8_t{3}, std::uint8_t{5}}) {
      const auto row = static_cast<std::uint8_t>(8 - left);
      add({{0, 2, 4, parity}, {0, 2, 4, majority}, {8, 1, row, twos[0]}, {8, 1, row, twos[1]}},
          {7, 9, 10, left, 6});
    }
  }
  return starts;
}

// Sum of the ones of three rows; the twos are unchanged.
Start sum_of_ones() { return {{1, 0, {{0, 2, 4, parity}, {0, 2, 4, majority}}}, {1, 3, 5, 7, 8, 6}}; }

// Sum of rows y and y + 1 for both rows of output.
Start sum_of_two_rows() {
  return {{2, 4, {{2, 4, 3, differ}, {2, 4, 3, both}, {3, 5, 8, parity}, {3, 5, 8, majority}}},
          {0, 1, 6, 7, 9, 10}};
}

}  // namespace
