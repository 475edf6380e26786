// SPDX-License-Identifier: MIT
// The start of a world of which no rank has all cells.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cli/world.h"
#include "moorea/pattern.h"
#include "moorea/ranks.h"

namespace app {

class RankedStart {
 public:
  /// Reads the header of a bitmap or a checkpoint, which are read by rows, or all of another pattern. Throws
  /// moorea::Error.
  explicit RankedStart(const WorldOptions& options);

  const moorea::WorldSpec& spec() const { return world_->spec(); }
  std::uint64_t generation() const;
  /// Name, author and comments.
  moorea::Pattern about() const;
  moorea::Grid rows(std::int64_t top, std::int64_t rows) const;

 private:
  // A pattern of which any rows can be read, in all of their columns
  struct RowFile {
    moorea::Pattern header;
    moorea::Size size;
    std::function<moorea::Grid(std::int64_t top, std::int64_t rows)> rows;
  };

  static std::optional<RowFile> open(const std::string& path);

  std::unique_ptr<World> world_;
  std::optional<RowFile> file_;
  moorea::Position at_;  // of the file's cells in the world
};

}  // namespace app
