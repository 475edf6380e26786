// SPDX-License-Identifier: MIT
// The pace of a world that somebody watches: steps of 2^k generations in slices of a frame, so that input is
// handled while a long step is under way. Shared by view and serve.
#pragma once

#include <cstdint>
#include <string>

#include "cli/clock.h"
#include "live/rate.h"
#include "live/world_editor.h"

namespace app {

constexpr double frame_seconds = 1.0 / 30;
constexpr double max_drawing_share = 0.1;  // of the time
constexpr double max_paced_share = 0.3;    // while steps are a generation, between which a small world waits

class Player {
 public:
  static constexpr int slowest = -6, fastest = 40;  ///< exponents of the generations per step

  Player(WorldEditor& editor, int exponent);

  /// Where generations end, so that pages have exact numbers and planes coordinates of 64 bits.
  static constexpr std::uint64_t last_generation = std::uint64_t{1} << 53;

  bool playing() const { return playing_; }
  /// Whether steps are doubled while they take less than a frame.
  bool hyperspeed() const { return hyperspeed_; }
  /// Whether generations are left to compute.
  bool busy() const { return left_ > 0 || playing_; }
  int exponent() const { return exponent_; }
  /// Speed while computing.
  double cells_per_second() const { return cell_rate_.per_second(); }
  /// Speed by the clock, drawing and waiting included; 0 if it is not known yet.
  double generations_per_second() const;

  void play();
  void stop();
  /// Sets the generations per step, as a power of two; below 0 a step is one generation every 2^-k frames.
  void set_exponent(int exponent);
  void set_hyperspeed(bool on) { hyperspeed_ = on; }
  /// Computes so many generations and stops.
  void step(std::uint64_t generations);
  /// Computes a step and stops.
  void step_forward() { step(step_length()); }
  /// Goes back in time by a step and stops. Repeated calls add up while the first is under way.
  void step_back();
  /// Goes to a generation, in the past or the future, and stops there.
  void go_to(std::uint64_t generation);

  /// Share of the time that drawing may take.
  double drawing_share() const { return exponent_ <= 0 ? max_paced_share : max_drawing_share; }

  /// Returns the seconds until the next slice of work is due; `idle` if there is none.
  double seconds_until_due(double idle) const;

  /// Computes for about `seconds`, to the end of the step or `maximum` generations at most. Ends early if the
  /// program is interrupted.
  void run(double seconds, std::uint64_t maximum);

 private:
  std::uint64_t step_length() const;
  std::uint64_t generations_to_end() const;
  void restart_rate();
  void keep_checkpoint();

  WorldEditor& editor_;
  std::uint64_t left_ = 0;
  int exponent_;
  bool playing_ = false, hyperspeed_ = false;
  Clock::time_point start_ = Clock::now();
  double computing_seconds_ = 0;
  Rate cell_rate_;        // by computing_seconds_
  Rate generation_rate_;  // by the clock
  int slices_ = 0;        // of the present step
  Clock::time_point last_step_{};
  Clock::time_point next_checkpoint_{};
};

/// The generations per step, for a person.
std::string step_text(const Player& player);

}  // namespace app
