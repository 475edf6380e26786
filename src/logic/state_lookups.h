// SPDX-License-Identifier: MIT
// Rules by transitions as a few look-ups for each cell.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "moorea/rule.h"

namespace moorea {

/// Tables that are equal to a decision tree of Transitions, whose consecutive levels they join: a look-up
/// reads the next entry by the last one and by the states of all cells for which those levels ask.
struct StateLookups {
  /// Base of the numbers that the states of several cells make: the number of states, or more.
  int radix = 0;

  /// Cells that each look-up asks for, in the order of the tree. Their states are the digits of a code below
  /// 2^16, the first one is the lowest.
  std::vector<int> cells;

  /// First entry in `nodes` of each look-up but the last.
  std::vector<std::int64_t> begins;

  /// Entries of all look-ups but the last: entry e * codes(i) + code of look-up i follows e, which is 0 at
  /// first.
  std::vector<std::uint16_t> nodes;

  /// The next states, of the last look-up.
  std::vector<std::uint8_t> results;

  /// Number of codes of a look-up.
  std::int64_t codes(std::size_t lookup) const;

  /// Bytes of all tables.
  std::int64_t bytes() const { return 2 * std::ssize(nodes) + std::ssize(results); }
};

/// The tables with the fewest look-ups, and of those the smallest, for a rule with transitions. Null if they
/// would have more bytes than `max_bytes`. Made once in a process.
std::shared_ptr<const StateLookups> state_lookups(const Rule& rule, int radix, std::int64_t max_bytes);

}  // namespace moorea
