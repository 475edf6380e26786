// SPDX-License-Identifier: MIT
// How the cells of a world lie in memory for a kernel of meshes: the number of each cell, and the table of
// neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "meshes/tables.h"
#include "moorea/mesh.h"
#include "moorea/world_spec.h"

namespace moorea {

struct MeshLayout {
  std::vector<std::uint32_t> numbers;  ///< of cell y * width + x; empty: that itself
  TableArrays arrays;
  double bytes_per_pass = 0;  ///< TableArrays::bytes_per_pass()
};

/// Lays out a surface, a plane or a torus. Throws Error (memory) if it does not fit, Error
/// (unavailable) as mesh_refusal() gives the reason.
MeshLayout lay_out(const WorldSpec& world, TableForm form, Numbering numbering);

/// Why a kernel that reads such a table cannot have the world; null if it can.
const char* mesh_refusal(const WorldSpec& world, kernels::MeshTable table);

/// Approximate bytes of main memory that lay_out() takes.
double layout_bytes(const WorldSpec& world);

}  // namespace moorea
