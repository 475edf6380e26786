// SPDX-License-Identifier: MIT
// Cells of several states as bit planes, so that crops, pastes and hashes are those of grids; states are
// examined 64 cells at a time.
#include "moorea/cells.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "model/bits.h"
#include "model/byte_words.h"
#include "model/coordinates.h"
#include "model/hash.h"
#include "model/memory.h"
#include "model/philox.h"
#include "moorea/error.h"
#include "moorea/rule.h"

namespace moorea {
namespace {

std::size_t planes_for(int states) {
  if (states < 2 || states > Rule::max_states) {
    throw Error(fmt::format("cells of {} states: expected 2 to {} states", states, Rule::max_states),
                ErrorKind::usage);
  }
  return static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(states - 1)));
}

// Throws Error (memory) if so many planes, each of which would fit alone, do not fit together.
void require_planes(std::size_t count, std::int64_t width, std::int64_t height) {
  if (width <= 0 || height <= 0) return;
  const double bytes = static_cast<double>(count) * grid_bytes(width, height);
  if (bytes > 1 << 20) {
    require_memory(bytes, fmt::format("a world of {} x {} cells in {} bit planes", width, height, count));
  }
}

// Adds the cells of `word` that are in `part` to the counts of the states whose digits above `digit` are
// those of `state`.
void count_states(std::span<const Grid> planes, std::int64_t y, std::int64_t word, int digit,
                  std::uint64_t part, std::size_t state, std::vector<std::uint64_t>& counts) {
  if (part == 0) return;
  if (digit < 0) {
    counts[state] += popcount(part);
    return;
  }
  const std::uint64_t ones = planes[static_cast<std::size_t>(digit)].row(y)[word];
  count_states(planes, y, word, digit - 1, part & ~ones, state, counts);
  count_states(planes, y, word, digit - 1, part & ones, state | std::size_t{1} << digit, counts);
}

// States of the cells of some words. Groups of four cells have a call of the generator; of fewer words
// compilers make no vectors.
constexpr std::int64_t words_at_once = 2;
using DrawnStates = std::array<std::uint8_t, 64 * words_at_once>;

// The states 1 to `live_states`, below 256, each with equal probability, for cells from a word of row y on.
// The last word of the counters is none of Grid::random's digits.
DrawnStates random_states(std::int64_t word, std::int64_t y, std::uint64_t seed, std::uint64_t live_states) {
  constexpr std::uint32_t for_states = 0x80000000;
  constexpr std::size_t groups = std::tuple_size_v<DrawnStates> / 4;
  std::array<std::array<std::uint32_t, groups>, 4> numbers{};
  for (std::size_t group = 0; group < groups; ++group) {
    numbers[0][group] = static_cast<std::uint32_t>(16 * word) + static_cast<std::uint32_t>(group);
    numbers[1][group] = static_cast<std::uint32_t>(y);
    numbers[2][group] = static_cast<std::uint32_t>(y >> 32);
    numbers[3][group] = for_states;
  }
  philox4x32_10(numbers, {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  DrawnStates states{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t group = 0; group < groups; ++group)
      states[4 * group + i] = static_cast<std::uint8_t>(1 + (numbers[i][group] * live_states >> 32));
  }
  return states;
}

// Bit i is a digit of the i-th of 64 states.
std::uint64_t digit_of(const std::uint8_t* states, std::size_t digit) {
  std::uint64_t bits = 0;
  for (std::size_t byte = 0; byte < 64; byte += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, states + byte, sizeof eight);
    bits |= gathered(eight >> digit & low_byte_bits) << byte;
  }
  return bits;
}

}  // namespace

Cells::Cells(std::int64_t width, std::int64_t height, int states) : states_(states), planes_() {
  const std::size_t count = planes_for(states);
  require_planes(count, width, height);
  for (std::size_t digit = 0; digit < count; ++digit) planes_.emplace_back(width, height);
}

Cells::Cells(Grid live, int states) : states_(states), planes_() {
  const std::size_t count = planes_for(states);
  const std::int64_t width = live.width(), height = live.height();
  require_planes(count - 1, width, height);
  planes_.push_back(std::move(live));
  for (std::size_t digit = 1; digit < count; ++digit) planes_.emplace_back(width, height);
}

Cells Cells::random(std::int64_t width, std::int64_t height, double density, std::uint64_t seed, int states) {
  Cells cells(Grid::random(width, height, density, seed), states);
  if (states == 2) return cells;
  const auto live_states = static_cast<std::uint64_t>(states - 1);
  for (std::int64_t y = 0; y < height; ++y) {
    const std::int64_t words = cells.planes_[0].words_per_row();
    for (std::int64_t first = 0; first < words; first += words_at_once) {
      const DrawnStates drawn = random_states(first, y, seed, live_states);
      for (std::int64_t word = first; word < std::min(first + words_at_once, words); ++word) {
        const std::uint64_t live = cells.planes_[0].row(y)[word];
        for (std::size_t digit = 0; digit < cells.planes_.size(); ++digit)
          cells.planes_[digit].row(y)[word] = live & digit_of(drawn.data() + 64 * (word - first), digit);
      }
    }
  }
  return cells;
}

int Cells::state(std::int64_t x, std::int64_t y) const {
  int state = 0;
  for (std::size_t digit = 0; digit < planes_.size(); ++digit) state |= planes_[digit].alive(x, y) << digit;
  return state;
}

void Cells::set(std::int64_t x, std::int64_t y, int state) {
  if (state < 0 || state >= states_) {
    throw Error(fmt::format("state {} of cells of {} states: expected 0 to {}", state, states_, states_ - 1),
                ErrorKind::usage);
  }
  for (std::size_t digit = 0; digit < planes_.size(); ++digit)
    planes_[digit].set(x, y, (state >> digit & 1) != 0);
}

Grid Cells::live() const {
  if (planes_.empty()) return {};
  Grid live = planes_[0];
  for (std::size_t digit = 1; digit < planes_.size(); ++digit)
    live.paste(planes_[digit], {0, 0}, PasteMode::bitwise_or);
  return live;
}

int Cells::largest_state() const {
  int largest = 0;
  if (empty()) return largest;
  for (std::int64_t y = 0; y < height(); ++y) {
    for (std::int64_t word = 0; word < planes_[0].words_per_row(); ++word) {
      std::uint64_t candidates = ~std::uint64_t{0};  // cells whose digits so far are the largest
      int state = 0;
      for (int digit = planes() - 1; digit >= 0; --digit) {
        const std::uint64_t ones = candidates & plane(digit).row(y)[word];
        if (ones == 0) continue;
        candidates = ones;
        state |= 1 << digit;
      }
      largest = std::max(largest, state);
    }
  }
  return largest;
}

std::vector<std::uint64_t> Cells::census() const {
  // A count for each number that the planes have digits for
  std::vector<std::uint64_t> counts(std::size_t{1} << planes_.size());
  if (!empty()) {
    const std::int64_t words = planes_[0].words_per_row();
    for (std::int64_t y = 0; y < height(); ++y) {
      for (std::int64_t word = 0; word < words; ++word) {
        const std::uint64_t part = word + 1 == words ? tail_mask(width()) : ~std::uint64_t{0};
        count_states(planes_, y, word, planes() - 1, part, 0, counts);
      }
    }
  }
  counts.resize(static_cast<std::size_t>(states_));
  return counts;
}

std::uint64_t Cells::hash(Position origin) const {
  require_coordinates(origin.x, origin.y, "a hash of cells");
  std::uint64_t sum = 0;
  for (std::size_t digit = 0; digit < planes_.size(); ++digit)
    sum = hash_add(sum, hash_multiply(planes_[digit].hash(origin), std::uint64_t{1} << digit));
  return sum;
}

Cells Cells::crop(const Box& box) const {
  require_box(box, "a box");
  Cells result(box.width, box.height, states_);
  result.paste(*this, -box.position());
  return result;
}

void Cells::paste(const Cells& source, Position at) {
  require_coordinates(at.x, at.y, "cells");
  if (source.states_ > states_) {
    const int largest = source.largest_state();
    if (largest >= states_) {
      throw Error(fmt::format("cells in state {} cannot be pasted into cells of {} states, 0 to {}", largest,
                              states_, states_ - 1),
                  ErrorKind::usage);
    }
  }
  if (source.empty()) return;
  if (&source == this) return paste(Cells(source), at);
  for (std::size_t digit = 0; digit < planes_.size(); ++digit) {
    if (digit < source.planes_.size()) {
      planes_[digit].paste(source.planes_[digit], at);
    } else {  // the source has no such digit: its cells, minus themselves
      planes_[digit].paste(source.planes_[0], at);
      planes_[digit].paste(source.planes_[0], at, PasteMode::bitwise_and_not);
    }
  }
}

}  // namespace moorea
