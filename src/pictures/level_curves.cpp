// SPDX-License-Identifier: MIT
#include "pictures/level_curves.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/memory.h"
#include "moorea/error.h"

namespace moorea {

std::uint8_t level_of(double part) {
  return static_cast<std::uint8_t>(
      std::lround(dimmest + (brightest - dimmest) * std::sqrt(std::min(part, 1.0))));
}

std::uint8_t level_of_age(int age) {
  return age == 0 ? std::uint8_t{0} : level_of(static_cast<double>(age - 1) / (longest_history - 1));
}

Picture enlarged(std::vector<std::uint8_t> levels, const View& view) {
  if (view.zoom < 1 || view.zoom > max_zoom) {
    throw Error(fmt::format("{} pixels per cell: expected 1 to {}", view.zoom, max_zoom), ErrorKind::usage);
  }
  Picture picture;
  picture.width = view.raster.columns * view.zoom;
  picture.height = view.raster.rows * view.zoom;
  require_memory(static_cast<double>(picture.width) * static_cast<double>(picture.height),
                 fmt::format("a picture of {} x {} pixels", picture.width, picture.height));
  if (view.zoom == 1) {
    picture.levels = std::move(levels);
    return picture;
  }
  picture.levels.resize(static_cast<std::size_t>(picture.width * picture.height));
  const auto zoom = static_cast<std::size_t>(view.zoom), width = static_cast<std::size_t>(picture.width);
  for (std::int64_t j = 0; j < view.raster.rows; ++j) {
    const std::uint8_t* from = levels.data() + j * view.raster.columns;
    std::uint8_t* const to = picture.levels.data() + static_cast<std::size_t>(j) * zoom * width;
    for (std::size_t x = 0; x < width; ++x) to[x] = from[x / zoom];
    for (std::size_t y = 1; y < zoom; ++y) std::copy_n(to, width, to + y * width);
  }
  return picture;
}

}  // namespace moorea
