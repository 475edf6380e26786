// SPDX-License-Identifier: MIT
// Runs of live cells as RLE, whoever has them: grids, whose rows are searched, and trees, which have no rows.
#pragma once

#include <cstdint>
#include <string>

#include "moorea/pattern.h"
#include "patterns/files.h"

namespace moorea::patterns {

class RleWriter {
 public:
  /// Writes comments and the header "x = ..., y = ..." with this size. `facts` are all of a pattern but its
  /// cells.
  RleWriter(const Pattern& facts, Size size, Sink& sink);

  /// Adds `length` live cells from column x of row y on. Runs come row by row from left to right.
  void run(std::int64_t x, std::int64_t y, std::int64_t length);
  void finish();

 private:
  void put(std::int64_t count, char tag);
  void end_line();

  Sink& sink_;
  std::string line_;  // of at most 70 characters
  std::int64_t x_ = 0, y_ = 0;
};

}  // namespace moorea::patterns
