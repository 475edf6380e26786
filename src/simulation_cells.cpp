// SPDX-License-Identifier: MIT
// Reading the cells of a simulation.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "choose/choose.h"
#include "model/bits.h"
#include "model/coordinates.h"
#include "model/memory.h"
#include "moorea/error.h"
#include "moorea/simulation.h"
#include "moorea/support/nine_cells.h"
#include "simulation_access.h"

namespace moorea {
namespace {

void require_raster(const Raster& raster) {
  require_box({raster.x, raster.y, raster.columns, raster.rows}, "a raster");
  if (raster.columns < 1 || raster.rows < 1 || raster.scale < 1 || raster.scale > max_raster_scale) {
    throw Error(
        fmt::format("a raster of {} x {} squares of {} cells: expected at least 1 x 1, of 1 to {} cells",
                    raster.columns, raster.rows, raster.scale, max_raster_scale),
        ErrorKind::usage);
  }
  require_memory(8 * static_cast<double>(raster.columns) * static_cast<double>(raster.rows),
                 fmt::format("a raster of {} x {} squares", raster.columns, raster.rows));
}

// The answer of a board about the squares of a raster that can have live cells; zeros for the others.
template <class Value, class Ask>
std::vector<Value> of_squares(const Raster& raster, const Box& world, const Ask& ask) {
  const std::int64_t scale = raster.scale, x = raster.x - world.x, y = raster.y - world.y;
  const auto squares_until = [&](std::int64_t cells, std::int64_t number) {
    return cells <= 0 ? 0 : std::min((cells + scale - 1) / scale, number);
  };
  const std::int64_t left = x < 0 ? std::min(-x / scale, raster.columns) : 0,
                     top = y < 0 ? std::min(-y / scale, raster.rows) : 0,
                     right = squares_until(world.width - x, raster.columns),
                     bottom = squares_until(world.height - y, raster.rows);
  const std::size_t number = static_cast<std::size_t>(raster.columns * raster.rows);
  if (left >= right || top >= bottom) return std::vector<Value>(number);
  const Raster inside = {raster.x + left * scale, raster.y + top * scale, right - left, bottom - top, scale};
  std::vector<Value> answer = ask(inside);
  if (answer.size() == number) return answer;
  std::vector<Value> squares(number);
  for (std::int64_t j = 0; j < inside.rows; ++j)
    std::copy_n(answer.data() + j * inside.columns, inside.columns,
                squares.data() + (top + j) * raster.columns + left);
  return squares;
}

// Calls visit for the live cells of row y, of which the first cell has the position `at`.
void visit_row(const Grid& cells, std::int64_t y, Position at, const std::function<void(Position)>& visit) {
  for (std::int64_t j = 0; j < cells.words_per_row(); ++j) {
    for (std::uint64_t word = cells.row(y)[j]; word != 0; word &= word - 1)
      visit({at.x + 64 * j + std::countr_zero(word), at.y});
  }
}

}  // namespace

Grid Simulation::window(const Box& box) const {
  require_box(box, "a window");
  return SimulationAccess::board(*this).window(box);
}

Cells Simulation::states(const Box& box) const {
  require_box(box, "a window");
  return SimulationAccess::board(*this).states(box);
}

void Simulation::read(const Box& box, const GridView& to) const {
  require_box(box, "a window");
  if (to.size() != box.size() || to.words_per_row < (box.width + 63) / 64) {
    throw Error(fmt::format("a view of {} x {} cells with {} words per row cannot take a window of {} x {}",
                            to.width, to.height, to.words_per_row, box.width, box.height),
                ErrorKind::usage);
  }
  if (!box.empty()) SimulationAccess::board(*this).read(box, to);
}

void Simulation::for_each_live(const Box& box, const std::function<void(Position)>& visit) const {
  require_box(box, "a box");
  constexpr std::int64_t words_at_once = 1 << 16;
  const std::vector<Box> parts = SimulationAccess::board(*this).live_boxes(intersect(box, this->box()));
  // Parts with the same rows are visited together, row by row
  for (std::size_t first = 0, last = 0; first < parts.size(); first = last) {
    std::int64_t words = 0;
    for (last = first; last < parts.size() && parts[last].y == parts[first].y; ++last)
      words += words_for(parts[last].width);
    const std::int64_t rows = std::max<std::int64_t>(1, words_at_once / std::max<std::int64_t>(1, words));
    for (std::int64_t top = parts[first].y; top < parts[first].bottom(); top += rows) {
      const std::int64_t height = std::min(rows, parts[first].bottom() - top);
      std::vector<Grid> grids;
      for (std::size_t i = first; i < last; ++i)
        grids.push_back(window({parts[i].x, top, parts[i].width, height}));
      for (std::int64_t y = 0; y < height; ++y) {
        for (std::size_t i = first; i < last; ++i)
          visit_row(grids[i - first], y, {parts[i].x, top + y}, visit);
      }
    }
  }
}

std::vector<std::uint32_t> Simulation::density(const Raster& raster) const {
  require_raster(raster);
  return of_squares<std::uint32_t>(
      raster, box(), [&](const Raster& inside) { return SimulationAccess::board(*this).density(inside); });
}

std::vector<std::uint8_t> Simulation::levels(const Raster& raster,
                                             std::span<const std::uint32_t> limits) const {
  constexpr std::size_t max_limits = 255;
  require_raster(raster);
  if (limits.size() > max_limits || !std::is_sorted(limits.begin(), limits.end()) ||
      (!limits.empty() && limits.front() == 0)) {
    throw Error(fmt::format("{} limits of levels: expected at most {}, from 1 on in rising order",
                            limits.size(), max_limits),
                ErrorKind::usage);
  }
  return of_squares<std::uint8_t>(raster, box(), [&](const Raster& inside) {
    return SimulationAccess::board(*this).levels(inside, limits);
  });
}

DeviceView Simulation::device_cells() const {
  require_nine_cells(rule(), "a view of the cells in a device's memory", ErrorKind::unavailable);
  if (std::optional<DeviceView> view = SimulationAccess::board(*this).device_cells()) {
    view->device = SimulationAccess::choice(*this).device;
    return *view;
  }
  throw Error(
      fmt::format("the cells are not in the memory of a CUDA device (they are on {}); read() copies them",
                  device()),
      ErrorKind::unavailable);
}

Grid Simulation::grid() const { return SimulationAccess::board(*this).window(box()); }

Pattern Simulation::snapshot(bool whole) const {
  Pattern pattern;
  pattern.generation = generation();
  pattern.set_world(world());
  const Size size = box().size();
  const Position centre = {size.width / 2, size.height / 2};
  Box cells = box();
  if (!whole || grows()) {
    // Nothing alive: an empty pattern at the centre
    cells = bounding_box().value_or(grows() ? Box{} : Box{centre.x, centre.y, 0, 0});
  }
  if (rule().states() > 2) pattern.states = states(cells);
  pattern.cells = pattern.states ? pattern.states->live() : window(cells);
  pattern.position = cells.position();
  if (!grows()) pattern.position = cells.position() - centre;
  return pattern;
}

}  // namespace moorea
