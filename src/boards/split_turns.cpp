// SPDX-License-Identifier: MIT
// Turns of a SplitBoard: how long they are, and how many of them are computed.
#include <algorithm>
#include <numeric>
#include <utility>

#include "boards/remembered_cells.h"
#include "boards/split_board.h"

namespace moorea {
namespace {

constexpr std::uint64_t generations_a_look = 4096;  // between two looks at what happens in the world

// Tiles of the boards of parts skip oscillators of these periods in passes of 6 generations, and turns of
// such oscillators repeat if they are a multiple of it: 1, 2, 3, 4, 6 and 12.
constexpr std::uint64_t common_period = 12;

// The periods of nearly all oscillators that noise leaves divide it: also 5, 8, 10, 15, 30.
constexpr std::uint64_t long_period = 120;

constexpr std::uint64_t max_looks_a_copy = 256;  // of a quiet world that does not repeat

}  // namespace

// Call when anything but a turn changes cells.
void SplitBoard::cells_replaced() {
  exact_ = 0;
  repeated_.forget();
  cycle_ = quiet_looks_ = 0;
  next_copy_ = 1;
}

// A busy world has the longest turns, and one most of whose tiles are skipped those in which the usual
// oscillators repeat.
void SplitBoard::choose_turn_length(std::uint64_t generations) {
  since_look_ += generations;
  if (since_look_ < generations_a_look) return;
  since_look_ = 0;
  const std::uint64_t halo = halo_generations();
  const TileCounts now = tile_counts(), before = std::exchange(looked_at_, now);
  const bool is_quiet =
      now.skipped - before.skipped > now.computed - before.computed || repeated_.is_any_repeating();
  if (is_quiet) ++quiet_looks_;
  const std::uint64_t length =
      is_quiet && halo >= common_period ? halo / common_period * common_period : halo;
  if (std::exchange(turn_length_, length) != length) repeated_.forget();
}

// Looks now and then whether a quiet world repeats although parts are busy: with oscillators whose period is
// not that of a turn, not with anything that moves forever. Advances by at most `generations` and returns by
// how many.
std::uint64_t SplitBoard::look_for_cycle(std::uint64_t generations) {
  const std::uint64_t period = std::lcm(long_period, turn_length_);
  if (cycle_ != 0 || quiet_looks_ < next_copy_ || generations < period) return 0;
  next_copy_ = quiet_looks_ + std::min(quiet_looks_, max_looks_a_copy);
  RememberedCells cells;
  if (!cells.copy(*this)) return 0;
  advance_all(period);
  if (cells.are_those_of(*this)) cycle_ = period;
  return period;
}

void SplitBoard::advance(std::uint64_t generations) {
  while (true) {
    if (repeated_.is_world_repeating()) cycle_ = turn_length_;
    if (cycle_ != 0) generations %= cycle_;
    // Without B0 an empty world stays empty
    const bool looks = generations > generations_a_look;
    if (generations == 0) return;
    if (looks && !world_.rule.births_from_nothing() && population() == 0) {
      if (generations % 2 != 0) set_phase(!phase());
      return;
    }
    // Whole turns, as far as there are enough generations: a part that repeats them computes no others
    const std::uint64_t turns = std::max<std::uint64_t>(1, generations_a_look / turn_length_);
    const std::uint64_t now = std::min(generations, exact_ + turns * turn_length_);
    advance_all(now);
    move_if_worth_while(now);
    choose_turn_length(now);
    generations -= now;
    generations -= look_for_cycle(generations);
  }
}

}  // namespace moorea
