// SPDX-License-Identifier: MIT
// A world without its cells.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "moorea/box.h"
#include "moorea/mesh.h"
#include "moorea/rule.h"
#include "moorea/topology.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Rule, topology and size of a world. A size of 0 x 0 denotes an unbounded plane or an unknown size.
struct WorldSpec {
  Rule rule;
  Topology topology = Topology::unbounded;
  std::int64_t width = 0;  ///< cells
  std::int64_t height = 0;
  std::shared_ptr<const Mesh> mesh = nullptr;  ///< of Topology::surface; otherwise null
  Adjacency adjacency = Adjacency::vertex;

  /// A surface, with the size of its mesh. Throws Error (usage) without a mesh, and for a rule that does not
  /// count the eight neighbours.
  static WorldSpec on(Rule rule, std::shared_ptr<const Mesh> mesh, Adjacency adjacency = Adjacency::vertex);

  /// Reads a rule, as Rule::parse does, with Golly's optional suffix `:Twidth,height` (torus) or
  /// `:Pwidth,height` (plane); with one number, as in `:T100`, width and height are equal. Without a suffix
  /// the world is unbounded. Throws Error (usage); its text marks the invalid character with a caret.
  static WorldSpec parse(std::string_view text);

  /// A world with a rule, and with the bounds of such a suffix, or none if it is empty. Throws as parse().
  static WorldSpec in_bounds(const Rule& rule, std::string_view suffix);

  /// Canonical rule and suffix, as parse() reads them: "B3/S23:T100,50".
  std::string str() const { return rule.str() + bounds().suffix(); }

  Bounds bounds() const { return {topology, width, height}; }
  bool is_unbounded() const { return topology == Topology::unbounded; }
  bool is_torus() const { return topology == Topology::torus; }
  bool is_surface() const { return topology == Topology::surface; }
  /// All cells; the top-left one is (0, 0).
  Box box() const { return {0, 0, width, height}; }

  friend bool operator==(const WorldSpec&, const WorldSpec&) = default;
};

}  // namespace moorea
#pragma GCC visibility pop
