// SPDX-License-Identifier: MIT
// Cells of SparseBoard: loading, editing, reading, and waking what they influence.
#include "boards/sparse_board.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "boards/sparse_internals.h"
#include "model/bits.h"
#include "model/paste.h"
#include "moorea/error.h"

namespace moorea {
namespace {

constexpr int sparse_rows = static_cast<int>(TilePlace::height);

// The cells of a rectangle at `at` in the rows of a tile; false if all are dead.
bool rows_in_tile(const ConstGridView& cells, Position at, const TilePlace& place, std::uint64_t* rows) {
  const Position corner = place.corner();
  const std::int64_t words = words_for(cells.width);
  const Position from = corner - at;
  const std::uint64_t mask = columns_mask(0, -from.x, cells.width - from.x) & tile_mask(TilePlace::width);
  std::uint64_t any = 0;
  for (std::int64_t y = 0; y < sparse_rows; ++y) {
    const std::int64_t row = from.y + y;
    rows[y] = row < 0 || row >= cells.height
                  ? 0
                  : cells_at(cells.words + row * cells.words_per_row, words, from.x) & mask;
    any |= rows[y];
  }
  return any != 0;
}

void require_sparse(const Box& box) {
  constexpr std::int64_t limit = max_sparse_coordinate - 2 * TilePlace::width;
  const auto beyond = [](std::int64_t first, std::int64_t length) {
    return first < -limit || first > limit || length > limit - first;
  };
  if (beyond(box.x, box.width) || beyond(box.y, box.height)) {
    throw Error(fmt::format("cells of {} x {} at ({}, {}): a sparse plane ends at +-{}; place them nearer to "
                            "(0, 0)",
                            box.width, box.height, box.x, box.y, max_sparse_coordinate),
                ErrorKind::usage);
  }
}

}  // namespace

SparseBoard::SparseBoard(const Rule& rule, const BoundKernel& kernel, int threads, std::uint64_t max_bytes)
    : TiledBoard({rule, Topology::plane, 0, 0}),
      step_(std::get<kernels::TileBinding>(kernel.binding).step),
      code_(kernel.code),
      step_window_(kernel.step_window()),
      rule_(mask_of(rule)),
      lanes_(std::get<kernels::TileContract>(kernel.kernel->contract).lanes / 64),
      team_(threads, lanes_),
      findings_(static_cast<std::size_t>(std::max(threads, 1))),
      max_bytes_(max_bytes) {
  may_have(1);  // refuses an invalid limit at once
}

// The world's size is that of the box around the tiles.
void SparseBoard::follow_hull() {
  const Box places = pool_.hull();
  const Position corner = TilePlace{places.x, places.y}.corner();
  hull_ = bounds_.value_or(places.empty() ? Box{}
                                          : Box{corner.x, corner.y, places.width * TilePlace::width,
                                                places.height * TilePlace::height});
  world_.width = hull_.width;
  world_.height = hull_.height;
}

void SparseBoard::clear() {
  bounds_.reset();
  edited_.clear();
  awake_.clear();
  pool_.clear();
  woken_ = SlotMarks();
}

void SparseBoard::load(const Grid& cells, Position at) {
  require_sparse({at.x, at.y, cells.width(), cells.height()});
  clear();
  count_moved(cells.height(), cells.words_per_row());
  if (!cells.empty()) put(cells.view(), at);
  wake_all();
  follow_hull();
}

void SparseBoard::load_squares(const CellSquares& squares) {
  for (const CellSquare& square : squares) require_sparse(square.box());
  clear();
  for (const CellSquare& square : squares) put(square.view(), square.corner);
  count_moved(CellSquare::side * std::ssize(squares), 1);
  wake_all();
  follow_hull();
}

// Adds live cells to dead ones.
void SparseBoard::put(const ConstGridView& cells, Position at) {
  std::array<std::uint64_t, sparse_rows> rows;
  for_places(PlaceRange::of({at.x, at.y, cells.width, cells.height}), [&](const TilePlace& place) {
    if (!rows_in_tile(cells, at, place, rows.data())) return;
    SparseTile* tile = pool_.find(place);
    if (tile == nullptr) {
      require_room(pool_.tiles() + 1);
      tile = &pool_.make(place);
    }
    for (std::size_t y = 0; y < rows.size(); ++y) tile->row_zero(current_)[y] |= rows[y];
    tile->forget(current_);
    publish(*tile, current_, all_changes);
  });
  woken_.resize(pool_.slots());
}

// Wakes all tiles but those that nothing lives in or near, makes those that are missing and removes those
// that are of no use.
void SparseBoard::wake_all() {
  list_awake();  // forgets who was woken
  edited_.clear();
  std::vector<SparseTile*> alive;
  pool_.for_each([&](SparseTile& tile) {
    if (!tile.is_dead()) alive.push_back(&tile);
  });
  for (SparseTile* tile : alive) wake(*tile);
  for (SparseTile* tile : alive) surround(*tile);
  pool_.for_each([&](SparseTile& tile) {
    if (!woken_.is_set(tile.slot) && tile.is_isolated()) pool_.remove(tile);
  });
  list_awake();
  steps_ = 0;
}

// A tile and all that read it are computed in the next pass.
void SparseBoard::wake(const SparseTile& tile) {
  woken_.set(tile.slot, false);
  for (const SparseTile* neighbour : tile.near)
    if (neighbour != nullptr) woken_.set(neighbour->slot, false);
}

// Makes the neighbours that read live cells of a tile.
void SparseBoard::surround(const SparseTile& tile) {
  for (unsigned direction = 0; direction < tile_directions; ++direction) {
    if (direction == itself || tile.near[direction] != nullptr) continue;
    if (!tile.lives_towards(direction, current_)) continue;
    if (const SparseTile* const made = make(neighbour_of(tile.place, direction)))
      woken_.set(made->slot, false);
  }
}

// The tiles that were woken, in the order of their slots; none is woken any more.
void SparseBoard::list_awake() {
  awake_.clear();
  woken_.take([&](std::uint32_t slot) { awake_.push_back(&pool_.at(slot)); });
}

double SparseBoard::awake_cells() const {
  return static_cast<double>(awake_.size()) * static_cast<double>(TilePlace::width * TilePlace::height);
}

void SparseBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  const Box box = {at.x, at.y, cells.width, cells.height};
  if (box.empty()) return;
  require_sparse(box);
  const std::optional<Box> added = mode == PasteMode::bitwise_and_not ? std::nullopt : bounding_box_of(cells);
  if (added) make_room(cells, at, *added);
  std::array<std::uint64_t, sparse_rows> rows;
  const std::size_t first = edited_.size();  // of this call
  for_places(PlaceRange::of(box), [&](const TilePlace& place) {
    const bool adds = rows_in_tile(cells, at, place, rows.data()) && added;
    SparseTile* tile = pool_.find(place);
    if (tile == nullptr) {
      if (!adds) return;
      tile = &pool_.make(place);
      woken_.resize(pool_.slots());
    }
    if (paste(*tile, rows.data(), box, mode)) edited_.push_back(tile);
  });
  count_moved(2 * cells.height, words_for(cells.width));
  for (std::size_t i = first; i < edited_.size(); ++i) surround(*edited_[i]);
  wake_edited(first);
  follow_hull();
}

// Throws if there is no memory for the live cells `added` of a rectangle. Cells beyond the bounds end these.
void SparseBoard::make_room(const ConstGridView& cells, Position at, const Box& added) {
  std::array<std::uint64_t, sparse_rows> rows;
  std::size_t missing = 0;
  for_places(PlaceRange::of(added.translated(at)), [&](const TilePlace& place) {
    const bool adds = rows_in_tile(cells, at, place, rows.data());
    if (adds && pool_.find(place) == nullptr) missing += tile_directions;
  });
  require_room(pool_.tiles() + missing);
  if (bounds_ && !bounds_->contains(added.translated(at))) {
    bounds_.reset();
    steps_ = 0;  // the next pass wakes all, and makes the tiles beyond the bounds
  }
}

// Combines the rows of a tile with those inside `box`; false if nothing changed, so that the tile may sleep
// on.
bool SparseBoard::paste(SparseTile& tile, const std::uint64_t* rows, const Box& box, PasteMode mode) {
  const Position corner = tile.place.corner();
  const std::uint64_t mask =
      columns_mask(0, box.x - corner.x, box.right() - corner.x) & tile_mask(TilePlace::width);
  std::uint64_t* const words = tile.row_zero(current_);
  bool changes = false;
  for (std::int64_t y = std::max<std::int64_t>(box.y - corner.y, 0);
       y < std::min<std::int64_t>(box.bottom() - corner.y, sparse_rows); ++y) {
    const std::uint64_t pasted = paste_word(mode, words[y], rows[y], mask);
    changes = changes || pasted != words[y];
    words[y] = pasted;
  }
  if (!changes) return false;
  tile.forget(current_);
  publish(tile, current_, all_changes);
  return true;
}

// Adds the edited tiles and all that read them to those that the next pass computes.
void SparseBoard::wake_edited(std::size_t first) {
  for (const SparseTile* tile : awake_) woken_.set(tile->slot, false);
  for (std::size_t i = first; i < edited_.size(); ++i) wake(*edited_[i]);
  list_awake();
}

void SparseBoard::read(const Box& box, const GridView& to) const {
  for (std::int64_t y = 0; y < box.height; ++y) std::ranges::fill(to.row(y), 0);
  std::int64_t rows_moved = 0;
  for_tiles_in(box, [&](const SparseTile& tile) {
    const Box part = intersect(tile.place.box(), box);
    const Position corner = tile.place.corner();
    const std::int64_t column = part.x - box.x;
    const int shift = static_cast<int>(column % 64);
    for (std::int64_t y = part.y; y < part.bottom(); ++y) {
      const std::uint64_t cells = tile.row_zero(current_)[y - corner.y] >> (part.x - corner.x) &
                                  tile_mask(static_cast<int>(part.width));
      if (cells == 0) continue;
      std::uint64_t* const target = to.row(y - box.y).data() + column / 64;
      target[0] |= cells << shift;
      if (shift != 0 && cells >> (64 - shift) != 0) target[1] |= cells >> (64 - shift);
    }
    rows_moved += part.height;
  });
  count_moved(rows_moved, 1);
}

}  // namespace moorea
