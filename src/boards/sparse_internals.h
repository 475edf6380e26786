// SPDX-License-Identifier: MIT
// Shared by the files of SparseBoard: visits of the tiles of a rectangle.
#pragma once

#include "boards/sparse_board.h"

namespace moorea {

/// The places of the first and the last tile of a rectangle.
struct PlaceRange {
  TilePlace first, last;

  /// Of a box that is not empty.
  static PlaceRange of(const Box& box) {
    return {TilePlace::of(box.position()), TilePlace::of({box.right() - 1, box.bottom() - 1})};
  }
  double places() const {
    return (static_cast<double>(last.column - first.column) + 1) *
           (static_cast<double>(last.row - first.row) + 1);
  }
};

/// Calls visit(place) row by row.
template <class Visit>
void for_places(const PlaceRange& range, const Visit& visit) {
  for (std::int64_t row = range.first.row; row <= range.last.row; ++row)
    for (std::int64_t column = range.first.column; column <= range.last.column; ++column)
      visit(TilePlace{column, row});
}

// Calls visit(tile) for the tiles that share cells with a box, by looking them up or by examining all of
// them, whichever is less.
template <class Visit>
void SparseBoard::for_tiles_in(const Box& box, const Visit& visit) const {
  const Box part = intersect(box, hull_);
  if (part.empty()) return;
  const PlaceRange range = PlaceRange::of(part);
  if (range.places() <= static_cast<double>(pool_.tiles())) {
    for_places(range, [&](const TilePlace& place) {
      if (const SparseTile* const tile = pool_.find(place)) visit(*tile);
    });
  } else {
    pool_.for_each([&](const SparseTile& tile) {
      if (!intersect(tile.place.box(), part).empty()) visit(tile);
    });
  }
}

}  // namespace moorea
