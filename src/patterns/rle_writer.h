// SPDX-License-Identifier: MIT
// Runs of live cells as RLE, whoever has them: grids, whose rows are searched, and trees, which have no rows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "moorea/pattern.h"
#include "patterns/files.h"

namespace moorea::patterns {

class RleWriter {
 public:
  /// Writes comments and the header "x = ..., y = ..." with this size. `facts` are all of a pattern but its
  /// cells, of whose states only the presence matters.
  RleWriter(const Pattern& facts, Size size, Sink& sink);

  /// Adds `length` cells in a state above 0 from column x of row y on. Runs come row by row from left to
  /// right. Letters are "b" and "o" if the facts have no states, and then all states are 1.
  void run(std::int64_t x, std::int64_t y, std::int64_t length, int state = 1);
  void finish();

 private:
  void put(std::int64_t count, std::string_view tag);
  void put_cells(std::int64_t count, int state);
  void end_line();

  Sink& sink_;
  const bool has_states_;
  std::string rule_text_;  // of a rule that was defined in a pattern, written behind the runs
  // Whether there is a letter that has two meanings, "B" or "O", and one that can only be a state
  bool has_ambiguous_letter_ = false, has_state_letter_ = false;
  std::string line_;  // of at most 70 characters
  std::int64_t x_ = 0, y_ = 0;
};

}  // namespace moorea::patterns
