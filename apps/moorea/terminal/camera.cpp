// SPDX-License-Identifier: MIT
#include "terminal/camera.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace app {

double Camera::cells(std::int64_t dots) const { return static_cast<double>(dots) * std::ldexp(1.0, zoom_); }

void Camera::fit(const moorea::Box& box, DotCount dots) {
  move_to_middle_of(box);
  const auto fits = [&] {
    return static_cast<double>(box.width) <= cells(dots.across) &&
           static_cast<double>(box.height) <= cells(dots.down);
  };
  for (zoom_ = closest; zoom_ < farthest && !fits();) ++zoom_;
}

void Camera::move_to_middle_of(const moorea::Box& box) {
  x_ = static_cast<double>(box.x) + static_cast<double>(box.width) / 2;
  y_ = static_cast<double>(box.y) + static_cast<double>(box.height) / 2;
}

void Camera::zoom(int by) { zoom_ = std::clamp(zoom_ + by, closest, farthest); }

void Camera::pan(double right, double down, DotCount dots) {
  x_ += right * cells(dots.across);
  y_ += down * cells(dots.down);
}

moorea::View Camera::view(DotCount dots) const {
  moorea::View view;
  view.zoom = zoom_ < 0 ? 1 << -zoom_ : 1;
  moorea::Raster& raster = view.raster;
  raster.scale = std::int64_t{1} << std::max(zoom_, 0);
  raster.columns = std::max<std::int64_t>((dots.across + view.zoom - 1) / view.zoom, 1);
  raster.rows = std::max<std::int64_t>((dots.down + view.zoom - 1) / view.zoom, 1);
  // Squares are aligned to multiples of their size: a moved view would change their shades otherwise
  const auto corner = [&](double middle, std::int64_t number) {
    const auto scale = static_cast<double>(raster.scale);
    return static_cast<std::int64_t>(std::floor(middle / scale - static_cast<double>(number) / 2 + 0.5)) *
           raster.scale;
  };
  raster.x = corner(x_, raster.columns);
  raster.y = corner(y_, raster.rows);
  return view;
}

std::string Camera::text() const {
  if (zoom_ >= 20) return fmt::format("1:2^{}", zoom_);
  return zoom_ > 0 ? fmt::format("1:{}", std::int64_t{1} << zoom_) : fmt::format("{}:1", 1 << -zoom_);
}

}  // namespace app
