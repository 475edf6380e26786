// SPDX-License-Identifier: MIT
// What a world was like: the way back in time, and back from what somebody changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "moorea/pattern.h"
#include "moorea/simulation.h"

namespace app {

/// How a world can be had again: from its cells, or by what it was made of.
using Recipe = std::function<moorea::Simulation(const moorea::Options&)>;

struct Moment {
  Recipe make;
  std::shared_ptr<const moorea::Pattern> cells;  ///< that the recipe holds, if it does
  bool drawn = false;  ///< somebody made it so: it does not follow from the moments before
  /// From there to the next moment nothing follows from this one: what was drawn there is forgotten.
  std::uint64_t gap = no_gap;
  static constexpr std::uint64_t no_gap = UINT64_MAX;
};

/// The bytes of a pattern's cells.
std::size_t bytes_of(const moorea::Pattern& pattern);

/// A moment with the cells themselves. It takes a bit for each of the live cells' box.
Moment moment_of(std::shared_ptr<const moorea::Pattern> cells);
Moment moment_of(const moorea::Simulation& simulation);

/// Moments by their generations. What lies between them follows from the one before, so they can be few:
/// where they and what undo() gives hold more than they may, each second one goes, the youngest last.
class History {
 public:
  explicit History(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// Everything begins here; what was known is forgotten, but not what undo() gives.
  void begin(std::uint64_t generation, Moment moment);

  /// What is so from now on: later moments are none any more.
  void change(std::uint64_t generation, Moment moment);

  /// The same where that cannot be kept.
  void lose(std::uint64_t generation);

  void forget_later(std::uint64_t generation);

  /// A moment on the way, if there is none yet.
  void pass(std::uint64_t generation, Moment moment);

  /// Whether a moment that holds so many bytes can be kept beside others.
  bool has_room(double bytes) const { return bytes <= static_cast<double>(max_bytes_) / 2; }

  /// The last moment from which a generation follows; a later one where what lay between is forgotten.
  std::map<std::uint64_t, Moment>::const_iterator before(std::uint64_t generation) const;
  /// The next moment behind a generation that somebody drew. Behind a gap the world goes another way, and
  /// there is none.
  std::optional<std::uint64_t> next_drawn(std::uint64_t generation);
  std::uint64_t first() const { return moments_.begin()->first; }
  std::uint64_t last() const { return moments_.rbegin()->first; }

  /// The world before somebody changes it: its past goes with it.
  void remember(Moment now, const std::string& name, bool drawn);
  /// A change that is too large for that: nothing before it can be had either.
  void forget_changes() { changes_.clear(); }

  struct Change {
    Moment now;
    std::string name;  ///< of the pattern
    bool drawn;        ///< since the last of the moments
    std::map<std::uint64_t, Moment> past;
  };
  /// What was remembered last; nothing where nothing is left.
  const Change* last_change() const { return changes_.empty() ? nullptr : &changes_.back(); }
  /// Takes its past for what is known now, and forgets it.
  void undo();
  /// Forgets it: the change was none.
  void forget_last_change() { changes_.pop_back(); }

 private:
  std::size_t bytes() const;
  void thin();

  std::size_t max_bytes_;
  std::map<std::uint64_t, Moment> moments_;
  std::deque<Change> changes_;
};

}  // namespace app
