// SPDX-License-Identifier: MIT
// Topology and size of worlds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace moorea {

enum class Topology {
  plane,      ///< a bounded plane: every cell outside is dead, always
  torus,      ///< the left edge joins the right one and the top edge the bottom one
  unbounded,  ///< a plane without edges, which grows with its cells as long as memory allows
  surface     ///< the faces of a mesh, see moorea/mesh.h
};

/// "plane", "torus", "unbounded" or "surface".
std::string_view to_string(Topology topology);

/// Parses "plane", "torus" or "unbounded"; case is ignored. Throws Error (usage) for other texts.
Topology parse_topology(std::string_view text);

/// A topology and a size in cells, as Golly's suffixes `:T100,50` (torus) and `:P100,50` (plane) give them.
/// An unbounded plane has the size 0 x 0.
struct Bounds {
  Topology topology = Topology::unbounded;
  std::int64_t width = 0;
  std::int64_t height = 0;

  bool is_unbounded() const { return topology == Topology::unbounded; }
  /// Golly's suffix, for instance ":T100,50"; "" for an unbounded plane and for surfaces.
  std::string suffix() const;
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

}  // namespace moorea
#pragma GCC visibility pop
