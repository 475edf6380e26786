// SPDX-License-Identifier: MIT
// Functions of four inputs as gates with three inputs.
#pragma once

#include <array>
#include <optional>
#include <vector>

namespace moorea {

/// A function of four inputs, or of fewer, as a table: bit n is its value if the inputs are the digits of n.
using FourTable = unsigned;

/// Of a function only the values in `matters` count; the others may be anything.
struct FourFunction {
  FourTable values;
  FourTable matters = 0xFFFF;
};

/// A gate of three inputs, of which the first is the highest bit of the index into its table. Inputs 0 to 3
/// are those of the function, input 4 is a signal that is computed elsewhere; input 5 is the result of the
/// first gate of the same function, and so on.
struct FourGate {
  std::array<int, 3> inputs;
  unsigned table;
};

/// Input numbers of FourGate.
constexpr int four_inputs_signal = 4, four_inputs_first_gate = 5;

/// One to three gates, of which the last one's result is the function; few of them are found by trying all
/// pairs of gates, the second of which may read `signal`.
std::vector<FourGate> gates_of(const FourFunction& function, std::optional<FourTable> signal = {});

}  // namespace moorea
