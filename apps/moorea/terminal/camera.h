// SPDX-License-Identifier: MIT
// The part of a world that a screen shows: a point in its middle and a zoom.
#pragma once

#include <cstdint>
#include <string>

#include "moorea/grid.h"
#include "moorea/picture.h"

namespace app {

/// Size of a picture in dots.
struct DotCount {
  std::int64_t across = 0, down = 0;
};

class Camera {
 public:
  /// Zoom as an exponent of two: 3 is eight cells per dot, -1 two dots per cell.
  static constexpr int closest = -3, farthest = 48;

  /// Shows a whole box, as large as possible.
  void fit(const moorea::Box& box, DotCount dots);
  void move_to_middle_of(const moorea::Box& box);
  void zoom(int by);
  /// Moves by parts of the picture.
  void pan(double right, double down, DotCount dots);

  moorea::View view(DotCount dots) const;

  /// The zoom as cells per dot, "1:8", or dots per cell, "2:1".
  std::string text() const;

 private:
  double cells(std::int64_t dots) const;

  double x_ = 0, y_ = 0;
  int zoom_ = 0;
};

}  // namespace app
