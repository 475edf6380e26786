// SPDX-License-Identifier: MIT
// Generated meshes that begin as solids: unit cubes or an icosahedron, whose sides are divided.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <unordered_map>
#include <utility>

#include "meshes/links.h"
#include "meshes/shapes.h"

namespace moorea {
namespace {

using Vector = std::array<std::int64_t, 3>;

// Points that several sides share, by a key.
class Points {
 public:
  std::uint32_t at(std::uint64_t key, const Mesh::Point& point) {
    const auto [place, added] = known_.try_emplace(key, static_cast<std::uint32_t>(list.size()));
    if (added) list.push_back(point);
    return place->second;
  }
  std::vector<Mesh::Point> list;

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
};

Mesh::Point normalised(const Mesh::Point& p) {
  const float length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  return {p[0] / length, p[1] / length, p[2] / length};
}

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// The surface of unit cubes of a lattice, n x n quads on each side.
struct Blocks {
  std::int64_t n;
  Points points;
  std::vector<Mesh::Face> faces;

  // The side of a cube in direction `out`.
  void add_side(const Vector& cube, const Vector& out) {
    const Vector right = out[2] != 0 ? Vector{1, 0, 0} : Vector{-out[1], out[0], 0}, up = cross(out, right);
    Vector corner{};
    for (std::size_t k = 0; k < 3; ++k)
      corner[k] = n * (cube[k] + (out[k] > 0 || right[k] < 0 || up[k] < 0 ? 1 : 0));
    const auto at = [&](std::int64_t x, std::int64_t y) {
      Vector place{};
      Mesh::Point point{};
      for (std::size_t k = 0; k < 3; ++k) {
        place[k] = corner[k] + x * right[k] + (n - y) * up[k];
        point[k] = static_cast<float>(static_cast<double>(place[k]) / static_cast<double>(n));
      }
      const auto [a, b, c] = place;
      return points.at(static_cast<std::uint64_t>(a) << 42 | static_cast<std::uint64_t>(b) << 21 |
                           static_cast<std::uint64_t>(c),
                       point);
    };
    for (std::int64_t y = 0; y < n; ++y) {
      for (std::int64_t x = 0; x < n; ++x)
        faces.push_back({at(x, y + 1), at(x + 1, y + 1), at(x + 1, y), at(x, y)});
    }
  }

  template <class IsSolid>
  void add_cube(const Vector& cube, const IsSolid& is_solid) {
    for (const Vector& out : {Vector{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}) {
      if (!is_solid(Vector{cube[0] + out[0], cube[1] + out[1], cube[2] + out[2]})) add_side(cube, out);
    }
  }
};

// Moves each point towards the mean of its neighbours along edges.
void smooth(std::vector<Mesh::Point>& points, const std::vector<Mesh::Face>& faces, std::int64_t rounds) {
  for (std::int64_t round = 0; round < rounds; ++round) {
    std::vector<std::array<float, 4>> sums(points.size());
    for (const Mesh::Face& face : faces) {
      const auto corners = static_cast<std::size_t>(edge_count(face));
      for (std::size_t k = 0; k < corners; ++k) {
        auto& sum = sums[face[k]];
        const Mesh::Point& next = points[face[(k + 1) % corners]];
        for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += next[axis];
        sum[3] += 1;
      }
    }
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis)
        points[i][axis] = (points[i][axis] + sums[i][axis] / sums[i][3]) / 2;
  }
}

// Weights of an icosahedron's corners.
struct Weight {
  int corner;
  std::int64_t weight;
};

Mesh::Point icosahedron_corner(int i) {
  const double ring = std::atan(0.5), full_turn = 2 * std::numbers::pi;
  if (i == 0) return {0, 0, 1};
  if (i == 11) return {0, 0, -1};
  const bool upper = i <= 5;
  const double latitude = upper ? ring : -ring, turn = upper ? (i - 1) / 5.0 : (i - 6 + 0.5) / 5.0;
  return {static_cast<float>(std::cos(latitude) * std::cos(full_turn * turn)),
          static_cast<float>(std::cos(latitude) * std::sin(full_turn * turn)),
          static_cast<float>(std::sin(latitude))};
}

std::uint32_t weighted_point(Points& points, std::array<Weight, 3> weights) {
  std::sort(weights.begin(), weights.end(),
            [](const Weight& a, const Weight& b) { return a.corner < b.corner; });
  std::uint64_t key = 0;
  Mesh::Point sum{};
  for (const auto& [corner, weight] : weights) {
    if (weight == 0) continue;
    key = key << 20 | static_cast<std::uint64_t>(corner) << 16 | static_cast<std::uint64_t>(weight);
    const Mesh::Point at = icosahedron_corner(corner);
    for (std::size_t k = 0; k < 3; ++k) sum[k] += static_cast<float>(weight) * at[k];
  }
  return points.at(key, normalised(sum));
}

}  // namespace

Mesh cube_sphere(const std::string& name, std::int64_t n) {
  Blocks blocks{n, {}, {}};
  const auto is_solid = [](const Vector& at) { return at == Vector{0, 0, 0}; };
  blocks.add_cube({0, 0, 0}, is_solid);
  // Equal angles instead of equal lengths, so that quads have similar sizes
  for (Mesh::Point& point : blocks.points.list) {
    for (float& axis : point) axis = std::tan((axis - 0.5f) * 1.5707963f);
    point = normalised(point);
  }
  return Mesh(name, std::move(blocks.points.list), std::move(blocks.faces), {n, 6 * n});
}

Mesh double_torus(const std::string& name, std::int64_t n) {
  Blocks blocks{n, {}, {}};
  const auto is_solid = [](const Vector& at) {
    const bool hole = at[1] == 1 && (at[0] == 1 || at[0] == 3);
    return at[0] >= 0 && at[0] < 5 && at[1] >= 0 && at[1] < 3 && at[2] == 0 && !hole;
  };
  for (std::int64_t y = 0; y < 3; ++y) {
    for (std::int64_t x = 0; x < 5; ++x)
      if (is_solid({x, y, 0})) blocks.add_cube({x, y, 0}, is_solid);
  }
  smooth(blocks.points.list, blocks.faces, std::min<std::int64_t>(n * n * 2 / 3 + 1, 400));
  const auto number = static_cast<std::int64_t>(blocks.faces.size());
  return Mesh(name, std::move(blocks.points.list), std::move(blocks.faces), {n, number / n});
}

Mesh icosphere(const std::string& name, std::int64_t n) {
  Points points;
  std::vector<Mesh::Face> faces;
  // Two sides that share an edge: a, b, d and b, c, d
  const auto add_sides = [&](int a, int b, int c, int d) {
    const auto at = [&](std::int64_t i, std::int64_t j) {
      if (i + j <= n) return weighted_point(points, {Weight{a, n - i - j}, Weight{b, i}, Weight{d, j}});
      return weighted_point(points, {Weight{c, i + j - n}, Weight{b, n - j}, Weight{d, n - i}});
    };
    for (std::int64_t y = 0; y < n; ++y) {
      for (std::int64_t x = 0; x < n; ++x) {
        faces.push_back({at(x, y), at(x + 1, y), at(x, y + 1), Mesh::none});
        faces.push_back({at(x + 1, y), at(x + 1, y + 1), at(x, y + 1), Mesh::none});
      }
    }
  };
  for (int i = 0; i < 5; ++i) {
    const int next = (i + 1) % 5, upper = 1 + i, upper_next = 1 + next, lower = 6 + i, lower_next = 6 + next;
    add_sides(0, upper, lower, upper_next);
    add_sides(upper_next, lower, 11, lower_next);
  }
  return Mesh(name, std::move(points.list), std::move(faces), {2 * n, 10 * n});
}

}  // namespace moorea
