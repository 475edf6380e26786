// SPDX-License-Identifier: MIT
// Worlds that wait for a lane, shared by the threads of a survey.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>

#include "moorea/ensemble.h"

namespace moorea {

class WorldQueue {
 public:
  WorldQueue(const EnsembleSpec& spec, std::uint64_t first) : spec_(spec), next_(first) {}

  struct Range {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };

  /// Index of the group whose worlds are next; the number of groups if none is left.
  std::size_t group() {
    const std::lock_guard lock(guard_);
    find_group();
    return group_;
  }

  /// Removes up to `count` worlds of a group; none if another group is next.
  Range take(std::size_t group, std::uint64_t count) {
    const std::lock_guard lock(guard_);
    find_group();
    if (group != group_ || closed_) return {};
    const Range range{next_, std::min(count, group_first_ + spec_.groups[group_].worlds - next_)};
    next_ += range.count;
    return range;
  }

  /// Leaves no worlds to take.
  void close() {
    const std::lock_guard lock(guard_);
    closed_ = true;
  }

 private:
  // Advances to the group of the next world.
  void find_group() {
    const std::size_t groups = spec_.groups.size();
    while (group_ < groups && next_ >= group_first_ + spec_.groups[group_].worlds) {
      group_first_ += spec_.groups[group_].worlds;
      ++group_;
    }
    if (closed_) group_ = groups;
  }

  const EnsembleSpec& spec_;
  std::mutex guard_;
  std::uint64_t next_;
  std::size_t group_ = 0;
  std::uint64_t group_first_ = 0;  // world
  bool closed_ = false;
};

}  // namespace moorea
