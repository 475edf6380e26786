// SPDX-License-Identifier: MIT
// Decides which of two kernels computes a world: the busy kernel computes every cell, the quiet kernel skips
// inactive regions and takes longer for the others. A state machine: measure the activity, decide, back off.
#pragma once

#include <algorithm>
#include <cstdint>

namespace moorea {

/// Schedule of the measurements, in units of the board: generations or passes.
struct HandoverTimes {
  std::uint64_t quiet_warm_up;   ///< of the quiet kernel, before its activity is representative
  std::uint64_t first_look;      ///< from then until its first measurement ends
  std::uint64_t quiet_interval;  ///< between two later measurements of the quiet kernel
  std::uint64_t min_stint;       ///< of the busy kernel, until the next measurement; doubled by each
  std::uint64_t max_stint;       ///< measurement that finds the world still busy
  double worth_moving;           ///< the other kernel must cost less than this part of the present one's cost
};

/// Estimated cost of a generation with either kernel, in any common unit.
struct HandoverCosts {
  double quiet, busy;
};

class Handover {
 public:
  enum class Mode { quiet, busy };

  /// A measurement of the quiet kernel.
  enum class Look { none, begins, ends };

  explicit Handover(const HandoverTimes& times, Mode mode = Mode::quiet) : times_(times) { start(mode); }

  Mode mode() const { return mode_; }

  /// The cells were replaced: earlier decisions do not count.
  void start(Mode mode) {
    stint_ = 0;
    set(mode);
  }

  /// Units until the next measurement; 0 if it is due.
  std::uint64_t until_look() const { return left_; }

  /// Called after `units` with the present kernel. The result is for the quiet kernel, whose measurements
  /// take place while it runs.
  Look advance(std::uint64_t units) {
    left_ -= std::min(units, left_);
    if (left_ > 0 || mode_ == Mode::busy) return Look::none;
    if (!warming_up_) return Look::ends;
    begin_look();
    return Look::begins;
  }

  /// The quiet kernel must compute everything once more, because another one computed the cells.
  void warm_up_again() {
    if (mode_ == Mode::quiet) set(mode_);
  }

  /// After a stint of the busy kernel, for boards whose busy kernel cannot be measured: the quiet one is
  /// tried until its first measurement ends.
  void try_quiet() { set(Mode::quiet); }

  bool should_switch(const HandoverCosts& costs) const {
    return mode_ == Mode::quiet ? costs.busy < times_.worth_moving * costs.quiet
                                : costs.quiet < times_.worth_moving * costs.busy;
  }

  /// Either of these follows a measurement: the world is now computed by the other kernel, or still by the
  /// present one.
  void switched() {
    if (mode_ == Mode::busy) stint_ = 0;
    set(mode_ == Mode::busy ? Mode::quiet : Mode::busy);
  }
  void stayed() {
    if (mode_ == Mode::busy) return set(mode_);
    stint_ = 0;
    left_ = times_.quiet_interval;
  }

 private:
  void set(Mode mode) {
    mode_ = mode;
    if (mode == Mode::busy) {
      left_ = stint_ = std::clamp(2 * stint_, times_.min_stint, times_.max_stint);
      return;
    }
    warming_up_ = times_.quiet_warm_up > 0;
    left_ = times_.quiet_warm_up;
    if (!warming_up_) begin_look();
  }

  void begin_look() {
    warming_up_ = false;
    left_ = times_.first_look;
  }

  HandoverTimes times_;
  Mode mode_ = Mode::quiet;
  bool warming_up_ = false;
  std::uint64_t left_ = 0;
  std::uint64_t stint_ = 0;  // of the busy kernel, the last one
};

}  // namespace moorea
