// SPDX-License-Identifier: MIT
// Live cells of an object as a sorted list. An object has few cells and may be anywhere, so that a list is
// smaller than any grid.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "moorea/box.h"
#include "moorea/rule.h"

namespace moorea {

/// Row by row, from left to right.
struct RowOrder {
  bool operator()(const Position& a, const Position& b) const { return a.y != b.y ? a.y < b.y : a.x < b.x; }
};

/// Positions in RowOrder, each once.
using Cells = std::vector<Position>;

Box bounds(const Cells& cells);  ///< smallest box that contains them; empty if there are none
Cells translated(Cells cells, const Position& by);

/// Returns the cells one generation later; the rule has no B0.
Cells advance(const Rule& rule, const Cells& cells);

/// A cell of an object, with a number that it inherits from those around it.
struct LabelledCell {
  Position at;
  std::uint32_t label = 0;
};

/// The live cells in the 3 x 3 block around a position.
struct Neighbourhood {
  /// Label of a block whose cells have different ones.
  static constexpr std::uint32_t mixed = std::numeric_limits<std::uint32_t>::max();

  Position at;
  bool centre = false;                                ///< whether the position is alive
  int neighbours = 0;                                 ///< live ones
  std::uint32_t label = 0;                            ///< of all live cells in the block, or `mixed`
  std::array<std::span<const LabelledCell>, 3> rows;  ///< those above, at and below the position

  /// Calls `visit` with each live cell of the block.
  template <class Visit>
  void for_each_cell(Visit visit) const {
    for (const std::span<const LabelledCell>& row : rows) {
      auto cell = std::partition_point(row.begin(), row.end(),
                                       [&](const LabelledCell& other) { return other.at.x < at.x - 1; });
      for (; cell != row.end() && cell->at.x <= at.x + 1; ++cell) visit(*cell);
    }
  }
};

/// Visits the neighbourhoods of a list of cells in RowOrder. It merges three rows into sums of columns, of
/// which three give a neighbourhood.
class NeighbourhoodSweep {
 public:
  /// Calls `visit` in RowOrder for each position whose 3 x 3 block has a live cell. `label_of` returns the
  /// label of a cell.
  template <class LabelOf, class Visit>
  void run(std::span<const LabelledCell> cells, LabelOf label_of, Visit visit) {
    const LabelledCell* next_row = cells.data();
    const LabelledCell* const end = cells.data() + cells.size();
    Neighbourhood around;
    std::array<std::span<const LabelledCell>, 3>& rows = around.rows;
    std::int64_t y = 0;
    while (next_row != end || !rows[1].empty() || !rows[2].empty()) {
      if (rows[1].empty() && rows[2].empty()) y = next_row->at.y - 1;
      rows = {rows[1], rows[2], {}};
      if (next_row != end && next_row->at.y == y + 1) {
        const LabelledCell* const first = next_row;
        while (next_row != end && next_row->at.y == y + 1) ++next_row;
        rows[2] = {first, next_row};
      }
      around.at.y = y++;
      merge(rows, label_of);
      visit_columns(around, visit);
    }
  }

 private:
  struct Column {
    std::int64_t x = 0;
    int cells = 0;
    bool centre = false;
    std::uint32_t label = 0;
  };

  static std::uint32_t common(std::uint32_t a, std::uint32_t b) { return a == b ? a : Neighbourhood::mixed; }

  template <class LabelOf>
  void merge(const std::array<std::span<const LabelledCell>, 3>& rows, LabelOf label_of) {
    columns_.clear();
    std::array<std::size_t, 3> next = {};
    while (true) {
      Column column{std::numeric_limits<std::int64_t>::max()};
      for (std::size_t r = 0; r < 3; ++r) {
        if (next[r] < rows[r].size()) column.x = std::min(column.x, rows[r][next[r]].at.x);
      }
      if (column.x == std::numeric_limits<std::int64_t>::max()) return;
      for (std::size_t r = 0; r < 3; ++r) {
        if (next[r] == rows[r].size() || rows[r][next[r]].at.x != column.x) continue;
        const std::uint32_t label = label_of(rows[r][next[r]++]);
        column.label = column.cells++ == 0 ? label : common(column.label, label);
        if (r == 1) column.centre = true;
      }
      columns_.push_back(column);
    }
  }

  template <class Visit>
  void visit_columns(Neighbourhood& around, Visit& visit) const {
    const std::size_t count = columns_.size();
    std::size_t first = 0;  // column that is at least x - 1
    std::int64_t x = count > 0 ? columns_[0].x - 1 : 0;
    while (first < count) {
      int cells = 0;
      around.at.x = x;
      around.centre = false;
      for (std::size_t i = first; i < count && columns_[i].x <= x + 1; ++i) {
        around.label = cells == 0 ? columns_[i].label : common(around.label, columns_[i].label);
        cells += columns_[i].cells;
        if (columns_[i].x == x) around.centre = columns_[i].centre;
      }
      around.neighbours = cells - (around.centre ? 1 : 0);
      visit(std::as_const(around));
      ++x;
      while (first < count && columns_[first].x < x - 1) ++first;
      if (first < count && columns_[first].x > x + 1) x = columns_[first].x - 1;
    }
  }

  std::vector<Column> columns_;
};

}  // namespace moorea
