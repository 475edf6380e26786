// SPDX-License-Identifier: MIT
// Choice of the part of the plane that a board computes exactly, although the plane beyond it is dead there.
//
// No influence is faster than a cell per generation. A board is examined every `interval` generations, and
// nothing may reach its outermost cells meanwhile. Clusters that are not known as periodic are therefore at
// least interval + 2 + away_depth cells from the border. An influence of theirs that comes nearer is seen as
// a change in this margin, before it is within two cells of the outermost away_depth columns and rows.
// Periodic clusters that lie in these, or beyond the border, are taken from the board. Spaceships that meet
// nothing are followed: as long as they fly as predicted they change nothing. They are taken from the board
// before they reach the border; by then most are ahead of all influences.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "census/assessment.h"

namespace moorea {

struct SoupWindow {
  static constexpr std::int64_t interval = 24;
  static constexpr std::int64_t away_depth = 8;
  static constexpr std::int64_t margin = interval + 2 + away_depth;

  Position corner;
  std::int64_t size = 0;  ///< columns and rows

  Box box() const { return {corner.x, corner.y, size, size}; }
  /// Cells between the border and the nearest and the farthest cell of a box; less than 0 beyond the border.
  std::int64_t outer_depth(const Box& of) const;
  std::int64_t inner_depth(const Box& of) const;

  friend bool operator==(const SoupWindow&, const SoupWindow&) = default;
};

class WindowChoice {
 public:
  explicit WindowChoice(const Assessment& assessment) : clusters_(assessment.clusters()) {}

  /// Whether the board of a window can be advanced by an interval. is_away() has what has to be taken from it
  /// then, and allowed() for how many generations that may be without another examination. Ships that meet
  /// nothing and are not away are to be followed.
  bool fits(const SoupWindow& window) { return fits(window, 0); }
  bool is_away(std::size_t cluster) const { return is_away_[cluster]; }
  std::uint64_t allowed() const { return allowed_; }

  /// The first window of the smallest of these sizes that fits, with room for activity to grow; empty if
  /// there is none.
  std::optional<SoupWindow> choose(std::span<const std::int64_t> sizes);

 private:
  bool fits(const SoupWindow& window, std::int64_t room);
  bool divide(const SoupWindow& window, std::int64_t room);
  std::int64_t undisturbed(const SoupWindow& window, const AssessedCluster& ship) const;

  std::span<const AssessedCluster> clusters_;
  std::vector<bool> is_away_;
  std::uint64_t allowed_ = 0;
};

}  // namespace moorea
