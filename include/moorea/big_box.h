// SPDX-License-Identifier: MIT
// Rectangles of cells with coordinates of any size.
#pragma once

#include <optional>

#include "moorea/big_integer.h"
#include "moorea/box.h"

#pragma GCC visibility push(default)
namespace moorea {

/// A rectangle of cells with coordinates of any size: columns `left` to `right` and rows `top` to `bottom`,
/// the last ones included.
struct BigBox {
  BigInteger left, top, right, bottom;

  BigInteger width() const { return right - left + 1; }
  BigInteger height() const { return bottom - top + 1; }
  /// The box, if all its coordinates are within +-max_coordinate.
  std::optional<Box> as_box() const;
};

}  // namespace moorea
#pragma GCC visibility pop
