// SPDX-License-Identifier: MIT
// A loop over the faces or vertices of a mesh, divided among threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <vector>

#include "devices/cpu/threads.h"

namespace moorea {

/// Contiguous parts of 0 to count - 1, as many as threads are worth it.
class Ranges {
 public:
  explicit Ranges(std::size_t count)
      : count_(count),
        parts_(std::clamp<std::size_t>(count / least, 1, static_cast<std::size_t>(usable_threads()))) {}

  std::size_t parts() const { return parts_; }

  /// Calls body(part, first, end) for each part, in parallel. Of exceptions, that of the first part is
  /// thrown.
  template <class Body>
  void run(const Body& body) const {
    std::vector<std::exception_ptr> errors(parts_);
    team(static_cast<int>(parts_), [&](int thread, int threads) {
      const auto team_size = static_cast<std::size_t>(threads);
      for (auto part = static_cast<std::size_t>(thread); part < parts_; part += team_size) {
        try {
          body(part, begin(part), begin(part + 1));
        } catch (...) {
          errors[part] = std::current_exception();
        }
      }
    });
    for (const std::exception_ptr& error : errors)
      if (error) std::rethrow_exception(error);
  }

 private:
  static constexpr std::size_t least = 1 << 14;  // some hundred microseconds

  std::size_t begin(std::size_t part) const { return count_ * part / parts_; }

  std::size_t count_, parts_;
};

}  // namespace moorea
