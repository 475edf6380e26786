// SPDX-License-Identifier: MIT
// A rasteriser of meshes: perspective, a depth per sample, one light.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "devices/cpu/threads.h"
#include "model/memory.h"
#include "moorea/error.h"
#include "moorea/surface_picture.h"

namespace moorea {
namespace {

using Vector = std::array<double, 3>;

// A level of a picture is the background, or a tone and a shade.
constexpr int tones = 8, shades = 31;
constexpr int samples_per_side = 2;  // of a pixel
constexpr std::uint32_t no_face = 0xFFFFFFFF;
constexpr double distance = 4;  // from the centre to the eye, in radii of the mesh
constexpr double darkest = 0.3;
constexpr std::int64_t max_side = 16384;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Axes of the camera: to the right, upwards, and towards the eye.
struct Axes {
  Vector right, up, towards;
};

Axes axes_of(const Camera& camera) {
  const double a = camera.azimuth * std::numbers::pi / 180, e = camera.elevation * std::numbers::pi / 180;
  Axes axes;
  axes.towards = {std::cos(e) * std::cos(a), std::cos(e) * std::sin(a), std::sin(e)};
  axes.right = {-std::sin(a), std::cos(a), 0};
  axes.up = cross(axes.towards, axes.right);
  return axes;
}

// A corner on the screen: samples from the left and from the top, and the inverse of the distance to the eye,
// which is linear on the screen.
struct Corner {
  double x, y, nearness;
};

// Twice the area of a triangle, positive if its corners follow each other clockwise on the screen.
double area(const Corner& a, const Corner& b, const Corner& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Calls visit(x, y, nearness) for the samples of a triangle in the rows top to bottom - 1.
template <class Visit>
void for_samples(Corner a, Corner b, Corner c, Size size, std::int64_t top, std::int64_t bottom,
                 const Visit& visit) {
  double whole = area(a, b, c);
  if (whole == 0 || !std::isfinite(whole)) return;
  if (whole < 0) {
    std::swap(b, c);
    whole = -whole;
  }
  const auto first = [](double at) { return static_cast<std::int64_t>(std::ceil(at - 0.5)); };
  const std::int64_t left = std::max<std::int64_t>(first(std::min({a.x, b.x, c.x})), 0),
                     right = std::min(first(std::max({a.x, b.x, c.x})), size.width - 1),
                     above = std::max(first(std::min({a.y, b.y, c.y})), top),
                     below = std::min(first(std::max({a.y, b.y, c.y})), bottom - 1);
  for (std::int64_t y = above; y <= below; ++y) {
    for (std::int64_t x = left; x <= right; ++x) {
      const Corner at = {static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5, 0};
      const double u = area(b, c, at), v = area(c, a, at), w = area(a, b, at);
      if (u < 0 || v < 0 || w < 0) continue;
      visit(x, y, (u * a.nearness + v * b.nearness + w * c.nearness) / whole);
    }
  }
}

}  // namespace

SurfacePainter::SurfacePainter(std::shared_ptr<const Mesh> mesh, Size pixels)
    : mesh_(std::move(mesh)), pixels_(pixels) {
  if (mesh_ == nullptr) throw Error("a picture of a surface without a mesh", ErrorKind::usage);
  if (pixels.width < 1 || pixels.height < 1 || pixels.width > max_side || pixels.height > max_side) {
    throw Error(fmt::format("a picture of {} x {} pixels: expected 1 to {} per side", pixels.width,
                            pixels.height, max_side),
                ErrorKind::usage);
  }
  const auto samples = static_cast<double>(pixels.width) * static_cast<double>(pixels.height) *
                       samples_per_side * samples_per_side;
  require_memory(12 * samples + 16 * static_cast<double>(mesh_->points().size()), "a picture of a surface");
  samples_.resize(static_cast<std::size_t>(samples));
  Mesh::Point least = mesh_->points()[mesh_->faces()[0][0]], most = least;
  for (const Mesh::Face& face : mesh_->faces()) {
    for (const std::uint32_t corner : face) {
      if (corner == Mesh::none) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        least[k] = std::min(least[k], mesh_->points()[corner][k]);
        most[k] = std::max(most[k], mesh_->points()[corner][k]);
      }
    }
  }
  for (std::size_t k = 0; k < 3; ++k) centre_[k] = (least[k] + most[k]) / 2;
  radius_ = 0;
  for (const Mesh::Point& point : mesh_->points()) {
    const Vector from = {point[0] - centre_[0], point[1] - centre_[1], point[2] - centre_[2]};
    radius_ = std::max(radius_, static_cast<float>(std::sqrt(dot(from, from))));
  }
  if (radius_ == 0) radius_ = 1;
  look({});
}

// Points in units of the radius, relative to the centre, and their shares of the axes.
std::vector<std::array<float, 4>> SurfacePainter::projected() const {
  const Axes axes = axes_of(camera_);
  const double side = static_cast<double>(std::min(pixels_.width, pixels_.height)) * samples_per_side;
  // A sphere of one radius is seen under an angle whose tangent is this
  const double reach = 1 / std::sqrt(distance * distance - 1);
  const double scale = camera_.zoom * 0.48 * side / reach;
  std::vector<std::array<float, 4>> points(mesh_->points().size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    Vector at{};
    for (std::size_t k = 0; k < 3; ++k) at[k] = (mesh_->points()[i][k] - centre_[k]) / radius_;
    const double depth = distance - dot(at, axes.towards), nearness = 1 / depth;
    points[i] = {static_cast<float>(static_cast<double>(pixels_.width * samples_per_side) / 2 +
                                    scale * dot(at, axes.right) * nearness),
                 static_cast<float>(static_cast<double>(pixels_.height * samples_per_side) / 2 -
                                    scale * dot(at, axes.up) * nearness),
                 static_cast<float>(nearness), 0};
  }
  return points;
}

void SurfacePainter::paint_rows(const std::vector<std::array<float, 4>>& points, std::int64_t top,
                                std::int64_t bottom) {
  const Axes axes = axes_of(camera_);
  // The light stands left of the eye and above it
  Vector light{};
  for (std::size_t k = 0; k < 3; ++k)
    light[k] = 0.8 * axes.towards[k] + 0.45 * axes.up[k] - 0.4 * axes.right[k];
  const double light_length = std::sqrt(dot(light, light));
  const Size size = {pixels_.width * samples_per_side, pixels_.height * samples_per_side};
  std::vector<float> nearest(static_cast<std::size_t>(size.width * (bottom - top)), 0);
  std::fill(samples_.begin() + size.width * top, samples_.begin() + size.width * bottom, Sample{no_face, 0});
  for (std::size_t i = 0; i < mesh_->faces().size(); ++i) {
    const Mesh::Face& face = mesh_->faces()[i];
    const bool quad = face[3] != Mesh::none;
    Corner corners[4];
    double highest = std::numeric_limits<double>::max(), lowest = -highest;
    for (std::size_t k = 0; k < (quad ? 4u : 3u); ++k) {
      const auto& point = points[face[k]];
      corners[k] = {point[0], point[1], point[2]};
      highest = std::min(highest, corners[k].y);
      lowest = std::max(lowest, corners[k].y);
    }
    if (lowest < static_cast<double>(top) || highest > static_cast<double>(bottom)) continue;
    // The normal of a quad is that of its diagonals
    Vector u{}, v{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto at = [&](std::size_t corner) {
        return static_cast<double>(mesh_->points()[face[corner]][k]);
      };
      u[k] = at(2) - at(0);
      v[k] = quad ? at(3) - at(1) : at(2) - at(1);
    }
    const Vector normal = cross(u, v);
    const double length = std::sqrt(dot(normal, normal));
    // Both sides of a surface are lit
    const double lit = length == 0 ? 0 : std::abs(dot(normal, light)) / (length * light_length);
    const Sample sample = {static_cast<std::uint32_t>(i),
                           static_cast<std::uint8_t>(std::lround(lit * (shades - 1)))};
    const auto visit = [&](std::int64_t x, std::int64_t y, double nearness) {
      float& before = nearest[static_cast<std::size_t>((y - top) * size.width + x)];
      if (static_cast<float>(nearness) <= before) return;
      before = static_cast<float>(nearness);
      samples_[static_cast<std::size_t>(y * size.width + x)] = sample;
    };
    for_samples(corners[0], corners[1], corners[2], size, top, bottom, visit);
    if (quad) for_samples(corners[0], corners[2], corners[3], size, top, bottom, visit);
  }
}

void SurfacePainter::look(const Camera& camera) {
  if (!(std::abs(camera.elevation) <= 90) || !(camera.zoom >= 0.1 && camera.zoom <= 10) ||
      !std::isfinite(camera.azimuth)) {
    throw Error(
        fmt::format("a camera at {}, {} degrees with zoom {}: expected an elevation of -90 to 90 and a "
                    "zoom of 0.1 to 10",
                    camera.azimuth, camera.elevation, camera.zoom),
        ErrorKind::usage);
  }
  camera_ = camera;
  const std::vector<std::array<float, 4>> points = projected();
  const std::int64_t rows = pixels_.height * samples_per_side;
  // Several strips per thread, because the middle of a picture has most faces
  const std::int64_t strips = std::min<std::int64_t>(rows, 4 * usable_threads());
  SharedLoop loop({.kind = TileSchedule::Kind::dynamic, .chunk = 1}, strips);
  team(static_cast<int>(std::min<std::int64_t>(strips, usable_threads())), [&](int thread, int threads) {
    loop.run(thread, threads,
             [&](std::int64_t i) { paint_rows(points, rows * i / strips, rows * (i + 1) / strips); });
  });
}

Picture SurfacePainter::draw(const Picture& faces) const {
  require_levels(faces);
  if (faces.width != mesh_->size().width || faces.height != mesh_->size().height) {
    throw Error(fmt::format("levels of {} x {} faces do not fit a mesh of {} x {}", faces.width, faces.height,
                            mesh_->size().width, mesh_->size().height),
                ErrorKind::usage);
  }
  constexpr int samples = samples_per_side * samples_per_side;
  Picture picture{pixels_.width, pixels_.height, {}};
  picture.levels.resize(static_cast<std::size_t>(pixels_.width * pixels_.height));
  for (std::int64_t y = 0; y < pixels_.height; ++y) {
    for (std::int64_t x = 0; x < pixels_.width; ++x) {
      int covered = 0, level = 0, shade = 0;
      for (int k = 0; k < samples; ++k) {
        const std::int64_t row = y * samples_per_side + k / samples_per_side,
                           column = x * samples_per_side + k % samples_per_side;
        const Sample& sample =
            samples_[static_cast<std::size_t>(row * pixels_.width * samples_per_side + column)];
        if (sample.face == no_face) continue;
        ++covered;
        level += faces.levels[sample.face];
        shade += sample.shade;
      }
      if (2 * covered < samples) continue;
      const int tone = (level * (tones - 1) + 127 * covered) / (255 * covered);
      picture.levels[static_cast<std::size_t>(y * pixels_.width + x)] =
          static_cast<std::uint8_t>(1 + tone * shades + (shade + covered / 2) / covered);
    }
  }
  return picture;
}

Palette surface_palette(const Palette& flat) {
  Palette palette;
  palette.fill(flat[0]);
  // A dead face differs from the background, and a level of a few samples from it
  const auto mixed = [](double a, double b, double share) { return a + (b - a) * share; };
  const auto channel = [&](std::uint8_t Colour::*part, int tone, double light) {
    const auto level = static_cast<std::size_t>(tone * 255 / (tones - 1));
    const double dead = mixed(flat[0].*part, 128, 0.5);
    const double colour = mixed(dead, flat[level].*part, std::min(1.0, tone / 3.0));
    return static_cast<std::uint8_t>(std::lround(std::min(255.0, colour * light)));
  };
  for (int tone = 0; tone < tones; ++tone) {
    for (int shade = 0; shade < shades; ++shade) {
      const double light = darkest + (1 - darkest) * shade / (shades - 1);
      palette[static_cast<std::size_t>(1 + tone * shades + shade)] = {channel(&Colour::red, tone, light),
                                                                      channel(&Colour::green, tone, light),
                                                                      channel(&Colour::blue, tone, light)};
    }
  }
  return palette;
}

}  // namespace moorea
