// SPDX-License-Identifier: MIT
// Networks of two-input operations, for words without three-input logic: AVX2, and plain integers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "logic/network.h"

namespace moorea {

enum class Operator : std::uint8_t { conjunction, disjunction, exclusive, and_not, complement };

/// a and b, a or b, a xor b, a and not b, not a.
struct Operation {
  Operator what;
  std::uint8_t a, b;  ///< numbers of signals

  friend bool operator==(const Operation&, const Operation&) = default;
};

/// Signals are numbered as in Network.
struct Circuit {
  std::vector<Operation> operations;
  std::array<std::uint8_t, 2> outputs{};

  /// Operations for a word and a generation, the five of its row's sum included.
  double operations_per_word() const { return static_cast<double>(operations.size()) / 2 + 5; }
};

/// The network in two-input operations: for each gate the fewest that are needed beside those that are there.
/// Signals are kept complemented where that saves the complement; what a gate makes of dead cells alone is
/// always kept as 0, which is what operations without a complement can make.
Circuit lowered(const Network& network);

/// The cheapest circuit known for a rule.
Circuit circuit_for(const Rule& rule);

}  // namespace moorea
