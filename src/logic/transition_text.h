// SPDX-License-Identifier: MIT
// Rules by transitions as text for code that is compiled at run time for GPUs and OpenCL devices: gates, or
// look-ups in tables.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "logic/state_lookups.h"
#include "logic/state_network.h"
#include "moorea/rule.h"

namespace moorea {

/// The form that a rule with transitions has on a GPU.
struct GpuTransitions {
  /// If it has so few gates that they take less time than look-ups.
  std::shared_ptr<const StateNetwork> network;

  /// Otherwise. Their radix is a power of two, so that codes are binary digits of states, and they are small
  /// enough for the shared memory of a GPU if possible.
  std::shared_ptr<const StateLookups> lookups;

  /// False if both are null, because the tables would be too large.
  explicit operator bool() const { return network != nullptr || lookups != nullptr; }
};
GpuTransitions gpu_transitions(const Rule& rule);

/// The tables one after the other, as the text reads them; none for a network.
std::vector<std::uint8_t> table_bytes(const GpuTransitions& transitions);

/// Tables of the gates of three inputs that the text has.
std::set<unsigned> gate_tables(const GpuTransitions& transitions);

/// CELL_DIGITS, binary digits of a state; CELL_CORNERS, 1 if all eight neighbours are asked for; TABLE_BYTES;
/// and a function over the type `word` of 32 cells, in the common subset of C++, CUDA and OpenCL C with the
/// macro LUT3 of common/networks.h: next_of_cells(cells, tables, next). `cells` has the digits of the cells
/// that a tree of Transitions asks for, in its order; `next` has room for 16 words, of which the first ones
/// become the digits of the next states. `memory` is the address space of the tables, such as "global".
std::string transition_text(const Rule& rule, std::string_view memory);

}  // namespace moorea
