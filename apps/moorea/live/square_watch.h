// SPDX-License-Identifier: MIT
// The history of a view's squares in a world that runs, is edited and taken back in time; and when to look at
// it. Shared by view and serve.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "cli/clock.h"
#include "live/player.h"
#include "live/world_editor.h"
#include "moorea/square_history.h"

namespace app {

class SquareWatch {
 public:
  explicit SquareWatch(const moorea::Raster& raster) : history_(raster) {}

  /// Watches other squares from now on. Those that are in both rasters keep their history.
  void move_to(const moorea::Raster& raster) {
    history_.move_to(raster);
    version_ = 0;
  }

  /// Looks at the present cells, unless they are those of the last look. After a jump in time the history
  /// begins again. Returns whether it looked. Throws moorea::Error as SquareHistory::look() does.
  bool look(const WorldEditor& editor) {
    if (version_ == editor.version()) return false;
    if (jumps_ != editor.jumps()) history_.restart();
    jumps_ = editor.jumps();
    history_.look(editor.simulation());
    version_ = editor.version();
    return true;
  }

  const moorea::SquareHistory& history() const { return history_; }

 private:
  moorea::SquareHistory history_;
  std::uint64_t version_ = 0;  // of the world at the last look; 0 is none
  std::uint64_t jumps_ = 0;
};

/// When to look at a world that runs, besides when it is drawn: after each generation if the player computes
/// one at a time, so that times are exact; otherwise as often as pictures are shown, in a share of the time.
class LookPace {
 public:
  bool is_due(const Player& player) const { return player.exponent() <= 0 || Clock::now() >= next_; }

  /// Notes that a look which began then is complete.
  void looked(Clock::time_point begin) {
    const double pause = std::max(frame_seconds, since(begin) / max_drawing_share);
    next_ = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause));
  }

 private:
  Clock::time_point next_{};
};

}  // namespace app
