// SPDX-License-Identifier: MIT
#include "census/soup_window.h"

#include <algorithm>
#include <array>

namespace moorea {
namespace {

// Additional distance of activity from the margin of a new window, so that it is not left at once
constexpr std::int64_t new_room = 6;
// Distances by which a window is shifted until no periodic cluster lies across its border
constexpr std::array<std::int64_t, 5> shifts = {0, 3, -3, 6, -6};

// Cells that a ship may move within an interval, and two for its neighbours
std::int64_t ship_depth(const MovingBox& swept) {
  const std::int64_t fastest = std::max(std::abs(swept.displacement.x), std::abs(swept.displacement.y));
  const auto period = static_cast<std::int64_t>(swept.period);
  return (fastest * SoupWindow::interval + period - 1) / period + 3;
}

// Calls visit(outer, inner, speed) for each side of the window to which a ship moves: cells between that side
// and its nearest and its farthest cell, and cells that it moves in a period.
template <class Visit>
void for_each_side_ahead(const SoupWindow& window, const MovingBox& swept, const Visit& visit) {
  const Box& box = swept.box;
  const Position& by = swept.displacement;
  const std::int64_t right = window.corner.x + window.size, bottom = window.corner.y + window.size;
  if (by.x > 0) visit(right - box.right(), right - 1 - box.x, by.x);
  if (by.x < 0) visit(box.x - window.corner.x, box.right() - 1 - window.corner.x, -by.x);
  if (by.y > 0) visit(bottom - box.bottom(), bottom - 1 - box.y, by.y);
  if (by.y < 0) visit(box.y - window.corner.y, box.bottom() - 1 - window.corner.y, -by.y);
}

// Whether a ship is out of reach of all that is not in the margin, as long as the margin does not change: at
// the end of each interval it is beyond what an influence reaches in one.
bool is_ahead(const SoupWindow& window, const MovingBox& swept) {
  const auto period = static_cast<std::int64_t>(swept.period);
  bool is = false;
  for_each_side_ahead(window, swept, [&](std::int64_t, std::int64_t inner, std::int64_t speed) {
    const std::int64_t moved = speed * SoupWindow::interval / period;
    is = is || inner - moved + 3 <= SoupWindow::margin - SoupWindow::interval;
  });
  return is;
}

// Generations from now to the last examination at which a ship may be left on the board: from one at which it
// is deep enough to the next one.
std::int64_t stays_for(const SoupWindow& window, const MovingBox& swept) {
  const auto period = static_cast<std::int64_t>(swept.period);
  std::int64_t periods = INT64_MAX / 2 / period;
  for_each_side_ahead(window, swept, [&](std::int64_t outer, std::int64_t, std::int64_t speed) {
    periods = std::min(periods, (outer - ship_depth(swept)) / speed);
  });
  return periods * period + SoupWindow::interval;
}

}  // namespace

std::int64_t SoupWindow::outer_depth(const Box& of) const {
  return std::min(
      {of.x - corner.x, of.y - corner.y, corner.x + size - of.right(), corner.y + size - of.bottom()});
}

std::int64_t SoupWindow::inner_depth(const Box& of) const {
  return std::min({of.right() - 1 - corner.x, of.bottom() - 1 - corner.y, corner.x + size - 1 - of.x,
                   corner.y + size - 1 - of.y});
}

// Generations for which a ship stays out of reach of what is not periodic; INT64_MAX if that is so until it
// is beyond the border, or as long as nothing changes in the margin. An influence grows by a cell per
// generation.
std::int64_t WindowChoice::undisturbed(const SoupWindow& window, const AssessedCluster& ship) const {
  const Box& box = ship.swept.box;
  if (window.inner_depth(box) <= -2 || is_ahead(window, ship.swept)) return INT64_MAX;
  const auto period = static_cast<std::int64_t>(ship.swept.period);
  const Position& by = ship.swept.displacement;
  std::int64_t until_beyond = INT64_MAX;
  const auto leaves = [&](std::int64_t cells, std::int64_t speed) {
    if (speed > 0) until_beyond = std::min(until_beyond, ((cells + speed - 1) / speed + 1) * period);
  };
  leaves(window.corner.x + window.size + 2 - box.x, by.x);
  leaves(box.right() + 2 - window.corner.x, -by.x);
  leaves(window.corner.y + window.size + 2 - box.y, by.y);
  leaves(box.bottom() + 2 - window.corner.y, -by.y);
  std::int64_t generations = INT64_MAX;
  for (std::size_t i = 0; i < clusters_.size(); ++i) {
    if (&clusters_[i] == &ship || is_away_[i] || (clusters_[i].known != nullptr && !clusters_[i].moves()))
      continue;
    // The distance on the side on which it lasts longest
    const Box& other = clusters_[i].swept.box;
    std::int64_t reached = 0;
    const auto lasts = [&](std::int64_t cells, std::int64_t speed) {
      if (cells <= 3) return;
      // Nothing overtakes a ship that moves by a cell per generation
      reached = speed < period ? std::max(reached, (cells - 3) * period / (period - speed)) : INT64_MAX;
    };
    lasts(box.x - other.right(), by.x);
    lasts(other.x - box.right(), -by.x);
    lasts(box.y - other.bottom(), by.y);
    lasts(other.y - box.bottom(), -by.y);
    if (reached < until_beyond) generations = std::min(generations, reached);
  }
  return generations;
}

// Which clusters are away; spaceships that cannot stay are, until it is known that they may not. False if one
// that does not move lies where none may.
bool WindowChoice::divide(const SoupWindow& window, std::int64_t room) {
  is_away_.assign(clusters_.size(), false);
  for (std::size_t i = 0; i < clusters_.size(); ++i) {
    const AssessedCluster& cluster = clusters_[i];
    const Box& box = cluster.swept.box;
    const std::int64_t depth = window.outer_depth(box);
    if (depth >= SoupWindow::margin + room) continue;
    if (cluster.moves()) {
      is_away_[i] = !cluster.meets && depth < ship_depth(cluster.swept);
      continue;
    }
    if (cluster.known == nullptr) return false;
    // Changes in the margin would not be seen behind those of another period
    if (depth >= 2 && SoupWindow::interval % static_cast<std::int64_t>(cluster.swept.period) == 0) continue;
    if (depth >= SoupWindow::margin) continue;
    if (window.inner_depth(box) >= SoupWindow::away_depth) return false;
    is_away_[i] = true;
  }
  return true;
}

bool WindowChoice::fits(const SoupWindow& window, std::int64_t room) {
  if (!divide(window, room)) return false;
  std::int64_t allowed = INT64_MAX;
  for (bool changed = true; changed;) {
    changed = false;
    allowed = INT64_MAX;
    for (std::size_t i = 0; i < clusters_.size(); ++i) {
      if (!clusters_[i].moves() || !is_away_[i]) continue;
      const std::int64_t generations = undisturbed(window, clusters_[i]);
      if (generations >= SoupWindow::interval) {
        allowed = std::min(allowed, generations);
        continue;
      }
      is_away_[i] = false;  // which may disturb others
      changed = true;
    }
  }
  for (std::size_t i = 0; i < clusters_.size(); ++i) {
    const AssessedCluster& ship = clusters_[i];
    if (!ship.moves() || is_away_[i]) continue;
    const std::int64_t depth = window.outer_depth(ship.swept.box);
    // It may meet nothing in the margin
    if (depth < SoupWindow::margin + room && (ship.meets || depth < ship_depth(ship.swept))) return false;
    if (!ship.meets) allowed = std::min(allowed, stays_for(window, ship.swept));
  }
  allowed_ = static_cast<std::uint64_t>(allowed);
  return true;
}

std::optional<SoupWindow> WindowChoice::choose(std::span<const std::int64_t> sizes) {
  // What has to be inside: activity, and ships that may meet something
  Box inside;
  for (const AssessedCluster& cluster : clusters_) {
    if (cluster.known == nullptr || cluster.meets) inside = unite(inside, cluster.swept.box);
  }
  for (const std::int64_t size : sizes) {
    const std::int64_t free = size - 2 * (SoupWindow::margin + new_room);
    if (inside.width > free || inside.height > free) continue;
    const Position centre = {inside.x + inside.width / 2 - size / 2, inside.y + inside.height / 2 - size / 2};
    for (const std::int64_t y : shifts) {
      for (const std::int64_t x : shifts) {
        const SoupWindow window = {centre + Position{x, y}, size};
        if (fits(window, new_room)) return window;
      }
    }
  }
  return std::nullopt;
}

}  // namespace moorea
