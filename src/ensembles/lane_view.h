// SPDX-License-Identifier: MIT
// Bit-sliced cells of up to 512 worlds, and their conversion to packed cells of single worlds.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "moorea/grid.h"

namespace moorea {

constexpr int max_lanes = 512;

/// A set of lanes: bit i of word j is lane 64 * j + i.
class LaneSet {
 public:
  bool has(int lane) const { return (words_[static_cast<std::size_t>(lane / 64)] >> lane % 64 & 1) != 0; }
  void add(int lane) { words_[static_cast<std::size_t>(lane / 64)] |= std::uint64_t{1} << lane % 64; }
  void remove(int lane) { words_[static_cast<std::size_t>(lane / 64)] &= ~(std::uint64_t{1} << lane % 64); }
  bool empty() const { return words_ == std::array<std::uint64_t, max_lanes / 64>{}; }
  std::vector<int> lanes() const;  ///< in ascending order

  std::uint64_t word(int part) const { return words_[static_cast<std::size_t>(part)]; }
  void set_word(int part, std::uint64_t lanes) { words_[static_cast<std::size_t>(part)] = lanes; }

  static LaneSet first(int lanes);  ///< lanes 0 to `lanes` - 1
  LaneSet without(const LaneSet& others) const;
  friend bool operator==(const LaneSet&, const LaneSet&) = default;

 private:
  std::array<std::uint64_t, max_lanes / 64> words_{};
};

/// Bit-sliced cells: bit i of 64-bit word `part` of a vector is a cell of the world in lane 64 * part + i.
struct LaneView {
  std::uint64_t* cells;  ///< vector of column 0 and row 0
  std::ptrdiff_t row;    ///< 64-bit words from row to row
  int vector;            ///< 64-bit words of a vector
  Size size;

  std::uint64_t* at(std::int64_t x, std::int64_t y) const { return cells + y * row + x * vector; }
};

/// Returns the worlds in these lanes, which are in ascending order.
std::vector<Grid> read_lanes(const LaneView& view, std::span<const int> lanes);

/// Replaces the worlds in these lanes, which are in ascending order, by `worlds` of the same number.
void write_lanes(const LaneView& view, std::span<const int> lanes, std::span<const Grid> worlds);

/// Copies the worlds of a set of lanes between views of one shape.
void copy_lanes(const LaneView& from, const LaneView& to, const LaneSet& lanes);

}  // namespace moorea
