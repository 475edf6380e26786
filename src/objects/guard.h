// SPDX-License-Identifier: MIT
// Neighbourhoods of objects into which no other cell may come.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "objects/evolution.h"

namespace moorea {

/// The positions from which a live cell could influence the future of a group's cells, as bitboards.
class Guard {
 public:
  /// Adds a group with its live cells of all generations.
  void add(std::span<const Position> cells, std::uint32_t group);

  /// Call once, after the last add(). Calls `found` with each group whose neighbourhood overlaps another
  /// one's.
  template <class Found>
  void finish(Found found);

  /// Calls `found` with each group in whose neighbourhood one of the live cells lies.
  template <class Found>
  void meet(const Position& at, Bitboard cells, Found found) const;

 private:
  // A cell has a neighbour in common with those up to two columns and rows away
  static constexpr std::int64_t reach = 2;

  struct Zone {
    Position at;
    Bitboard cells = 0;
    std::uint32_t group = 0;
    std::uint32_t next = 0;  // zone of the same bitboard; 0: none
  };
  void add(const Position& at, Bitboard cells, std::uint32_t group);

  std::vector<Zone> zones_ = std::vector<Zone>(1);
  BitboardTable first_;
};

inline void Guard::add(const Position& at, Bitboard cells, std::uint32_t group) {
  const std::uint32_t first = first_.find(at);
  for (std::uint32_t zone = first; zone != 0; zone = zones_[zone].next) {
    if (zones_[zone].group != group) continue;
    zones_[zone].cells |= cells;
    return;
  }
  const auto index = static_cast<std::uint32_t>(zones_.size());
  zones_.push_back({at, cells, group, 0});
  if (first == 0) {
    first_.add(at, index);
  } else {
    zones_[index].next = zones_[first].next;
    zones_[first].next = index;
  }
}

inline void Guard::add(std::span<const Position> cells, std::uint32_t group) {
  constexpr auto row = static_cast<Bitboard>(0xFF);
  for (const Position& cell : cells) {
    const Position low = bitboard_of(cell + Position{-reach, -reach});
    const Position high = bitboard_of(cell + Position{reach, reach});
    for (std::int64_t y = low.y; y <= high.y; ++y) {
      for (std::int64_t x = low.x; x <= high.x; ++x) {
        const std::int64_t left = std::max<std::int64_t>(cell.x - reach - 8 * x, 0);
        const std::int64_t right = std::min<std::int64_t>(cell.x + reach - 8 * x, 7);
        const Bitboard columns = (row >> (7 - right)) & (row << left);
        Bitboard zone = 0;
        for (std::int64_t r = std::max<std::int64_t>(cell.y - reach - 8 * y, 0);
             r <= std::min<std::int64_t>(cell.y + reach - 8 * y, 7); ++r)
          zone |= columns << 8 * r;
        add({x, y}, zone, group);
      }
    }
  }
}

template <class Found>
void Guard::finish(Found found) {
  for (const Zone& zone : zones_) {
    for (std::uint32_t other = zone.next; other != 0; other = zones_[other].next) {
      if (!(zones_[other].cells & zone.cells)) continue;
      found(zone.group);
      found(zones_[other].group);
    }
  }
}

template <class Found>
void Guard::meet(const Position& at, Bitboard cells, Found found) const {
  for (std::uint32_t zone = first_.find(at); zone != 0; zone = zones_[zone].next) {
    if (zones_[zone].cells & cells) found(zones_[zone].group);
  }
}

}  // namespace moorea
