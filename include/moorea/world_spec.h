// SPDX-License-Identifier: MIT
// A world without its cells.
#pragma once

#include <cstdint>

#include "moorea/box.h"
#include "moorea/rule.h"
#include "moorea/topology.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Rule, topology and size of a world. A size of 0 x 0 stands for a plane that grows, or for a size that is
/// not known yet.
struct WorldSpec {
  Rule rule;
  Topology topology = Topology::torus;
  std::int64_t width = 0;  ///< cells
  std::int64_t height = 0;

  bool is_torus() const { return topology == Topology::torus; }
  /// All cells; the top-left one is (0, 0).
  Box box() const { return {0, 0, width, height}; }

  friend bool operator==(const WorldSpec&, const WorldSpec&) = default;
};

}  // namespace moorea
#pragma GCC visibility pop
