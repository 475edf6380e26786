// SPDX-License-Identifier: MIT
// Scales of a picture's axes, and the round numbers marked on them.
#pragma once

#include <vector>

namespace app {

/// Maps values to places, linearly or logarithmically.
struct Scale {
  double low = 0, high = 1;  ///< values
  double from = 0, to = 1;   ///< their places, in pixels
  bool log = false;

  double operator()(double value) const;

  /// Round numbers between low and high: about `about` of them on a linear scale.
  std::vector<double> ticks(int about) const;
};

}  // namespace app
