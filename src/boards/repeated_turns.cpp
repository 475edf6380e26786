// SPDX-License-Identifier: MIT
#include "boards/repeated_turns.h"

#include <algorithm>
#include <utility>

namespace moorea {
namespace {

constexpr std::uint64_t max_interval = 1024;  // turns between two copies of a part that goes on changing

}  // namespace

void RepeatedTurns::forget() {
  for (Part& part : parts_) part = {};
}

bool RepeatedTurns::is_world_repeating() const { return std::ranges::all_of(parts_, &Part::is_same); }

bool RepeatedTurns::is_any_repeating() const { return std::ranges::any_of(parts_, &Part::repeats); }

bool RepeatedTurns::begin(std::size_t i, std::size_t slot, const BandBoard& band) {
  Part& part = parts_[i];
  const bool repeated = std::exchange(part.repeats, false);
  part.outer[slot] = {repeated, repeated};
  part.is_same = repeated;
  part.may_repeat = false;
  if (part.rows.exist()) {
    part.is_same = part.rows.are_those_of(band);
    part.interval = part.is_same ? 1 : std::min(2 * part.interval, max_interval);
    part.wait = part.interval;
  }
  return repeated;
}

void RepeatedTurns::sent(std::size_t i, std::size_t slot, SentAgain again) {
  Part& part = parts_[i];
  if (std::exchange(part.has_before, true)) part.outer[slot] = again;
}

bool RepeatedTurns::repeats(std::size_t i, std::size_t slot) {
  Part& part = parts_[i];
  const std::size_t count = parts_.size();
  const auto outer = [&](std::size_t of) { return parts_[of % count].outer[slot]; };
  const bool is_halo_same = ((!is_torus_ && i == 0) || outer(i + count - 1).last) &&
                            ((!is_torus_ && i + 1 == count) || outer(i + 1).first);
  part.repeats = is_halo_same && part.is_same;
  part.may_repeat = is_halo_same && outer(i).first && outer(i).last;
  return part.repeats;
}

void RepeatedTurns::remember(std::size_t i, const BandBoard& band) {
  Part& part = parts_[i];
  if (!part.may_repeat || part.repeats) return;
  if (part.wait > 0) {
    --part.wait;
    return;
  }
  if (!part.rows.copy(band)) part.wait = max_interval;
}

}  // namespace moorea
