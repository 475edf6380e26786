// SPDX-License-Identifier: MIT
// What runs while somebody watches: steps of 2^k generations, of which some may still be left when a key is
// pressed. Shared by view and serve.
#pragma once

#include <cstdint>

#include "cli/clock.h"
#include "live/rate.h"
#include "moorea/simulation.h"

namespace app {

constexpr double frame_seconds = 1.0 / 30;
constexpr double max_drawing_share = 0.1;  // of the time

class Player {
 public:
  static constexpr int slowest = -6, fastest = 40;  ///< exponents of the generations a step

  Player(moorea::Simulation simulation, int exponent);

  const moorea::Simulation& simulation() const { return simulation_; }
  moorea::Simulation& simulation() { return simulation_; }
  bool playing() const { return playing_; }
  int exponent() const { return exponent_; }
  /// How fast it computes, while it does.
  double cells_per_second() const { return cell_rate_.per_second(); }
  /// How fast the generations come, with all that goes between them; 0 where nobody knows yet.
  double generations_per_second() const;

  /// Another world, which goes on as this one would have.
  void replace(moorea::Simulation simulation);

  void play();
  void stop();
  /// Sets how many generations a step has; below 0 a step is one generation every 2^-k frames.
  void set_exponent(int exponent);
  /// So many generations more, and then it stands still.
  void step(std::uint64_t generations);
  bool busy() const { return left_ > 0 || playing_; }
  /// Generations that are to come whatever happens.
  std::uint64_t left() const { return left_; }

  /// Seconds until there is something to do, `idle` where nothing is: a step is for a frame, or for some, and
  /// may take longer.
  double waits(double idle) const;

  /// Goes on for about so long, or to the end of a step or of `maximum` generations, or until the program is
  /// interrupted.
  void run(double seconds, std::uint64_t maximum);

 private:
  void rest();

  moorea::Simulation simulation_;
  std::uint64_t left_ = 0;
  int exponent_;
  bool playing_ = false;
  Clock::time_point start_ = Clock::now();
  double computing_seconds_ = 0;
  Rate cell_rate_;        // by the time that was computed
  Rate generation_rate_;  // by the time that passed
  Clock::time_point last_step_{};
};

}  // namespace app
