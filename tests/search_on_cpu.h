// SPDX-License-Identifier: MIT
// Planes of Life in place of those in a GPU's memory, for tests of what the host does with them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "devices/gpu_lanes.h"

namespace moorea {

/// Planes of 256 x 256 cells, two to a group.
class SearchOnCpu final : public GpuSearch {
 public:
  static constexpr std::int64_t size = 256;

  explicit SearchOnCpu(std::uint32_t places)
      : now_(places, World(words)), start_(now_), differences_(places) {}

  std::uint32_t places() const override { return static_cast<std::uint32_t>(now_.size()); }
  std::uint32_t worlds_a_group() const override { return 2; }

  void fill(std::span<const std::uint32_t> places, std::span<const std::uint64_t> cells) override {
    for (std::size_t i = 0; i < places.size(); ++i)
      std::copy_n(cells.begin() + static_cast<std::ptrdiff_t>(i * words), words, now_[places[i]].begin());
  }

  std::span<const std::uint16_t> advance(const SearchInterval& interval,
                                         std::span<const std::uint32_t> active,
                                         std::span<const std::uint32_t>,
                                         std::span<const std::uint32_t>) override {
    active_.assign(active.begin(), active.end());
    now_.swap(start_);
    for (std::size_t place = 0; place < now_.size(); ++place) {
      if (active_[place / 2] == 0) continue;
      now_[place] = start_[place];
      for (std::uint32_t g = 0; g < interval.generations; ++g) now_[place] = next(now_[place]);
    }
    return {};
  }

  std::span<const LaneDifference> differences(std::int64_t border) override {
    for (std::size_t place = 0; place < now_.size(); ++place) {
      LaneDifference& difference = differences_[place] = {};
      if (active_[place / 2] == 0) continue;
      for (std::int64_t y = 0; y < size; ++y) {
        for (std::int64_t x = 0; x < size; ++x) {
          if (is_alive(now_[place], x, y) == is_alive(start_[place], x, y)) continue;
          ++difference.cells;
          if (std::min({x, y, size - 1 - x, size - 1 - y}) < border) difference.border ^= cell_hash(x, y);
        }
      }
    }
    return differences_;
  }

  void read(std::span<const std::uint32_t> places, When when,
            std::vector<std::uint64_t>& cells) const override {
    cells.clear();
    for (const std::uint32_t place : places) {
      const World& world = (when == When::now ? now_ : start_)[place];
      cells.insert(cells.end(), world.begin(), world.end());
    }
  }

 private:
  static constexpr std::size_t words = size * size / 64, row_words = size / 64;
  using World = std::vector<std::uint64_t>;

  static bool is_alive(const World& world, std::int64_t x, std::int64_t y) {
    return (world[static_cast<std::size_t>(y) * row_words + static_cast<std::size_t>(x / 64)] >> x % 64 &
            1) != 0;
  }

  // Each word with its eight neighbours, whose numbers are added as binary digits.
  static World next(const World& world) {
    World result(words);
    const auto word = [&](std::size_t y, std::size_t j) {
      return y < size && j < row_words ? world[y * row_words + j] : 0;
    };
    for (std::size_t y = 0; y < size; ++y) {
      for (std::size_t j = 0; j < row_words; ++j) {
        std::uint64_t one = 0, two = 0, four = 0;
        const auto add = [&](std::uint64_t cells) {
          const std::uint64_t carry = one & cells, carry_two = two & carry;
          one ^= cells;
          two ^= carry;
          four |= carry_two;
        };
        for (const std::size_t row : {y - 1, y, y + 1}) {
          const std::uint64_t centre = word(row, j);
          add(centre << 1 | word(row, j - 1) >> 63);
          add(centre >> 1 | word(row, j + 1) << 63);
          if (row != y) add(centre);
        }
        result[y * row_words + j] = two & ~four & (one | word(y, j));
      }
    }
    return result;
  }

  std::vector<World> now_, start_;
  std::vector<std::uint32_t> active_;
  std::vector<LaneDifference> differences_;
};

}  // namespace moorea
