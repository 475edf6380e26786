// SPDX-License-Identifier: MIT
// Faces that share an edge.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "moorea/mesh.h"

namespace moorea {

/// Number of a face's edges: edge k leads from corner k to corner k + 1, the last one to corner 0.
inline int edge_count(const Mesh::Face& face) { return face[3] == Mesh::none ? 3 : 4; }

/// The face beyond an edge.
class EdgeLink {
 public:
  static constexpr std::uint32_t boundary = 0x3FFFFFFF;

  EdgeLink() = default;
  EdgeLink(std::uint32_t face, int edge) : both_(face << 2 | static_cast<std::uint32_t>(edge)) {}

  bool is_boundary() const { return face() == boundary; }
  std::uint32_t face() const { return both_ >> 2; }
  int edge() const { return static_cast<int>(both_ & 3); }  ///< which edge of that face it is

 private:
  std::uint32_t both_ = boundary << 2;
};

using FaceLinks = std::array<EdgeLink, 4>;

/// Returns the links of each face. Throws Error (usage), which names the faces, for an edge of more than two.
std::vector<FaceLinks> edge_links(const std::vector<Mesh::Face>& faces, std::size_t points);

/// Whether two faces that share an edge run along it in opposite directions, as the faces of an oriented
/// surface do.
inline bool is_oriented_alike(const Mesh::Face& a, int edge_of_a, const Mesh::Face& b, int edge_of_b) {
  return a[static_cast<std::size_t>(edge_of_a)] != b[static_cast<std::size_t>(edge_of_b)];
}

}  // namespace moorea
