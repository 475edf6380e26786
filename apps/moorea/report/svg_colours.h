// SPDX-License-Identifier: MIT
// Colours of values in heat maps, and their scale.
#pragma once

#include <string>

namespace app {

struct CellColour {
  std::string text;       ///< "#rrggbb"
  double brightness = 0;  ///< 0 to 255
};

/// The colour of a value between a minimum and a maximum, that of the maximum if these are equal. Equal steps
/// look equal, in grey as well.
CellColour colour_of_value(double value, double minimum, double maximum);

/// Left, top and height of a colour scale.
struct ScalePlace {
  double x = 0, y = 0, height = 0;
};

/// A colour scale with the texts of its lower and upper end.
std::string colour_scale(const ScalePlace& place, const std::string& minimum, const std::string& maximum);

}  // namespace app
