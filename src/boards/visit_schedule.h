// SPDX-License-Identifier: MIT
// Order in which the parts of a world that is out of core advance: a part may have its next turn as soon as
// it and its two neighbours have had the present one, so that threads wait for neighbours and not for the
// world.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

namespace moorea {

/// A turn of a part: it advances by the generations of the turn.
struct Visit {
  std::size_t part = 0;
  std::uint64_t turn = 0;
};

/// Parts 0 to `shared` - 1 are handed out to any thread that asks for work; the others have threads of their
/// own.
class VisitSchedule {
 public:
  /// The parts lie one below the other; on a ring, the last and the first are neighbours.
  VisitSchedule(std::size_t parts, bool is_ring, std::size_t shared);

  std::optional<std::size_t> above(std::size_t part) const;
  std::optional<std::size_t> below(std::size_t part) const;

  /// Starts `turns` more turns of all parts and returns the first one. No thread may be at work.
  std::uint64_t begin(std::uint64_t turns);

  /// The next visit to a shared part, when its neighbours are ready for it; empty if all have been handed out
  /// or a visit has failed.
  std::optional<Visit> next();

  /// Waits until the neighbours are ready for a visit; false if a visit has failed.
  bool wait_for(const Visit& visit);

  void finished(const Visit& visit);

  /// Ends the turns that were begun; keeps the first error.
  void failed(const std::exception_ptr& error);

  /// Throws the first error. No thread may be at work.
  void rethrow();

 private:
  bool is_ready(const Visit& visit) const;

  std::size_t parts_, shared_;
  bool is_ring_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::uint64_t> turns_done_;   // of each part
  std::uint64_t first_ = 0, end_ = 0;       // turns that were begun
  std::uint64_t handed_out_ = 0, all_ = 0;  // visits to shared parts
  std::exception_ptr error_;
};

}  // namespace moorea
