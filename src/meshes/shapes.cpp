// SPDX-License-Identifier: MIT
#include "meshes/shapes.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "meshes/numbering.h"
#include "model/memory.h"
#include "moorea/error.h"
#include "moorea/support/file_names.h"
#include "moorea/support/nearest.h"

namespace moorea {
namespace {

constexpr double tau = 2 * std::numbers::pi;
constexpr const char* shapes =
    "torus:WxH, klein:WxH, moebius:WxH, sphere:N, icosphere:N, double-torus:N, each with :shuffled, or a "
    "file "
    "FILE.obj";

Mesh::Point point(double x, double y, double z) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

// Angle `u` around, `v` across, both in turns; across upwards.
Mesh::Point point_of(Join join, double u, double v) {
  const double a = tau * u, b = tau * v;
  if (join == Join::torus) {
    const double r = 1 + 0.45 * std::cos(b);
    return point(r * std::cos(a), r * std::sin(a), 0.45 * std::sin(b));
  }
  if (join == Join::klein) {
    // An eight that makes half a turn
    const double across = 0.5 * std::sin(b), along = 0.5 * std::sin(2 * b);
    const double c = std::cos(a / 2), s = std::sin(a / 2), r = 1.2 + c * across - s * along;
    return point(r * std::cos(a), r * std::sin(a), s * across + c * along);
  }
  const double across = v - 0.5, r = 1 + 0.8 * across * std::cos(a / 2);
  return point(r * std::cos(a), r * std::sin(a), 0.8 * across * std::sin(a / 2));
}

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(fmt::format("mesh \"{}\": {}", name, why), ErrorKind::usage);
}

// Faces, points and working memory of a mesh of this many faces.
void require_faces(const std::string& name, double faces) {
  if (faces > static_cast<double>(Mesh::max_faces))
    refuse(name, fmt::format("{:.0f} faces; {} at most are supported", faces, Mesh::max_faces));
  require_memory(100 * faces, fmt::format("a mesh of {:.0f} faces", faces));
}

Mesh made(const std::string& name) {
  const std::size_t colon = name.find(':');
  const std::string kind = name.substr(0, colon), rest = colon == name.npos ? "" : name.substr(colon + 1);
  for (const auto& [shape, join] :
       {std::pair("torus", Join::torus), {"klein", Join::klein}, {"moebius", Join::moebius}}) {
    if (kind != shape) continue;
    const std::size_t x = rest.find('x');
    const auto width = whole(std::string_view(rest).substr(0, x)),
               height = x == rest.npos ? std::nullopt : whole(std::string_view(rest).substr(x + 1));
    if (!width || !height)
      refuse(name, fmt::format("expected {}:WIDTHxHEIGHT, such as {}:256x128", kind, kind));
    const std::int64_t least = 3;
    if (*width < least || *height < (join == Join::moebius ? 1 : least))
      refuse(name, "at least 3 faces around are needed: with fewer, faces would touch themselves");
    require_faces(name, static_cast<double>(*width) * static_cast<double>(*height));
    return joined_quads(name, join, {*width, *height});
  }
  for (const auto& [shape, make, faces] : {std::tuple("sphere", &cube_sphere, 6),
                                           {"icosphere", &icosphere, 20},
                                           {"double-torus", &double_torus, 50}}) {
    if (kind != shape) continue;
    const auto n = whole(rest);
    if (!n || *n < 1) refuse(name, fmt::format("expected {}:N with N from 1 on, such as {}:32", kind, kind));
    require_faces(name, faces * static_cast<double>(*n) * static_cast<double>(*n));
    return make(name, *n);
  }
  const std::vector<std::string> kinds = {"torus", "klein", "moebius", "sphere", "icosphere", "double-torus"};
  refuse(name, fmt::format("expected {}{}", shapes, did_you_mean(kind, kinds)));
}

}  // namespace

Mesh joined_quads(const std::string& name, Join join, Size size) {
  const std::int64_t width = size.width, height = size.height;
  const bool open = join == Join::moebius;
  const std::int64_t rows = open ? height + 1 : height;  // of points
  std::vector<Mesh::Point> points;
  points.reserve(static_cast<std::size_t>(width * rows));
  for (std::int64_t j = 0; j < rows; ++j) {
    for (std::int64_t i = 0; i < width; ++i)
      points.push_back(point_of(join, static_cast<double>(i) / static_cast<double>(width),
                                1 - static_cast<double>(j) / static_cast<double>(height)));
  }
  const auto at = [&](std::int64_t i, std::int64_t j) {
    if (i == width && join != Join::torus) j = height - j;
    return static_cast<std::uint32_t>((open ? j : j % height) * width + i % width);
  };
  std::vector<Mesh::Face> faces;
  faces.reserve(static_cast<std::size_t>(width * height));
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x)
      faces.push_back({at(x, y + 1), at(x + 1, y + 1), at(x + 1, y), at(x, y)});
  }
  return Mesh(name, std::move(points), std::move(faces), size);
}

Mesh shuffled(const std::string& name, const Mesh& mesh) {
  const std::vector<std::uint32_t> numbers = random_numbers(mesh.faces().size());
  std::vector<Mesh::Face> faces(mesh.faces().size());
  for (std::size_t i = 0; i < faces.size(); ++i) faces[numbers[i]] = mesh.faces()[i];
  return Mesh(name, mesh.points(), std::move(faces), mesh.size());
}

std::shared_ptr<const Mesh> Mesh::make(const std::string& name) {
  constexpr std::string_view suffix = ":shuffled";
  const bool is_shuffled = name.size() > suffix.size() && name.ends_with(suffix);
  const std::string rest = is_shuffled ? name.substr(0, name.size() - suffix.size()) : name;
  const bool is_file = has_ending(rest, ".obj");
  Mesh mesh = is_file ? read_obj(rest) : made(rest);
  return std::make_shared<const Mesh>(is_shuffled ? shuffled(name, mesh) : std::move(mesh));
}

}  // namespace moorea
