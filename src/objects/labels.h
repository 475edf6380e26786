// SPDX-License-Identifier: MIT
// Sets of labels that were united (union-find; B. Galler, M. Fischer, 1964).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "objects/cells.h"

namespace moorea {

class Labels {
 public:
  explicit Labels(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }

  /// The smallest label of the set.
  std::uint32_t find(std::uint32_t label) {
    while (parent_[label] != label) label = parent_[label] = parent_[parent_[label]];
    return label;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return;
    parent_[std::max(a, b)] = std::min(a, b);
    ++unions_;
  }
  std::size_t unions() const { return unions_; }

 private:
  std::vector<std::uint32_t> parent_;
  std::size_t unions_ = 0;
};

/// Unites the labels of neighbours; cell i has the label i.
inline void connect(const CellList& cells, Labels& labels) {
  std::size_t below = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Position& at = cells[i];
    if (i + 1 < cells.size() && cells[i + 1] == at + Position{1, 0})
      labels.unite(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + 1));
    while (below < cells.size() && RowOrder()(cells[below], {at.x - 1, at.y + 1})) ++below;
    for (std::size_t j = below; j < cells.size() && cells[j].y == at.y + 1 && cells[j].x <= at.x + 1; ++j)
      labels.unite(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
  }
}

/// Cells by set, in the order of their first cells; cell i has the label i.
inline std::vector<CellList> cells_by_set(const CellList& cells, Labels& labels) {
  std::vector<CellList> sets;
  std::vector<std::size_t> set_of(cells.size());  // by label, which is that of the set's first cell
  for (std::uint32_t i = 0; i < cells.size(); ++i) {
    const std::uint32_t label = labels.find(i);
    if (label == i) {
      set_of[i] = sets.size();
      sets.emplace_back();
    }
    sets[set_of[label]].push_back(cells[i]);
  }
  return sets;
}

}  // namespace moorea
