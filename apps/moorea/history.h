// SPDX-License-Identifier: MIT
// What a world was like: the way back in time, and back from what somebody drew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>

#include "moorea/pattern.h"
#include "moorea/simulation.h"

namespace app {

/// How a world can be had again: from its cells, or by what it was made of.
using Recipe = std::function<moorea::Simulation(const moorea::Options&)>;

struct Moment {
  Recipe make;
  std::size_t bytes = 0;  ///< that the recipe holds
  bool drawn = false;     ///< somebody made it so: it does not follow from the moments before
  bool gap = false;       ///< something was drawn behind it that is forgotten
};

/// A moment with the cells themselves. It takes a bit for each of the live cells' box.
Moment moment_of(const moorea::Simulation& simulation);

/// Moments by their generations. What lies between them follows from the one before, so they can be few:
/// where they hold more than they may, each second one goes, the youngest last.
class History {
 public:
  explicit History(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// Everything begins here; what was known is forgotten, but not what undo() gives.
  void begin(std::uint64_t generation, Moment moment);

  /// What is so from now on: later moments are none any more.
  void change(std::uint64_t generation, Moment moment);

  void forget_later(std::uint64_t generation) {
    moments_.erase(moments_.upper_bound(generation), moments_.end());
  }

  /// A moment on the way, if there is none yet.
  void pass(std::uint64_t generation, Moment moment);

  /// Whether pass() would keep a moment that holds so many bytes.
  bool has_room(std::size_t bytes) const { return bytes <= most_bytes_ / 4; }

  /// The last moment from which a generation follows; a later one where what lay between is forgotten.
  std::map<std::uint64_t, Moment>::const_iterator before(std::uint64_t generation) const;
  /// The next moment behind a generation that somebody drew. Behind a gap the world goes another way, and
  /// there is none.
  std::optional<std::uint64_t> next_drawn(std::uint64_t generation);
  std::uint64_t first() const { return moments_.begin()->first; }
  std::uint64_t last() const { return moments_.rbegin()->first; }

  /// The world before somebody changes it.
  void remember(Moment moment);
  /// A change that is too large for that: nothing before it can be had either.
  void forget_changes() { undone_.clear(); }
  bool can_undo() const { return !undone_.empty(); }
  /// Takes the last that was remembered.
  Moment undo();

 private:
  void thin();

  std::size_t most_bytes_;
  std::map<std::uint64_t, Moment> moments_;
  std::deque<Moment> undone_;
};

}  // namespace app
