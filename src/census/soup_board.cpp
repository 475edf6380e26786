// SPDX-License-Identifier: MIT
#include "census/soup_board.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "model/bits.h"

namespace moorea {
namespace {

constexpr std::int64_t strip_columns = SoupSquare::strip_columns, tile_rows = SoupSquare::tile_rows;

// The lowest bits of a word, up to all.
std::uint64_t low_bits(std::int64_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << std::max<std::int64_t>(count, 0)) - 1;
}

}  // namespace

SoupRule::SoupRule(const Rule& rule) : counts(rule.is_life_like()) {
  if (counts) {
    birth = rule.birth();
    survival = rule.survival();
    for (unsigned neighbours = 0; neighbours <= 8; ++neighbours) {
      of_block[neighbours] |= static_cast<std::uint8_t>(birth >> neighbours & 1);
      of_block[neighbours + 1] |= static_cast<std::uint8_t>((survival >> neighbours & 1) << 1);
    }
    return;
  }
  network = std::make_shared<const CellNetwork>(cell_network_for(rule));
#if defined(__x86_64__)
  RuleCode code(rule);
  if (__builtin_cpu_supports("avx2")) avx2 = code_for(VectorUnit::avx2, code);
  if (__builtin_cpu_supports("avx512f")) avx512 = code_for(VectorUnit::avx512, code);
#endif
}

StepNine SoupRule::code_for(VectorUnit unit, RuleCode& code) {
  const std::shared_ptr<const MachineCode> made = code.for_unit(unit).code;
  if (made == nullptr) return nullptr;
  code_[unit == VectorUnit::avx2 ? 0 : 1] = made;
  return reinterpret_cast<StepNine>(const_cast<void*>(made->nine()));
}

SoupBoard::SoupBoard(SoupRule rule, std::int64_t size, SoupSweep::Function sweep)
    : rule_(std::move(rule)),
      square_{size},
      sweep_(sweep != nullptr ? sweep : SoupSweep::usable(rule_).front()),
      memory_(3.0 * static_cast<double>(square_.words()) * sizeof(std::uint64_t), "the square of a soup"),
      words_(reinterpret_cast<std::uint64_t*>(memory_.begin())),
      list_(static_cast<std::size_t>(square_.strips() * square_.tiles())) {
  assert(size % strip_columns == 0 && square_.tiles() % SoupSquare::mask_tiles != 0);
  assert(square_.all_masks() <= UINT16_MAX);
  for (std::int64_t mask = 0; mask < square_.all_masks(); ++mask)
    first_words_.push_back(square_.first_row(square_.strip_of(mask)) + square_.row_of(mask));
  for (SoupTiles* const tiles : {&due_, &touched_, &next_, &outside_columns_, &inner_tiles_})
    tiles->resize(first_words_.size());
}

void SoupBoard::clear(const Position& corner) {
  for_each_word(touched_, [&](std::int64_t word) {
    for (std::uint64_t* const all : {words(0), words(1), kept()})
      std::fill_n(all + word, tile_rows, std::uint64_t{0});
  });
  for (SoupTiles* const tiles : {&due_, &touched_}) std::ranges::fill(*tiles, std::uint64_t{0});
  generation_ = 0;
  corner_ = corner;
  set_inner({corner.x, corner.y, 0, 0});
}

void SoupBoard::begin(std::span<const Position> cells, const Position& corner) {
  clear(corner);
  add(cells);
}

void SoupBoard::begin(std::span<const std::uint64_t> rows, const Position& at, const Position& corner) {
  clear(corner);
  std::uint64_t columns = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    flip(at + Position{0, static_cast<std::int64_t>(i)}, rows[i]);
    columns |= rows[i];
  }
  enlist(at, columns, static_cast<std::int64_t>(rows.size()));
}

void SoupBoard::set_inner(const Box& box) {
  const Position first = box.position() - corner_;
  const std::int64_t first_tile = first.y / tile_rows,
                     end_tile = (first.y + box.height + tile_rows - 1) / tile_rows;
  inner_ = {box.x, corner_.y + first_tile * tile_rows, box.width, (end_tile - first_tile) * tile_rows};
  for (std::int64_t mask = square_.masks(); mask < square_.all_masks() - square_.masks(); ++mask) {
    const auto i = static_cast<std::size_t>(mask);
    const std::int64_t column = square_.strip_of(mask) * strip_columns,
                       tile = square_.row_of(mask) / tile_rows;
    outside_columns_[i] = low_bits(first.x - column) | ~low_bits(first.x + box.width - column);
    inner_tiles_[i] = low_bits(end_tile - tile) & ~low_bits(first_tile - tile);
  }
  has_outside_changes_ = true;
}

bool SoupBoard::take_outside_changes() { return std::exchange(has_outside_changes_, false); }

void SoupBoard::toggle(std::span<const Position> cells) {
  for (const Position& cell : cells) {
    flip(cell, 1);
    enlist(cell, 1, 1);
  }
}

// Changes cells of a row: bit i is i columns from `at`.
void SoupBoard::flip(const Position& at, std::uint64_t row) {
  const Position from = at - corner_;
  const std::int64_t strip = from.x / strip_columns, shift = from.x % strip_columns;
  std::uint64_t* const word = words(generation_ % 2) + square_.first_row(strip) + from.y;
  word[0] ^= row << shift;
  if (shift > 0) word[square_.array()] ^= row >> (strip_columns - shift);
}

// The tiles that edited cells may influence, of these columns and of so many rows from `at` on, are due for
// at least two generations, after which both states are those of the edited world.
void SoupBoard::enlist(const Position& at, std::uint64_t columns, std::int64_t rows) {
  if (columns == 0) return;
  constexpr std::int64_t reach = SoupSweep::batch;
  const Position from = at - corner_;
  const std::int64_t left = from.x + std::countr_zero(columns),
                     right = from.x + strip_columns - 1 - std::countl_zero(columns);
  for (std::int64_t tile = from.y / tile_rows; tile <= (from.y + rows - 1) / tile_rows; ++tile)
    enlist(std::max<std::int64_t>(left - reach, 0) / strip_columns,
           std::min(right + reach, square_.size - 1) / strip_columns, tile);
}

// Those around a tile of some strips.
void SoupBoard::enlist(std::int64_t first_strip, std::int64_t last_strip, std::int64_t tile) {
  // With the tiles above and below, which may be bits of other masks
  const std::uint64_t bits = std::uint64_t{7} << tile % SoupSquare::mask_tiles,
                      last = SoupSquare::bit_of(SoupSquare::mask_tiles - 1);
  for (std::int64_t s = first_strip; s <= last_strip; ++s) {
    const std::int64_t mask = square_.mask_of(s, tile);
    for (SoupTiles* const tiles : {&touched_, &due_}) {
      std::uint64_t* const here = tiles->data() + mask;
      here[0] |= bits & square_.valid_tiles(tile / SoupSquare::mask_tiles);
      if ((bits & 1) != 0 && tile > 0) here[-1] |= last;
      if (bits >> 63 != 0 && tile + 1 < square_.tiles()) here[1] |= SoupSquare::bit_of(0);
    }
  }
}

void SoupBoard::advance(std::uint64_t generations) {
  const bool has_changed = sweep_({rule_,
                                   square_,
                                   {words(0), words(1)},
                                   generation_ % 2,
                                   first_words_.data(),
                                   due_.data(),
                                   touched_.data(),
                                   next_.data(),
                                   list_.data(),
                                   outside_columns_.data(),
                                   inner_tiles_.data()},
                                  generations);
  generation_ += generations;
  has_outside_changes_ = has_outside_changes_ || has_changed;
}

bool SoupBoard::is_stable() const {
  return std::ranges::all_of(due_, [](std::uint64_t mask) { return mask == 0; });
}

void SoupBoard::find_near_outside(SoupTiles& tiles) const {
  tiles.assign(touched_.size(), 0);
  const std::uint64_t* const now = words(generation_ % 2);
  const std::int64_t first = square_.masks(), end = square_.all_masks() - square_.masks();
  for (std::int64_t mask = first; mask < end; ++mask) {
    const auto i = static_cast<std::size_t>(mask);
    const std::uint64_t columns = outside_columns_[i];
    std::uint64_t left = touched_[i] & (columns == 0 ? ~inner_tiles_[i] : ~std::uint64_t{0});
    for (; left != 0; left &= left - 1) {
      const int bit = std::countr_zero(left);
      const std::uint64_t* const rows = now + first_words_[i] + bit * tile_rows;
      const std::uint64_t outside = columns | ((inner_tiles_[i] >> bit & 1) - 1);
      std::uint64_t any = 0;
      for (std::int64_t y = 0; y < tile_rows; ++y) any |= rows[y];
      any &= outside;
      if (any == 0) continue;
      // All other rows are farther than `near` from the second tile above, or below
      static_assert(near == tile_rows + 2);
      const bool is_high = ((rows[0] | rows[1]) & outside) != 0,
                 is_low = ((rows[6] | rows[7]) & outside) != 0;
      const std::int64_t strip = square_.strip_of(mask), tile = square_.row_of(mask) / tile_rows + bit;
      const std::int64_t last_strip =
          std::min(strip + ((any & ~low_bits(strip_columns - near)) != 0 ? 1 : 0), square_.strips() - 1);
      const std::int64_t last_tile = std::min(tile + (is_low ? 2 : 1), square_.tiles() - 1);
      for (std::int64_t s = std::max<std::int64_t>(strip - ((any & low_bits(near)) != 0 ? 1 : 0), 0);
           s <= last_strip; ++s) {
        for (std::int64_t t = std::max<std::int64_t>(tile - (is_high ? 2 : 1), 0); t <= last_tile; ++t)
          tiles[static_cast<std::size_t>(square_.mask_of(s, t))] |= SoupSquare::bit_of(t);
      }
    }
  }
}

CellList SoupBoard::cells() const {
  CellList all;
  for_each_tile(touched_, [&](const Position& at, const std::uint64_t* rows) {
    for (std::int64_t y = 0; y < tile_rows; ++y) {
      for (std::uint64_t row = rows[y]; row != 0; row &= row - 1)
        all.push_back(at + Position{std::countr_zero(row), y});
    }
  });
  return all;
}

std::uint64_t SoupBoard::population() const {
  const std::uint64_t* const now = words(generation_ % 2);
  std::uint64_t count = 0;
  for_each_word(touched_, [&](std::int64_t first) {
    for (std::int64_t word = first; word < first + tile_rows; ++word) count += popcount(now[word]);
  });
  return count;
}

void SoupBoard::keep() {
  const std::uint64_t* const now = words(generation_ % 2);
  for_each_word(touched_, [&](std::int64_t word) { std::copy_n(now + word, tile_rows, kept() + word); });
}

bool SoupBoard::is_as_kept(std::uint64_t max_differences) const {
  const std::uint64_t* const now = words(generation_ % 2);
  std::uint64_t count = 0;
  for_each_word(touched_, [&](std::int64_t first) {
    if (count > max_differences) return;
    std::uint64_t any = 0;  // of nearly all tiles no cell differs
    for (std::int64_t word = first; word < first + tile_rows; ++word) any |= now[word] ^ kept()[word];
    if (any == 0) return;
    for (std::int64_t word = first; word < first + tile_rows; ++word)
      count += popcount(now[word] ^ kept()[word]);
  });
  return count <= max_differences;
}

}  // namespace moorea
