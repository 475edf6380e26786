// SPDX-License-Identifier: MIT
// Rows of cells with several states: packed binary digits of the states, and as kernels of such rules have
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernel.h"
#include "model/bits.h"
#include "moorea/rule.h"

namespace moorea {

/// Number of binary digits of the largest state.
int digits_of(int states);

/// A row's cells: words of packed cells for each binary digit of their states.
class StateDigits {
 public:
  StateDigits(std::int64_t width, int states);

  std::uint64_t* digit(std::size_t i) { return words_.data() + i * row_words_; }
  const std::uint64_t* digit(std::size_t i) const { return words_.data() + i * row_words_; }
  std::size_t digits() const { return digits_; }
  std::size_t row_words() const { return row_words_; }

  /// The cells in word j that are not in state 0.
  std::uint64_t live(std::size_t j) const;
  std::span<const std::uint64_t> words() const { return words_; }
  std::span<std::uint64_t> words() { return words_; }

 private:
  std::size_t digits_, row_words_;
  std::vector<std::uint64_t> words_;
};

/// Columns of a row.
struct ColumnRange {
  std::int64_t begin = 0, end = 0;

  bool empty() const { return begin >= end; }
  bool operator==(const ColumnRange&) const = default;
};

/// The form of a kernel's rows, which begin and end with halo columns: as many as cells influence others in a
/// generation.
class StateRowForm {
 public:
  /// `kernel` has a StatesContract.
  StateRowForm(const kernels::Kernel& kernel, std::int64_t width, const Rule& rule);

  /// Bit planes of cells with so many states: the live cells and the digits of ages, of which there are two
  /// less than states; with history and by transitions other than wires, the digits of the states.
  static int planes_of(const Rule& rule) {
    return has_ages(rule) ? 1 + digits_of(rule.states() - 1) : digits_of(rule.states());
  }

  std::int64_t columns() const { return columns_; }
  int planes() const { return planes_; }
  int reach() const { return reach_; }
  /// From the begin of a row to its first column.
  std::ptrdiff_t halo_bytes() const { return reach_ * column_bytes(); }
  /// Of a row with all halo columns, a multiple of 64.
  std::ptrdiff_t row_bytes() const;

  /// Writes the cells to the columns of a row, of which `first` is the first one, or reads them; `live`:
  /// live_columns() of the row.
  void put(const StateDigits& cells, std::byte* first) const;
  void get(const std::byte* first, ColumnRange live, StateDigits& cells) const;

  /// Whether a kernel's call can be for some of a row's columns: the bytes are cells.
  bool has_cells() const { return lanes_ == 1; }

  /// Of columns of the row that have a cell, or an unused bit of their vectors, that is not 0: all columns
  /// from the first one to the last one if the bytes are cells, and otherwise all of the row. `within`, for
  /// bytes that are cells: all others are known to be 0.
  ColumnRange live_columns(const std::byte* first, ColumnRange within) const;
  ColumnRange live_columns(const std::byte* first) const { return live_columns(first, {0, columns_}); }

 private:
  static bool has_ages(const Rule& rule) {
    return !rule.has_history() && (rule.transitions() == nullptr || rule.is_wires());
  }
  std::ptrdiff_t column_bytes() const { return planes_ * vector_bytes_; }
  void put_plane(int plane, const std::uint64_t* packed, std::byte* first) const;
  void get_plane(int plane, const std::byte* first, std::uint64_t* packed) const;

  std::int64_t width_, columns_;
  bool has_ages_;
  int states_, reach_, lanes_, planes_, vector_bytes_;
};

}  // namespace moorea
