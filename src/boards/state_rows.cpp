// SPDX-License-Identifier: MIT
#include "boards/state_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <variant>

#include "boards/strided_rows.h"
#include "model/byte_words.h"

namespace moorea {
namespace {

constexpr std::ptrdiff_t block_bytes = 64;  // that are compared at once

bool is_zero(const std::byte* from, std::ptrdiff_t bytes) {
  std::ptrdiff_t at = 0;
  for (std::uint64_t word; at + block_bytes <= bytes; at += block_bytes) {
    std::uint64_t any = 0;
    for (int i = 0; i < 8; ++i) {
      std::memcpy(&word, from + at + 8 * i, sizeof word);
      any |= word;
    }
    if (any != 0) return false;
  }
  return std::all_of(from + at, from + bytes, [](std::byte byte) { return byte == std::byte{}; });
}

}  // namespace

int digits_of(int states) { return std::bit_width(static_cast<unsigned>(states) - 1); }

StateDigits::StateDigits(std::int64_t width, int states)
    : digits_(static_cast<std::size_t>(digits_of(states))),
      row_words_(static_cast<std::size_t>(words_for(width))),
      words_(digits_ * row_words_) {}

std::uint64_t StateDigits::live(std::size_t j) const {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < digits_; ++i) any |= digit(i)[j];
  return any;
}

StateRowForm::StateRowForm(const kernels::Kernel& kernel, std::int64_t width, const Rule& rule)
    : width_(width),
      has_ages_(has_ages(rule)),
      states_(rule.states()),
      reach_(rule.reach()),
      lanes_(std::get<kernels::StatesContract>(kernel.contract).lanes) {
  const bool has_planes = kernel.layout == kernels::Layout::planes;
  columns_ = (width + lanes_ - 1) / lanes_;
  // Blocks begin in the same columns of all lanes
  if (has_planes && rule.blocks() != nullptr) columns_ += columns_ % 2;
  planes_ = has_planes ? planes_of(rule) : 1;
  vector_bytes_ = has_planes ? lanes_ / 8 : 1;
}

std::ptrdiff_t StateRowForm::row_bytes() const {
  std::ptrdiff_t bytes = ((columns_ + 2 * reach_) * column_bytes() + 63) / 64 * 64;
  // Rows that lie a multiple of half a page apart would share their places in the first-level cache
  if (bytes % 2048 == 0) bytes += 64;
  return bytes;
}

void StateRowForm::put_plane(int plane, const std::uint64_t* packed, std::byte* first) const {
  std::vector<std::uint64_t> vectors(static_cast<std::size_t>(columns_ * lanes_ / 64));
  to_strided(packed, width_, vectors.data(), columns_, lanes_);
  const auto* from = reinterpret_cast<const std::byte*>(vectors.data());
  for (std::int64_t j = 0; j < columns_; ++j)
    std::memcpy(first + j * column_bytes() + plane * vector_bytes_, from + j * vector_bytes_,
                static_cast<std::size_t>(vector_bytes_));
}

void StateRowForm::get_plane(int plane, const std::byte* first, std::uint64_t* packed) const {
  std::vector<std::uint64_t> vectors(static_cast<std::size_t>(columns_ * lanes_ / 64));
  auto* const to = reinterpret_cast<std::byte*>(vectors.data());
  for (std::int64_t j = 0; j < columns_; ++j)
    std::memcpy(to + j * vector_bytes_, first + j * column_bytes() + plane * vector_bytes_,
                static_cast<std::size_t>(vector_bytes_));
  from_strided(vectors.data(), columns_, lanes_, packed, width_);
}

// Digits as they are, or the live cells and the ages of dying ones, which are their states less 1.
void StateRowForm::put(const StateDigits& cells, std::byte* first) const {
  if (has_cells()) {
    for (std::size_t j = 0; j < cells.row_words(); ++j) {
      StateWord word{};
      for (std::size_t i = 0; i < cells.digits(); ++i) word[i] = cells.digit(i)[j];
      const auto x = static_cast<std::int64_t>(64 * j), number = std::min<std::int64_t>(width_ - x, 64);
      std::byte* const to = first + x;
      if (cells.live(j) == 0)
        std::fill_n(to, number, std::byte{});
      else
        unpack_states_of(word, cells.digits(), reinterpret_cast<std::uint8_t*>(to), number, 1);
    }
    return;
  }
  if (!has_ages_) {
    for (std::size_t i = 0; i < cells.digits(); ++i) put_plane(static_cast<int>(i), cells.digit(i), first);
    return;
  }
  StateDigits ages(width_, states_ - 1);
  std::vector<std::uint64_t> alive(cells.row_words());
  for (std::size_t j = 0; j < alive.size(); ++j) {
    std::uint64_t dying = 0;
    for (std::size_t i = 1; i < cells.digits(); ++i) dying |= cells.digit(i)[j];
    alive[j] = cells.digit(0)[j] & ~dying;
    std::uint64_t borrow = dying;
    for (std::size_t i = 0; i < ages.digits(); ++i) {
      const std::uint64_t digit = cells.digit(i)[j];
      ages.digit(i)[j] = (digit ^ borrow) & dying;
      borrow &= ~digit;
    }
  }
  put_plane(0, alive.data(), first);
  for (std::size_t i = 0; i < ages.digits(); ++i) put_plane(static_cast<int>(i) + 1, ages.digit(i), first);
}

void StateRowForm::get(const std::byte* first, ColumnRange live, StateDigits& cells) const {
  if (has_cells()) {
    std::ranges::fill(cells.words(), 0);
    for (std::int64_t x = live.begin / 64 * 64; x < live.end; x += 64) {
      const StateWord word = packed_states(reinterpret_cast<const std::uint8_t*>(first + x),
                                           std::min<std::int64_t>(width_ - x, 64), 1, cells.digits());
      for (std::size_t i = 0; i < cells.digits(); ++i) cells.digit(i)[x / 64] = word[i];
    }
    return;
  }
  if (!has_ages_) {
    for (std::size_t i = 0; i < cells.digits(); ++i) get_plane(static_cast<int>(i), first, cells.digit(i));
    return;
  }
  StateDigits ages(width_, states_ - 1);
  std::vector<std::uint64_t> alive(cells.row_words());
  get_plane(0, first, alive.data());
  for (std::size_t i = 0; i < ages.digits(); ++i) get_plane(static_cast<int>(i) + 1, first, ages.digit(i));
  for (std::size_t j = 0; j < alive.size(); ++j) {
    std::uint64_t carry = alive[j] | ages.live(j);
    for (std::size_t i = 0; i < cells.digits(); ++i) {
      const std::uint64_t digit = i < ages.digits() ? ages.digit(i)[j] : 0;
      cells.digit(i)[j] = digit ^ carry;
      carry &= digit;
    }
  }
}

ColumnRange StateRowForm::live_columns(const std::byte* first, ColumnRange within) const {
  if (!has_cells())
    return is_zero(first, columns_ * column_bytes()) ? ColumnRange{} : ColumnRange{0, columns_};
  auto [begin, end] = within;
  while (end - begin >= block_bytes && is_zero(first + begin, block_bytes)) begin += block_bytes;
  while (begin < end && first[begin] == std::byte{}) ++begin;
  while (end - begin >= block_bytes && is_zero(first + end - block_bytes, block_bytes)) end -= block_bytes;
  while (begin < end && first[end - 1] == std::byte{}) --end;
  return begin < end ? ColumnRange{begin, end} : ColumnRange{};
}

}  // namespace moorea
