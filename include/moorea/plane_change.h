// SPDX-License-Identifier: MIT
// Change of how an unbounded plane is advanced: as cells by kernels, or as a tree by HashLife.
#pragma once

#include "moorea/big_integer.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Record of a trial that HashLife or the kernels have won; see docs/unbounded.md.
struct PlaneChange {
  BigInteger generations;  ///< since the plane was created
  bool to_tree = false;    ///< whether HashLife advances it from here on
  double seconds = 0;      ///< of computing until then
  /// Generations per second as cells and as a tree, when they were compared; 0 if they were not, because the
  /// other form could not have the plane.
  double cells_speed = 0, tree_speed = 0;
};

}  // namespace moorea
#pragma GCC visibility pop
