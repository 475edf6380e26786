// SPDX-License-Identifier: MIT
#include "trees/team_contest.h"

#include <algorithm>

namespace moorea {
namespace {

constexpr double slice_length = 0.01;  // seconds: many batches, of several levels
constexpr double trials = 0.01;        // of the time: what trials of the slower alternative may cost
constexpr double first_loss = 0.2;     // of a trial's time, before one has been measured
constexpr double min_loss = 0.1;       // of the same, since it also slows what comes after it
constexpr double min_gain = 0.1;       // of a team that is used, for the same reason
constexpr double memory = 0.8;         // weight of what was measured before

}  // namespace

void TeamContest::measured(PhaseKind kind, std::size_t keys, double seconds) {
  Sum& sum = slice_[static_cast<std::size_t>(kind)];
  sum.keys += static_cast<double>(keys);
  sum.seconds += seconds;
  slice_seconds_ += seconds;
  if (slice_seconds_ < slice_length) return;
  record_slice();
  choose();
  slice_ = {};
  slice_seconds_ = between_ = 0;
}

// What the look-ups of the slice cost the caller alone, as far as that has been measured.
double TeamContest::seconds_alone() const {
  double seconds = 0;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    seconds += alone_[kind].keys == 0 ? slice_[kind].seconds
                                      : slice_[kind].keys * alone_[kind].seconds / alone_[kind].keys;
  }
  return seconds * (1 + between_alone_ / phases_alone_);
}

void TeamContest::record_slice() {
  total_ += slice_seconds_;
  if (has_team_) {
    const double ratio = (slice_seconds_ + between_) / seconds_alone();
    // A slow slice counts by half, since something else may have slowed it
    ratio_ = ratio_ == 0 || ratio < ratio_ ? ratio : (ratio_ + ratio) / 2;
  } else {
    phases_alone_ = memory * phases_alone_ + slice_seconds_;
    between_alone_ = memory * between_alone_ + between_;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      alone_[kind].keys = memory * alone_[kind].keys + slice_[kind].keys;
      alone_[kind].seconds = memory * alone_[kind].seconds + slice_[kind].seconds;
    }
  }
  lost_ += has_team_ == team_pays() ? 0 : loss();
}

bool TeamContest::team_pays() const { return ratio_ != 0 && ratio_ < 1 - min_gain; }

// Seconds that a slice of the slower alternative costs more than one of the faster.
double TeamContest::loss() const {
  if (ratio_ == 0) return first_loss * slice_length;
  return slice_length * std::max(ratio_ < 1 ? 1 - ratio_ : 1 - 1 / ratio_, min_loss);
}

void TeamContest::choose() {
  const bool pays = team_pays();
  const bool may_try =
      lost_ + loss() <= trials * total_ && (pays || idle_cpus_() >= threads_ - 1 - (threads_ - 1) / 4);
  has_team_ = pays != may_try;
}

}  // namespace moorea
