// SPDX-License-Identifier: MIT
// The start of a world of which no rank has all cells.
#pragma once

#include <memory>
#include <optional>

#include "cli/world.h"
#include "moorea/ranks.h"
#include "moorea/support/bitmap_file.h"

namespace app {

class RankedStart {
 public:
  /// Reads the header of a bitmap, which is read by rows, or all of another pattern. Throws moorea::Error.
  explicit RankedStart(const WorldOptions& options);

  const moorea::WorldSpec& spec() const { return world_->spec(); }
  std::uint64_t generation() const;
  moorea::Grid rows(std::int64_t top, std::int64_t rows) const;

 private:
  std::unique_ptr<World> world_;
  std::optional<moorea::BitmapReader> bitmap_;
  moorea::Position at_;  // of the bitmap in the world
};

}  // namespace app
