// SPDX-License-Identifier: MIT
#include "census/soup_board.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace moorea {
namespace {

constexpr std::int64_t strip_columns = SoupSquare::strip_columns, tile_rows = SoupSquare::tile_rows;

std::uint64_t spread(std::uint64_t half) {
  half = (half | half << 16) & 0x0000FFFF0000FFFFU;
  half = (half | half << 8) & 0x00FF00FF00FF00FFU;
  half = (half | half << 4) & 0x0F0F0F0F0F0F0F0FU;
  half = (half | half << 2) & 0x3333333333333333U;
  return (half | half << 1) & 0x5555555555555555U;
}

// The lowest bits of a word, up to all.
std::uint64_t low_bits(std::int64_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << std::max<std::int64_t>(count, 0)) - 1;
}

}  // namespace

std::uint64_t interleaved(std::uint32_t even, std::uint32_t odd) { return spread(even) | spread(odd) << 1; }

SoupBoard::SoupBoard(const Rule& rule, std::int64_t size, std::size_t sweep)
    : rule_{rule.birth(), rule.survival()},
      square_{size},
      sweep_(SoupSweep::usable(rule_, square_).at(sweep)) {
  for (std::vector<std::uint64_t>& cells : cells_) cells.resize(static_cast<std::size_t>(square_.words()));
  kept_.resize(cells_[0].size());
  for (SoupTiles* const tiles : {&touched_, &due_, &next_, &again_})
    tiles->resize(static_cast<std::size_t>(square_.strips() * square_.masks()));
  outside_.resize(static_cast<std::size_t>(square_.strips()));
}

template <class Visit>
void SoupBoard::for_each_touched(const Visit& visit) const {
  for_each_tile(touched_, [&](std::int64_t strip, std::int64_t row) {
    visit(square_.even(strip) + row);
    visit(square_.even(strip) + square_.array() + row);
  });
}

void SoupBoard::clear() {
  for_each_touched([&](std::int64_t word) {
    for (std::vector<std::uint64_t>* const all : {&cells_[0], &cells_[1], &kept_})
      std::fill_n(all->data() + word, tile_rows, std::uint64_t{0});
  });
  for (SoupTiles* const tiles : {&touched_, &next_, &again_}) std::ranges::fill(*tiles, std::uint64_t{0});
  population_[0] = population_[1] = generation_ = 0;
}

void SoupBoard::begin(std::span<const Position> cells, const Position& corner) {
  clear();
  corner_ = corner;
  set_inner({corner.x, corner.y, 0, 0});
  add(cells);
}

void SoupBoard::set_inner(const Box& box) {
  const Position first = box.position() - corner_;
  first_tile_ = first.y / tile_rows;
  end_tile_ = (first.y + box.height + tile_rows - 1) / tile_rows;
  const std::int64_t left = first.x / 2, right = (first.x + box.width + 1) / 2;
  inner_ = {corner_.x + 2 * left, corner_.y + first_tile_ * tile_rows, 2 * (right - left),
            (end_tile_ - first_tile_) * tile_rows};
  for (std::int64_t strip = 0; strip < square_.strips(); ++strip) {
    const std::int64_t column = strip * strip_columns / 2;
    outside_[static_cast<std::size_t>(strip)] = low_bits(left - column) | ~low_bits(right - column);
  }
  has_outside_changes_ = true;
}

bool SoupBoard::take_outside_changes() { return std::exchange(has_outside_changes_, false); }

void SoupBoard::add(std::span<const Position> cells) {
  toggle(cells);
  population_[generation_ % 2] += cells.size();
}

void SoupBoard::remove(std::span<const Position> cells) {
  toggle(cells);
  population_[generation_ % 2] -= cells.size();
}

void SoupBoard::toggle(std::span<const Position> cells) {
  std::uint64_t* const now = words(generation_ % 2);
  std::int64_t last_strip = -1, last_tile = -1;
  for (const Position& cell : cells) {
    const Position at = cell - corner_;
    const std::int64_t strip = at.x / strip_columns, tile = at.y / tile_rows;
    now[square_.even(strip) + at.x % 2 * square_.array() + at.y] ^= std::uint64_t{1}
                                                                    << at.x % strip_columns / 2;
    if (strip != last_strip || tile != last_tile) enlist(strip, tile);
    last_strip = strip;
    last_tile = tile;
  }
}

// The tiles around an edited one are computed in the next two generations, after which both states are those
// of the edited world.
void SoupBoard::enlist(std::int64_t strip, std::int64_t tile) {
  const std::int64_t last_strip = std::min(strip + 1, square_.strips() - 1),
                     last_tile = std::min(tile + 1, square_.tiles() - 1);
  for (std::int64_t s = std::max<std::int64_t>(strip - 1, 0); s <= last_strip; ++s) {
    for (std::int64_t t = std::max<std::int64_t>(tile - 1, 0); t <= last_tile; ++t) {
      const auto mask = static_cast<std::size_t>(s * square_.masks() + t / 64);
      for (SoupTiles* const tiles : {&touched_, &next_, &again_})
        (*tiles)[mask] |= std::uint64_t{1} << t % 64;
    }
  }
}

void SoupBoard::advance(std::uint64_t generations, std::vector<std::uint64_t>& populations) {
  const std::size_t first = populations.size();
  if (square_.strips() > 1) populations.resize(first + generations);
  const bool has_changed = sweep_({rule_,
                                   square_,
                                   {words(0), words(1)},
                                   generation_ % 2,
                                   next_.data(),
                                   again_.data(),
                                   touched_.data(),
                                   due_.data(),
                                   outside_.data(),
                                   first_tile_,
                                   end_tile_,
                                   population_,
                                   populations.data() + first},
                                  generations);
  generation_ += generations;
  has_outside_changes_ = has_outside_changes_ || has_changed;
}

bool SoupBoard::is_stable() const {
  return std::ranges::all_of(next_, [](std::uint64_t mask) { return mask == 0; });
}

void SoupBoard::find_near_outside(SoupTiles& tiles) const {
  tiles.assign(touched_.size(), 0);
  const std::uint64_t* const now = words(generation_ % 2);
  const auto mark = [&](std::int64_t strip, std::int64_t tile) {
    for (std::int64_t t = std::max<std::int64_t>(tile - 2, 0); t <= std::min(tile + 2, square_.tiles() - 1);
         ++t)
      tiles[static_cast<std::size_t>(strip * square_.masks() + t / 64)] |= std::uint64_t{1} << t % 64;
  };
  for_each_tile(touched_, [&](std::int64_t strip, std::int64_t row) {
    const std::int64_t tile = row / tile_rows;
    const std::uint64_t columns = tile < first_tile_ || tile >= end_tile_
                                      ? ~std::uint64_t{0}
                                      : outside_[static_cast<std::size_t>(strip)];
    if (columns == 0) return;
    const std::uint64_t* const rows = now + square_.even(strip) + row;
    std::uint64_t any = 0;
    for (std::int64_t y = 0; y < tile_rows; ++y) any |= rows[y] | rows[y + square_.array()];
    if ((any & columns) == 0) return;
    for (std::int64_t s = std::max<std::int64_t>(strip - 1, 0);
         s <= std::min(strip + 1, square_.strips() - 1); ++s)
      mark(s, tile);
  });
}

CellList SoupBoard::cells() const {
  CellList all;
  for_each_row(touched_, [&](const Position& at, std::uint64_t row) {
    for (; row != 0; row &= row - 1) all.push_back(at + Position{std::countr_zero(row), 0});
  });
  return all;
}

void SoupBoard::keep() {
  const std::uint64_t* const now = words(generation_ % 2);
  for_each_touched([&](std::int64_t word) { std::copy_n(now + word, tile_rows, kept_.data() + word); });
}

bool SoupBoard::is_as_kept(std::uint64_t max_differences) const {
  const std::uint64_t* const now = words(generation_ % 2);
  std::uint64_t count = 0;
  for_each_touched([&](std::int64_t first) {
    if (count > max_differences) return;
    for (std::int64_t word = first; word < first + tile_rows; ++word) {
      for (std::uint64_t left = now[word] ^ kept_[static_cast<std::size_t>(word)]; left != 0;
           left &= left - 1)
        ++count;
    }
  });
  return count <= max_differences;
}

}  // namespace moorea
