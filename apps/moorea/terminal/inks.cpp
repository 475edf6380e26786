// SPDX-License-Identifier: MIT
#include "terminal/inks.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace app {
namespace {

constexpr int shade_count = 13;
constexpr short greys[shade_count] = {234, 240, 241, 242, 243, 245, 246, 247, 249, 251, 253, 254, 255};

// The 256 colours of most terminals: 16 that users choose, a cube of 6 x 6 x 6 from 16 on, and 24 greys.
constexpr int cube = 16, first_grey = 232, sides = 6;
constexpr int cube_levels[sides] = {0, 95, 135, 175, 215, 255};

int grey_level(int number) { return 8 + 10 * number; }

int distance(const moorea::Colour& colour, int red, int green, int blue) {
  const int by_red = colour.red - red, by_green = colour.green - green, by_blue = colour.blue - blue;
  return by_red * by_red + by_green * by_green + by_blue * by_blue;
}

int nearest_side(int level) {
  return static_cast<int>(
      std::ranges::min_element(cube_levels, {}, [&](int side) { return std::abs(side - level); }) -
      cube_levels);
}

short nearest_colour(const moorea::Colour& colour) {
  const int red = nearest_side(colour.red), green = nearest_side(colour.green),
            blue = nearest_side(colour.blue);
  const int grey = std::clamp((colour.red + colour.green + colour.blue) / 3 - 3, 0, 235) / 10;
  const int level = grey_level(grey);
  const bool is_grey = distance(colour, level, level, level) <
                       distance(colour, cube_levels[red], cube_levels[green], cube_levels[blue]);
  return static_cast<short>(is_grey ? first_grey + grey : cube + (red * sides + green) * sides + blue);
}

}  // namespace

Inks shades() {
  Inks inks;
  for (int level = 0; level < 256; ++level)
    inks.colour[static_cast<std::size_t>(level)] =
        greys[level == 0 ? 0 : 1 + (level - 1) * (shade_count - 1) / 255];
  return inks;
}

Inks inks_of_levels(const moorea::Palette& palette) {
  Inks inks;
  std::ranges::transform(palette, inks.colour.begin(), nearest_colour);
  return inks;
}

Inks inks_of_states(const moorea::Palette& colours) {
  Inks inks = inks_of_levels(colours);
  inks.are_states = true;
  return inks;
}

}  // namespace app
