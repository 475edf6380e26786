// SPDX-License-Identifier: MIT
// Neighbours of the faces of a mesh, or of the cells of a flat world.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "moorea/mesh.h"

namespace moorea {

/// The neighbours of face i are faces[begins[i]] to faces[begins[i + 1] - 1], in any order.
struct FaceNeighbours {
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> faces;

  std::int64_t count() const { return static_cast<std::int64_t>(begins.size()) - 1; }
  std::span<const std::uint32_t> of(std::size_t face) const {
    return std::span(faces).subspan(begins[face], begins[face + 1] - begins[face]);
  }
  int least() const;  ///< neighbours of a face
  int most() const;
};

FaceNeighbours neighbours_of(const Mesh& mesh, Adjacency adjacency);

/// The eight neighbours of each cell of a flat world, row by row; fewer at a plane's edges. On narrow tori a
/// neighbour occurs several times, and a cell can be its own neighbour.
FaceNeighbours neighbours_of_flat(Size size, bool torus);

/// The neighbours across the right, left, upper and lower edge of each quad, in this order; the number of
/// faces stands for none. Empty unless the quads lie in rows and columns: everywhere the same edges must be
/// opposite, and the neighbour above the right one must be the one right of the upper one.
std::optional<FaceNeighbours> edges_of(const Mesh& mesh);
FaceNeighbours edges_of_flat(Size size, bool torus);

}  // namespace moorea
