// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "definition.h"
#include "sparse_worlds.h"

namespace moorea::test {

void CellSet::paste(const Grid& cells, Position at, PasteMode mode) {
  const Box box = {at.x, at.y, cells.width(), cells.height()};
  std::vector<Position> kept;
  Grid present(cells.width(), cells.height());
  for (const Position& cell : cells_) {
    if (box.contains(cell)) {
      present.set(cell.x - at.x, cell.y - at.y);
    } else {
      kept.push_back(cell);
    }
  }
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0; x < cells.width(); ++x) {
      const bool before = present.alive(x, y), pasted = cells.alive(x, y);
      const bool now = mode == PasteMode::replace       ? pasted
                       : mode == PasteMode::bitwise_or  ? before || pasted
                       : mode == PasteMode::bitwise_xor ? before != pasted
                                                        : before && !pasted;
      if (now && inside({at.x + x, at.y + y})) kept.push_back({at.x + x, at.y + y});
    }
  }
  cells_ = std::move(kept);
  sort();
}

void CellSet::put(const Grid& cells, Position at) {
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0; x < cells.width(); ++x) {
      Position cell{at.x + x, at.y + y};
      if (bounded() && topology_ == Topology::torus) cell = {cell.x % width_, cell.y % height_};
      if (cells.alive(x, y) && inside(cell)) cells_.push_back(cell);
    }
  }
  sort();
}

// Sorts by rows and removes duplicates.
void CellSet::sort() {
  std::sort(cells_.begin(), cells_.end(),
            [](const Position& a, const Position& b) { return std::pair(a.y, a.x) < std::pair(b.y, b.x); });
  cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
}

void CellSet::step(const Rule& rule) {
  if (rule.next(false, 0)) {
    step_densely(rule);
    return;
  }
  // Each live cell is a neighbour of eight places, several times if a small torus joins them to it repeatedly
  constexpr std::int64_t bias = std::int64_t{1} << 30;
  const auto key = [](const Position& cell) {
    return static_cast<std::uint64_t>(cell.y + bias) << 32 | static_cast<std::uint64_t>(cell.x + bias);
  };
  std::vector<std::uint64_t> places, alive;
  for (const Position& cell : cells_) {
    alive.push_back(key(cell));
    for (std::int64_t dy = -1; dy <= 1; ++dy) {
      for (std::int64_t dx = -1; dx <= 1; ++dx) {
        if (dx == 0 && dy == 0) continue;
        Position place{cell.x + dx, cell.y + dy};
        if (bounded() && topology_ == Topology::torus)
          place = {(place.x + width_) % width_, (place.y + height_) % height_};
        if (bounded() && (place.x < 0 || place.y < 0 || place.x >= width_ || place.y >= height_)) continue;
        places.push_back(key(place));
      }
    }
  }
  // A live cell without neighbours must be examined too
  std::vector<std::uint64_t> looked_at = places;
  looked_at.insert(looked_at.end(), alive.begin(), alive.end());
  std::sort(places.begin(), places.end());
  std::sort(looked_at.begin(), looked_at.end());
  looked_at.erase(std::unique(looked_at.begin(), looked_at.end()), looked_at.end());
  cells_.clear();
  auto place = places.begin();
  for (const std::uint64_t at : looked_at) {
    int neighbours = 0;
    for (; place != places.end() && *place == at; ++place) ++neighbours;
    if (rule.next(std::binary_search(alive.begin(), alive.end(), at), neighbours)) {
      cells_.push_back(
          {static_cast<std::int64_t>(at & 0xFFFFFFFF) - bias, static_cast<std::int64_t>(at >> 32) - bias});
    }
  }
}

// For rules with birth from 0 neighbours.
void CellSet::step_densely(const Rule& rule) {
  const Grid next = next_generation(window({0, 0, width_, height_}), rule, topology_);
  cells_.clear();
  paste(next, {0, 0}, PasteMode::replace);
}

std::optional<Box> CellSet::bounding_box() const {
  if (cells_.empty()) return std::nullopt;
  const auto [left, right] = std::minmax_element(
      cells_.begin(), cells_.end(), [](const Position& a, const Position& b) { return a.x < b.x; });
  const std::int64_t top = cells_.front().y, bottom = cells_.back().y;
  return Box{left->x, top, right->x - left->x + 1, bottom - top + 1};
}

Grid CellSet::window(const Box& box) const {
  Grid grid(box.width, box.height);
  for (const Position& cell : cells_) {
    if (cell.x >= box.x && cell.y >= box.y && cell.x < box.x + box.width && cell.y < box.y + box.height)
      grid.set(cell.x - box.x, cell.y - box.y);
  }
  return grid;
}

}  // namespace moorea::test
