// SPDX-License-Identifier: MIT
// Rows of a sweep as a table on standard output.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lab/combinations.h"
#include "lab/configuration.h"

namespace app {

class SweepTable {
 public:
  /// Prints the head, with the values that all rows share in a line above it. The selection must outlive the
  /// table.
  SweepTable(const Selection& selection, const std::vector<Configuration>& configurations);

  /// Prints a row when it is measured.
  void add(const Json& row) const;

 private:
  const Axes& axes_;
  std::string relative_;  // head of the column of relative speeds; empty: there is none
  std::size_t name_width_ = 24;
  bool any_cuda_ = false, shows_rule_ = false, shows_topology_ = false, shows_mesh_ = false,
       shows_start_ = false, shows_parts_ = false;
};

}  // namespace app
