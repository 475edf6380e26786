// SPDX-License-Identifier: MIT
#include "patterns/scenes.h"

#include <cmath>
#include <cstdlib>

#include "model/philox.h"
#include "moorea/bundled.h"
#include "moorea/pattern.h"

namespace moorea::patterns {

namespace {

enum class Shade { none, light, dark };

// Coordinates of the picture: -1 to 1 from left to right and from top to bottom.
struct Point {
  double x, y;
};

bool in_disc(const Point& point, const Point& centre, double radius) {
  return std::hypot(point.x - centre.x, point.y - centre.y) < radius;
}

// Both halves of the face are equal, so the x of a centre is that of the right half.
Shade shade_at(const Point& point) {
  const Point half = {std::abs(point.x), point.y};
  const bool hat = point.y > -0.98 && point.y < -0.62 && half.x < 0.35 * (point.y + 0.98) / 0.36;
  const bool hair = in_disc(half, {0.74, -0.22}, 0.24);
  const bool eye = in_disc(half, {0.26, -0.2}, 0.1);
  const bool nose = in_disc(half, {0, 0.06}, 0.13);
  const bool mouth = in_disc(half, {0, 0.08}, 0.5) && !in_disc(half, {0, 0}, 0.44) && point.y > 0.3;
  if (hat || hair || eye || nose || mouth) return Shade::dark;
  return in_disc(half, {0, 0.06}, 0.72) ? Shade::light : Shade::none;
}

}  // namespace

// Blocks in a lattice of 4 x 4 cells are two cells apart, and a cell between them has at most two live
// neighbours: any of them may be absent.
Grid still_picture(std::int64_t side) {
  constexpr std::int64_t lattice = 4;
  const std::int64_t dots = side / lattice;
  const double scale = 2 / static_cast<double>(dots);
  Grid picture(side, side);
  for (std::int64_t row = 0; row < dots; ++row) {
    for (std::int64_t column = 0; column < dots; ++column) {
      const Shade shade = shade_at(
          {(static_cast<double>(column) + 0.5) * scale - 1, (static_cast<double>(row) + 0.5) * scale - 1});
      if (shade == Shade::none || (shade == Shade::light && (row + column) % 2 != 0)) continue;
      for (std::int64_t i = 0; i < 4; ++i)
        picture.set(lattice * column + 1 + i % 2, lattice * row + 1 + i / 2);
    }
  }
  return picture;
}

std::vector<Grid> swarm(std::int64_t side) {
  constexpr std::uint32_t squares = 61;  // a prime, so that rows of squares hardly ever repeat each other
  constexpr std::int64_t margin = 3;     // ships in adjacent squares do not touch in any phase
  const std::vector<Grid> ships = {bundled_pattern("lightweight-spaceship.rle").cells,
                                   bundled_pattern("middleweight-spaceship.rle").cells,
                                   bundled_pattern("heavyweight-spaceship.rle").cells};
  std::vector<Grid> all;
  for (std::uint32_t i = 0; i < squares; ++i) {
    const auto random = philox4x32_10({i, 0, 0, 0}, {0, 0});
    Grid& square = all.emplace_back(side, side);
    if (random[0] % 4 == 0) continue;
    const Grid& ship = ships[random[1] % ships.size()];
    square.paste(ship, {margin + random[2] % (side - 2 * margin - ship.width() + 1),
                        margin + random[3] % (side - 2 * margin - ship.height() + 1)});
  }
  return all;
}

// The distances were found by a search of all up to 34 columns and 30 rows, for pairs that keep to their
// square and oscillate in the end. An odd number, so that rows of squares do not repeat each other.
std::vector<Grid> diehard_pairs() {
  constexpr Position distances[] = {{7, 9}, {1, 10}, {-9, 1}, {-12, 1}, {3, 13}};
  const Grid diehard = bundled_pattern("diehard.rle").cells;
  std::vector<Grid> pairs;
  for (const Position& distance : distances) {
    Grid& pair = pairs.emplace_back(diehard.width() + std::abs(distance.x), diehard.height() + distance.y);
    const std::int64_t left = distance.x < 0 ? -distance.x : 0;
    pair.paste(diehard, {left, 0}, PasteMode::bitwise_or);
    pair.paste(diehard, {left + distance.x, distance.y}, PasteMode::bitwise_or);
  }
  return pairs;
}

}  // namespace moorea::patterns
