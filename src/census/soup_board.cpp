// SPDX-License-Identifier: MIT
#include "census/soup_board.h"

#include <algorithm>
#include <bit>

namespace moorea {

void SoupTiles::enlist_new(std::uint32_t tile) {
  if (state[tile] & border) {
    overflowed = true;
    return;
  }
  state[tile] |= touched_before;
  touched.push_back(tile);
  next.push_back(tile);
}

SoupBoard::SoupBoard(const Rule& rule, std::int64_t strips)
    : rule_{rule.birth(), rule.survival()},
      plane_(StripPlane::around(Box{0, 0, strips * strip_columns, strips * strip_columns})),
      sweep_(SoupSweep::choose(rule_)) {
  plane_.corner = {-plane_.columns / 2, -plane_.rows / 2};
  const auto words = static_cast<std::size_t>(strips * plane_.rows);
  for (std::vector<std::uint64_t>& cells : cells_) cells.resize(words + 2 * pad);
  const std::size_t in_strip = static_cast<std::size_t>(plane_.rows / tile_rows), tiles = words / tile_rows;
  tiles_.enlisted.resize(tiles);
  tiles_.state.resize(tiles);
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const std::size_t row = tile % in_strip;
    if (row == 0 || row == in_strip - 1 || tile < in_strip || tile >= tiles - in_strip)
      tiles_.state[tile] = SoupTiles::border;
  }
}

void SoupBoard::clear() {
  for (const std::uint32_t tile : tiles_.touched) {
    for (const std::uint64_t parity : {0, 1})
      std::fill_n(words(parity) + std::size_t{tile} * tile_rows, tile_rows, std::uint64_t{0});
    tiles_.state[tile] = 0;
  }
  tiles_.touched.clear();
  tiles_.next.clear();
  tiles_.overflowed = false;
  again_.clear();
  population_[0] = population_[1] = generation_ = 0;
  if (tiles_.time >= UINT32_MAX / 2) {
    std::fill(tiles_.enlisted.begin(), tiles_.enlisted.end(), 0);
    tiles_.time = 0;
  }
  ++tiles_.time;
}

void SoupBoard::begin(std::span<const Position> cells) {
  clear();
  add(cells);
}

void SoupBoard::enlist_around(std::uint32_t tile) {
  const auto in_strip = static_cast<std::uint32_t>(plane_.rows / tile_rows);
  for (const std::uint32_t column : {tile - in_strip, tile, tile + in_strip}) {
    for (const std::uint32_t near : {column - 1, column, column + 1}) {
      tiles_.enlist(near);
      again_.push_back(near);
    }
  }
}

// The tiles around are computed in the next two generations, after which both states are those of the edited
// world.
void SoupBoard::edit(std::span<const Position> cells, bool alive) {
  const std::uint64_t parity = generation_ % 2;
  std::optional<std::uint32_t> last_tile;
  for (const Position& cell : cells) {
    if (std::max(std::abs(cell.x), std::abs(cell.y)) >= plane_.rows / 2 - 2 * strip_columns) {
      tiles_.overflowed = true;
      return;
    }
    const std::uint64_t bit = plane_.bit_of(cell);
    std::uint64_t& word = words(parity)[plane_.word_of(cell)];
    if (((word & bit) != 0) == alive) continue;
    word ^= bit;
    population_[parity] += alive ? 1 : std::uint64_t(-1);
    const auto tile = static_cast<std::uint32_t>(plane_.word_of(cell) / tile_rows);
    if (last_tile != tile) enlist_around(tile);
    last_tile = tile;
  }
}

void SoupBoard::step() {
  due_.swap(tiles_.next);
  tiles_.next.clear();
  ++tiles_.time;
  const std::uint64_t parity = generation_ % 2;
  population_[1 - parity] += static_cast<std::uint64_t>(
      sweep_({rule_, words(parity), words(1 - parity), plane_.rows, due_, &tiles_}));
  for (const std::uint32_t tile : again_) tiles_.enlist(tile);
  again_.clear();
  ++generation_;
}

std::optional<Box> SoupBoard::bounding_box() const {
  std::int64_t left = INT64_MAX, right = INT64_MIN, top = INT64_MAX, bottom = INT64_MIN;
  for (const std::uint32_t tile : tiles_.touched) {
    const std::uint64_t* const rows = now() + std::size_t{tile} * tile_rows;
    std::uint64_t all = 0;
    for (std::int64_t row = 0; row < tile_rows; ++row) all |= rows[row];
    if (all == 0) continue;
    const Position at = corner(tile);
    left = std::min(left, at.x + std::countr_zero(all));
    right = std::max(right, at.x + 64 - std::countl_zero(all));
    std::int64_t first = 0, last = tile_rows;
    while (rows[first] == 0) ++first;
    while (rows[last - 1] == 0) --last;
    top = std::min(top, at.y + first);
    bottom = std::max(bottom, at.y + last);
  }
  if (left > right) return std::nullopt;
  return Box{left, top, right - left, bottom - top};
}

}  // namespace moorea
