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

/// An operation: a and b, a or b, a xor b, a and not b, not a.
struct Operation {
  Operator what;
  std::uint8_t a, b;  ///< numbers of signals

  friend bool operator==(const Operation&, const Operation&) = default;
};

/// Signals are numbered as in Network.
struct Circuit {
  std::vector<Operation> operations;
  std::array<std::uint8_t, 2> outputs{};

  /// Operations per word and generation, including the five of its row's sum.
  double operations_per_word() const { return static_cast<double>(operations.size()) / 2 + 5; }
};

/// Converts a network to two-input operations: for each gate the fewest in addition to the existing ones.
/// Signals are kept complemented if that saves the complement; the output of a gate for dead cells only is
/// always kept as 0, because operations without a complement produce only such outputs.
Circuit lowered(const Network& network);

/// Returns the fewest operations that compute a gate which depends on its operands and is 0 if they are. The
/// operands a, b and c are the signals 0 to 2.
std::vector<Operation> operations_of(std::uint8_t table);

/// Returns the circuit with the fewest operations known for a life-like rule.
Circuit circuit_for(const Rule& rule);

}  // namespace moorea
