// SPDX-License-Identifier: MIT
#include "report/svg_colours.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "moorea/picture.h"
#include "report/svg_marks.h"

namespace app {
namespace {

constexpr int scale_steps = 32;

// The colour of a fraction between 0 and 1.
CellColour colour_at(double fraction) {
  static const moorea::Palette viridis = moorea::palette("viridis");
  const double last = static_cast<double>(viridis.size() - 1);
  const auto [red, green, blue] =
      viridis[static_cast<std::size_t>(std::lround(std::clamp(fraction, 0.0, 1.0) * last))];
  return {fmt::format("#{:02x}{:02x}{:02x}", red, green, blue), 0.299 * red + 0.587 * green + 0.114 * blue};
}

}  // namespace

CellColour colour_of_value(double value, double minimum, double maximum) {
  return colour_at(maximum > minimum ? (value - minimum) / (maximum - minimum) : 1);
}

std::string colour_scale(const ScalePlace& place, const std::string& minimum, const std::string& maximum) {
  std::string marks;
  for (int i = 0; i < scale_steps; ++i) {
    marks += fmt::format("<rect fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"16\" height=\"{:.1f}\"/>\n",
                         colour_at((scale_steps - 1 - i) / (scale_steps - 1.0)).text, place.x,
                         place.y + place.height * i / scale_steps, place.height / scale_steps + 0.5);
  }
  return marks + text_mark(place.x + 22, place.y + 10, maximum) +
         text_mark(place.x + 22, place.y + place.height, minimum);
}

}  // namespace app
