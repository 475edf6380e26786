// SPDX-License-Identifier: MIT
// Density levels of squares with a fixed number of cells, by their live cells. A table, because few distinct
// counts occur and a search costs more than a look-up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace moorea {

class LevelTable {
 public:
  /// `limits` are ascending; the level of a square of `cells` cells is the number of limits it reaches.
  LevelTable(std::span<const std::uint32_t> limits, std::int64_t cells)
      : limits_(limits), known_(static_cast<std::size_t>(std::min(cells, max_known)) + 1) {
    for (std::size_t i = 0; i < known_.size(); ++i) known_[i] = search(static_cast<std::uint32_t>(i));
  }

  /// Returns the level of each square.
  std::vector<std::uint8_t> levels(std::span<const std::uint32_t> alive) const {
    std::vector<std::uint8_t> levels(alive.size());
    std::transform(alive.begin(), alive.end(), levels.begin(),
                   [&](std::uint32_t each) { return each < known_.size() ? known_[each] : search(each); });
    return levels;
  }

 private:
  static constexpr std::int64_t max_known = 4096;

  std::uint8_t search(std::uint32_t alive) const {
    return static_cast<std::uint8_t>(std::upper_bound(limits_.begin(), limits_.end(), alive) -
                                     limits_.begin());
  }

  std::span<const std::uint32_t> limits_;
  std::vector<std::uint8_t> known_;
};

}  // namespace moorea
