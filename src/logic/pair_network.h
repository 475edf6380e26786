// SPDX-License-Identifier: MIT
// A rule that does not count as a network for two rows at once, which share gates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "logic/cell_network.h"
#include "moorea/rule.h"

namespace moorea {

/// The next states of rows y and y + 1. Some functions of the three cells of a row around a column are
/// computed once per row, as sums are, since up to four networks need them: the row's gates. Signals are
/// numbered: first those of rows y - 1 to y + 2, of each the cells from west to east and then its gates;
/// then the other gates in order.
struct PairNetwork {
  static constexpr std::size_t rows = 4, cells_of_row = 3;

  std::vector<std::uint8_t> row_gates;  ///< tables; 0 for three dead cells
  std::vector<CellNetwork::Gate> gates;
  std::array<std::uint16_t, 2> outputs{};  ///< the signals that are the next states of rows y and y + 1

  std::size_t signals_of_row() const { return cells_of_row + row_gates.size(); }
  std::size_t inputs() const { return rows * signals_of_row(); }

  /// Gates per word and generation, including those of its row.
  double gates_per_word() const {
    return static_cast<double>(gates.size()) / 2 + static_cast<double>(row_gates.size());
  }

  /// Two-input operations per word and generation, including those of its row.
  double operations_per_word() const;

  /// Bits 0 and 1: the next states of rows y and y + 1 for twelve cells, row by row, of which the first is
  /// bit 11.
  unsigned next(unsigned cells) const;
};

/// Returns a network of at most as many gates per word as that of cell_network_for(). The same for equal
/// rules. Results of the last rules are kept.
PairNetwork pair_network_for(const Rule& rule);

}  // namespace moorea
