// SPDX-License-Identifier: MIT
#include "moorea/picture.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "model/bits.h"
#include "model/coordinates.h"
#include "model/level_table.h"
#include "model/memory.h"
#include "moorea/byte_cells.h"
#include "moorea/error.h"
#include "pictures/level_curves.h"

namespace moorea {
namespace {

// Returns the minimum number of live cells for a level, by a search from the inverse of the curve; the
// largest number that can be counted for levels that take more.
std::uint32_t min_alive(int level, std::int64_t cells) {
  const std::int64_t most = std::clamp<std::int64_t>(cells, 1, UINT32_MAX);
  const double root = std::max(0.0, (level - 0.5 - dimmest) / (brightest - dimmest));
  const auto about = static_cast<std::int64_t>(root * root * static_cast<double>(cells));
  std::int64_t alive = std::clamp<std::int64_t>(about, 1, most);
  const auto reaches = [&](std::int64_t number) {
    return density_level(static_cast<std::uint32_t>(number), cells) >= level;
  };
  while (alive < most && !reaches(alive)) ++alive;
  while (alive > 1 && reaches(alive - 1)) --alive;
  return static_cast<std::uint32_t>(alive);
}

// Minimum number of live cells of each level from the dimmest on.
std::vector<std::uint32_t> limits_of_levels(std::int64_t cells) {
  std::vector<std::uint32_t> limits;
  for (int level = dimmest; level <= brightest; ++level) limits.push_back(min_alive(level, cells));
  return limits;
}

// Converts the number of limits that a square reaches to its level.
std::vector<std::uint8_t> brightened(std::vector<std::uint8_t> levels) {
  for (std::uint8_t& level : levels) level = static_cast<std::uint8_t>(level == 0 ? 0 : level + dimmest - 1);
  return levels;
}

// The states of a raster's squares, which are cells.
std::vector<std::uint8_t> states_of(const Simulation& simulation, const Raster& raster) {
  const Cells cells = simulation.states({raster.x, raster.y, raster.columns, raster.rows});
  std::vector<std::uint8_t> states(static_cast<std::size_t>(raster.columns * raster.rows));
  unpack_states(cells, {states.data(), raster.columns, 1, raster.columns, raster.rows});
  return states;
}

// Levels of single cells: dying ones fade, the first state after the live one is the brightest.
std::vector<std::uint8_t> levels_of_states(const Simulation& simulation, const Raster& raster) {
  constexpr int first_level = 192, last_level = dimmest;
  std::vector<std::uint8_t> levels = states_of(simulation, raster);
  std::array<std::uint8_t, Rule::max_states> level_of_state{};
  level_of_state[1] = 255;
  const int dying = simulation.rule().states() - 2;
  for (int i = 0; i < dying; ++i)
    level_of_state[static_cast<std::size_t>(i) + 2] =
        static_cast<std::uint8_t>(first_level - i * (first_level - last_level) / std::max(dying - 1, 1));
  for (std::uint8_t& level : levels) level = level_of_state[level];
  return levels;
}

}  // namespace

View fitted(const Box& box, std::int64_t pixels, int zoom) {
  require_box(box, "a view");
  if (pixels < 1 || pixels > max_coordinate) {
    throw Error(fmt::format("a view of {} pixels: expected 1 to 2^60", pixels), ErrorKind::usage);
  }
  const std::int64_t longest = std::max<std::int64_t>({box.width, box.height, 1});
  View view;
  view.raster.x = box.x;
  view.raster.y = box.y;
  view.raster.scale = std::clamp<std::int64_t>((longest + pixels - 1) / pixels, 1, max_far_scale);
  view.raster.columns = std::max<std::int64_t>((box.width + view.raster.scale - 1) / view.raster.scale, 1);
  view.raster.rows = std::max<std::int64_t>((box.height + view.raster.scale - 1) / view.raster.scale, 1);
  if (view.raster.scale == 1)
    view.zoom =
        static_cast<int>(std::clamp<std::int64_t>(pixels / longest, 1, std::clamp(zoom, 1, max_zoom)));
  return view;
}

std::uint8_t density_level(std::uint32_t alive, std::int64_t cells) {
  return alive == 0 ? 0 : level_of(static_cast<double>(alive) / static_cast<double>(cells));
}

std::vector<std::uint8_t> density_levels(std::span<const std::uint32_t> alive, std::int64_t cells) {
  const std::vector<std::uint32_t> limits = limits_of_levels(cells);
  return brightened(LevelTable(limits, cells).levels(alive));
}

Picture draw_density(const Simulation& simulation, const View& view) {
  if (view.raster.scale > max_raster_scale) {
    std::vector<std::uint8_t> levels;
    for (const float part : simulation.fractions(view.raster))
      levels.push_back(part > 0 ? level_of(part) : std::uint8_t{0});
    return enlarged(std::move(levels), view);
  }
  if (simulation.rule().states() > 2 && view.raster.scale == 1)
    return enlarged(levels_of_states(simulation, view.raster), view);
  // (levels() refuses other scales)
  const std::int64_t scale = std::clamp<std::int64_t>(view.raster.scale, 1, max_raster_scale);
  return enlarged(brightened(simulation.levels(view.raster, limits_of_levels(scale * scale))), view);
}

Picture draw_states(const Simulation& simulation, const View& view) {
  if (view.raster.scale != 1)
    throw Error(fmt::format("states in squares of {} cells: expected squares of a cell", view.raster.scale),
                ErrorKind::usage);
  return enlarged(states_of(simulation, view.raster), view);
}

CellHistory::CellHistory(const Box& box) : box_(box) {
  require_box(box, "a history");
  if (box.width < 1 || box.height < 1) throw Error("a history of no cells", ErrorKind::usage);
  require_memory(35 * static_cast<double>(box.width) * static_cast<double>(box.height),
                 fmt::format("the history of {} x {} cells", box.width, box.height));
  ages_.resize(static_cast<std::size_t>(box.width * box.height));
  changes_.resize(ages_.size());
  deaths_.resize(ages_.size());
}

void CellHistory::add(const Simulation& simulation) {
  Grid now = simulation.window(box_);
  for (std::int64_t y = 0; y < box_.height; ++y) {
    std::uint8_t *const ages = ages_.data() + y * box_.width, *const deaths = deaths_.data() + y * box_.width;
    for (std::int64_t x = 0; x < box_.width; ++x) {
      const int since_death = ages[x] > 0 ? 1 : deaths[x] + (deaths[x] > 0 && deaths[x] < longest_history);
      deaths[x] = static_cast<std::uint8_t>(now.alive(x, y) ? 0 : since_death);
      ages[x] = static_cast<std::uint8_t>(now.alive(x, y) * (ages[x] + (ages[x] < longest_history)));
    }
  }
  if (!before_.empty()) {
    for (std::int64_t y = 0; y < box_.height; ++y) {
      for (std::int64_t j = 0; j < now.words_per_row(); ++j) before_.row(y)[j] ^= now.row(y)[j];
    }
    count_flips(before_, 1);
    flips_.push_back(std::move(before_));
    if (flips_.size() > longest_history) {
      count_flips(flips_.front(), -1);
      flips_.pop_front();
    }
  }
  before_ = std::move(now);
}

void CellHistory::count_flips(const Grid& flips, int by) {
  for (std::int64_t y = 0; y < box_.height; ++y) {
    std::uint8_t* changes = changes_.data() + y * box_.width;
    for (std::int64_t x = 0; x < box_.width; ++x)
      changes[x] = static_cast<std::uint8_t>(changes[x] + by * flips.alive(x, y));
  }
}

template <class Level>
Picture CellHistory::draw_squares(const View& view, const Level& level) const {
  const Raster& raster = view.raster;
  require_box({raster.x, raster.y, raster.columns, raster.rows}, "a raster");
  if (raster.scale < 1 || raster.scale > max_raster_scale)
    throw Error(fmt::format("squares of {} cells: expected 1 to {}", raster.scale, max_raster_scale),
                ErrorKind::usage);
  require_memory(static_cast<double>(raster.columns) * static_cast<double>(raster.rows),
                 fmt::format("a raster of {} x {} squares", raster.columns, raster.rows));
  std::vector<std::uint8_t> levels(static_cast<std::size_t>(raster.columns * raster.rows));
  for (std::int64_t j = 0; j < raster.rows; ++j) {
    for (std::int64_t i = 0; i < raster.columns; ++i) {
      const std::int64_t left = raster.x + i * raster.scale - box_.x,
                         top = raster.y + j * raster.scale - box_.y;
      const Box square{std::max<std::int64_t>(left, 0), std::max<std::int64_t>(top, 0),
                       std::min(left + raster.scale, box_.width) - std::max<std::int64_t>(left, 0),
                       std::min(top + raster.scale, box_.height) - std::max<std::int64_t>(top, 0)};
      if (square.width > 0 && square.height > 0) levels[j * raster.columns + i] = level(square);
    }
  }
  return enlarged(std::move(levels), view);
}

Picture CellHistory::draw_age(const View& view) const {
  return draw_squares(view, [&](const Box& square) {
    std::uint8_t maximum = 0;
    for (std::int64_t y = square.y; y < square.y + square.height; ++y) {
      const std::uint8_t* ages = ages_.data() + y * box_.width + square.x;
      maximum = std::max(maximum, *std::max_element(ages, ages + square.width));
    }
    return level_of_age(maximum);
  });
}

Picture CellHistory::draw_trails(const View& view) const {
  return draw_squares(view, [&](const Box& square) {
    std::uint8_t level = 0;
    for (std::int64_t y = square.y; y < square.y + square.height; ++y) {
      const std::uint8_t *const ages = ages_.data() + y * box_.width, *const deaths =
                                                                          deaths_.data() + y * box_.width;
      for (std::int64_t x = square.x; x < square.x + square.width; ++x)
        level = std::max(level, ages[x] > 0 ? level_since_birth(ages[x]) : level_since_death(deaths[x]));
    }
    return level;
  });
}

Picture CellHistory::draw_activity(const View& view) const {
  return draw_squares(view, [&](const Box& square) {
    std::uint64_t sum = 0;
    for (std::int64_t y = square.y; y < square.y + square.height; ++y) {
      const std::uint8_t* changes = changes_.data() + y * box_.width + square.x;
      for (std::int64_t x = 0; x < square.width; ++x) sum += changes[x];
    }
    const double times = static_cast<double>(square.width) * static_cast<double>(square.height) *
                         static_cast<double>(std::max<std::size_t>(flips_.size(), 1));
    return sum == 0 ? std::uint8_t{0} : level_of(static_cast<double>(sum) / times);
  });
}

Picture CellHistory::draw(Colouring colouring, const View& view) const {
  switch (colouring) {
    case Colouring::age:
      return draw_age(view);
    case Colouring::trails:
      return draw_trails(view);
    case Colouring::activity:
      return draw_activity(view);
    case Colouring::cells:
      break;
  }
  Picture picture = draw_age(view);
  for (std::uint8_t& level : picture.levels) level = level > 0 ? 255 : 0;
  return picture;
}

void require_levels(const Picture& picture) {
  const double pixels = static_cast<double>(picture.width) * static_cast<double>(picture.height);
  if (picture.width >= 0 && picture.height >= 0 && static_cast<double>(picture.levels.size()) == pixels)
    return;
  throw Error(fmt::format("a picture of {} x {} pixels with {} levels: expected a level for each pixel",
                          picture.width, picture.height, picture.levels.size()),
              ErrorKind::usage);
}

std::string rgb_bytes(const Picture& picture, const Palette& palette) {
  std::string bytes(picture.levels.size() * 3, '\0');
  char* to = bytes.data();
  for (const std::uint8_t level : picture.levels) {
    const Colour& colour = palette[level];
    *to++ = static_cast<char>(colour.red);
    *to++ = static_cast<char>(colour.green);
    *to++ = static_cast<char>(colour.blue);
  }
  return bytes;
}

}  // namespace moorea
