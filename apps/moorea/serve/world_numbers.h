// SPDX-License-Identifier: MIT
// Numbers about the world that cost a pass over its cells. Each is computed when it is needed, once per
// version of the world; the populations form a curve that new clients are sent.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "live/world_editor.h"
#include "moorea/picture.h"

namespace app {

class WorldNumbers {
 public:
  explicit WorldNumbers(const WorldEditor& editor) : editor_(editor) {}

  /// Counts the live cells and adds them to the curve.
  const moorea::BigInteger& count();
  /// The population if it was counted for this version of the world.
  std::optional<moorea::BigInteger> population() const;
  /// Boxes of the live cells; empty if there are none.
  const std::optional<moorea::Framing>& framing();

  /// Drops the part of the curve that an edit at the present generation makes obsolete.
  void truncate();

  /// Populations by generation, every second point dropped whenever there are too many. Any thread.
  /// Numbers beyond 2^53 are rounded.
  using Curve = std::vector<std::pair<std::uint64_t, double>>;
  Curve curve() const;

 private:
  template <class Value>
  struct Measured {
    std::uint64_t version = 0;  // of the world
    Value value{};
  };

  const WorldEditor& editor_;
  Measured<moorea::BigInteger> population_;
  Measured<std::optional<moorea::Framing>> framing_;
  mutable std::mutex mutex_;
  Curve curve_;
};

}  // namespace app
