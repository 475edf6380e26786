// SPDX-License-Identifier: MIT
// Whether a team of threads pays for HashLife. A team takes larger batches and moves nodes between the caches
// of cores, which slows the phases of the caller alone too, so that a phase's own duration does not tell.
// Slices of time are compared instead: one with teams, with what its look-ups cost the caller alone.
#pragma once

#include <array>
#include <cstddef>

#include "devices/cpu/threads.h"

namespace moorea {

enum class PhaseKind { early, late, finish, base };

class TeamContest {
 public:
  /// `idle_cpus` returns the number of idle CPUs; a team of `threads` is tried only if they are enough.
  explicit TeamContest(int threads, int (*idle_cpus)() = detail::idle_cpus)
      : threads_(threads), idle_cpus_(idle_cpus) {}

  /// Whether phases may use a team now, and queues large batches.
  bool has_team() const { return has_team_; }

  /// Records time between two phases: evaluation of smaller ones, of which none takes long.
  void passed(double seconds) { between_ += seconds < longest_between ? seconds : 0; }

  /// Records a phase of `keys` look-ups.
  void measured(PhaseKind kind, std::size_t keys, double seconds);

 private:
  struct Sum {
    double keys = 0, seconds = 0;
  };
  static constexpr std::size_t kinds = 4;
  static constexpr double longest_between = 0.001;  // seconds: what takes longer is growth or a collection

  void record_slice();
  void choose();
  double seconds_alone() const;
  bool team_pays() const;
  double loss() const;

  int threads_;
  int (*idle_cpus_)();
  bool has_team_ = false;
  std::array<Sum, kinds> slice_ = {}, alone_ = {};
  double slice_seconds_ = 0, between_ = 0;       // in phases, and between them
  double phases_alone_ = 0, between_alone_ = 0;  // the same of the caller alone
  double ratio_ = 0;                             // of a team's time to that of the caller alone; 0: not known
  double total_ = 0, lost_ = 0;                  // seconds of all slices, and what trials have cost
};

}  // namespace moorea
