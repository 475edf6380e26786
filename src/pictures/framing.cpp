// SPDX-License-Identifier: MIT
// Box of the main group of cells. A few gliders that left long ago make the bounding box of a world hundreds
// of times larger than their origin, which is then too small to see. Of all boxes of a raster over the live
// cells, the one with the largest number of cells ^ fewer_cells / area is chosen, and its inside is searched
// again with smaller squares until it no longer changes.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "moorea/picture.h"

namespace moorea {
namespace {

constexpr std::int64_t squares = 64;  // per side: there are 4.3 million boxes of so many squares
// 2 % of the cells are left out if that halves the area, 10 % if a 36th of it remains, and at most a fifth of
// them.
constexpr double fewer_cells = 34, min_kept = 0.8;

struct Counts {
  Raster raster;
  std::vector<std::uint64_t> sums;  // over the squares above and left of a corner

  std::uint64_t in(std::int64_t left, std::int64_t top, std::int64_t right, std::int64_t bottom) const {
    return at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
  }
  std::uint64_t at(std::int64_t x, std::int64_t y) const { return sums[y * (raster.columns + 1) + x]; }
};

Counts count(const Simulation& simulation, const Box& box) {
  Counts counts;
  const std::int64_t scale = (std::max(box.width, box.height) + squares - 1) / squares;
  counts.raster = {box.x, box.y, (box.width + scale - 1) / scale, (box.height + scale - 1) / scale, scale};
  const std::vector<std::uint32_t> alive = simulation.density(counts.raster);
  const std::int64_t row = counts.raster.columns + 1;
  counts.sums.resize(static_cast<std::size_t>(row * (counts.raster.rows + 1)));
  for (std::int64_t y = 0; y < counts.raster.rows; ++y) {
    std::uint64_t sum = 0;
    for (std::int64_t x = 0; x < counts.raster.columns; ++x) {
      sum += alive[y * counts.raster.columns + x];
      counts.sums[(y + 1) * row + x + 1] = counts.sums[y * row + x + 1] + sum;
    }
  }
  return counts;
}

// Returns the best box of whole squares with at least `minimum` cells. If a range of rows has too few of
// them, so has any smaller one.
Box best_box(const Counts& counts, double minimum) {
  const auto [x0, y0, columns, rows, scale] = counts.raster;
  Box best;
  double best_worth = -INFINITY;
  for (std::int64_t top = 0; top < rows; ++top) {
    for (std::int64_t bottom = rows;
         bottom > top && static_cast<double>(counts.in(0, top, columns, bottom)) >= minimum; --bottom) {
      for (std::int64_t left = 0; left < columns; ++left) {
        for (std::int64_t right = columns; right > left; --right) {
          const auto alive = static_cast<double>(counts.in(left, top, right, bottom));
          if (alive < minimum) break;
          const auto area = static_cast<double>((right - left) * (bottom - top));
          const double worth = fewer_cells * std::log(alive) - std::log(area);
          if (worth <= best_worth) continue;
          best_worth = worth;
          best = {x0 + left * scale, y0 + top * scale, (right - left) * scale, (bottom - top) * scale};
        }
      }
    }
  }
  return best;
}

}  // namespace

std::optional<Framing> frame_of(const Simulation& simulation) {
  const std::optional<Box> all = simulation.bounding_box();
  if (!all) return std::nullopt;
  Framing framing{*all, *all, 0};
  if (std::max(all->width, all->height) > squares * max_raster_scale) return framing;
  Counts counts = count(simulation, *all);
  const std::uint64_t population = counts.in(0, 0, counts.raster.columns, counts.raster.rows);
  for (;;) {
    const Box best = best_box(counts, std::max(min_kept * static_cast<double>(population), 1.0));
    // Squares may end within a group of cells; the next, smaller ones refine the boundary
    Box next = intersect(best.expanded(counts.raster.scale == 1 ? 0 : counts.raster.scale), framing.box);
    if (next == framing.box) next = intersect(best, framing.box);
    if (next == framing.box) break;
    framing.box = next;
    counts = count(simulation, next);
  }
  framing.left_out = population - counts.in(0, 0, counts.raster.columns, counts.raster.rows);
  return framing;
}

}  // namespace moorea
