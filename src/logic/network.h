// SPDX-License-Identifier: MIT
// A rule as a network of three-input logic gates over the sums of rows: what a bit-packed kernel computes.
//
// The three cells of a row around a column sum to 0..3, kept as two bits, ones and twos: two gates (exclusive
// or, and majority) shared by the three rows that need the sum. A network computes from these sums the next
// states of two rows at once, which share gates. docs/logic.md describes it completely.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "moorea/rule.h"

namespace moorea {

/// A gate of three inputs. The output is bit (a << 2 | b << 1 | c) of `table`: the order of AVX-512's
/// vpternlog and of CUDA's lop3.
struct Gate {
  std::uint8_t a, b, c;  ///< numbers of signals
  std::uint8_t table;

  friend bool operator==(const Gate&, const Gate&) = default;
};

/// Signals of a network for rows y and y + 1 are numbered: first the sums of rows y - 1 to y + 2, each as
/// ones and then twos (the centre counts in its row's sum), then the centre cells of rows y and y + 1, then
/// the gates in order.
constexpr std::size_t network_inputs = 10;

struct Network {
  std::vector<Gate> gates;
  std::array<std::uint8_t, 2> outputs{};  ///< the signals that are the next states of rows y and y + 1

  /// Gates per word and generation, including the two of its row's sum.
  double gates_per_word() const { return static_cast<double>(gates.size()) / 2 + 2; }
};

/// Returns the operands that a table depends on: the sum of 4 for a, 2 for b, 1 for c.
unsigned operands_of(std::uint8_t table);

/// Returns the table with the same output for complemented operands; `which` selects them as in
/// operands_of().
std::uint8_t with_complemented(std::uint8_t table, unsigned which);

/// Returns the network with the fewest gates known for a rule. Every rule has one of at most 12 gates per
/// word.
Network network_for(const Rule& rule);

/// Returns up to `max_networks` known networks of the rule, those with the fewest gates first.
std::vector<Network> networks_for(const Rule& rule, std::size_t max_networks);

}  // namespace moorea
