// SPDX-License-Identifier: MIT
// Fewer gates for the same functions, by resubstitution (A. Mishchenko and R. Brayton, 2006): a gate is
// replaced by one of other signals that agrees with it wherever an output depends on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "logic/cell_network.h"

namespace moorea {

/// Gates of three inputs in an order in which they can be computed. Signals are numbered: first the inputs, 6
/// to 16 of them, then the gates.
struct GateList {
  std::size_t inputs = 0;
  std::vector<CellNetwork::Gate> gates;
  std::vector<std::uint16_t> outputs;
};

/// The list after attempts to replace gates, each of which is kept if the outputs then need as many gates or
/// fewer. Gates are 0 if all inputs are, but for complements of an output. Attempts end after so much work:
/// triples of signals that are looked at, and words of their tables; 10^8 take some tenths of a second. The
/// same for equal lists.
GateList resubstituted(GateList list, std::uint64_t work);

}  // namespace moorea
