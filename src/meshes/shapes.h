// SPDX-License-Identifier: MIT
// Generated meshes; Mesh::make() documents them.
#pragma once

#include <memory>
#include <string>

#include "moorea/mesh.h"

namespace moorea {

/// Quads in rows and columns whose opposite edges are joined in some way.
enum class Join {
  torus,
  klein,   ///< left and right edges are joined upside down
  moebius  ///< as klein, but upper and lower edges are not joined
};
Mesh joined_quads(const std::string& name, Join join, Size size);

/// A cube or a block with two holes, of n x n quads per side of a unit cube, inflated or smoothed.
Mesh cube_sphere(const std::string& name, std::int64_t n);
Mesh double_torus(const std::string& name, std::int64_t n);

/// An icosahedron of n x n triangles per side, inflated. Two sides each are n rows of 2n triangles.
Mesh icosphere(const std::string& name, std::int64_t n);

/// The mesh with its faces in random order.
Mesh shuffled(const std::string& name, const Mesh& mesh);

/// Reads an OBJ file. Throws Error (run) with the path and the cause.
Mesh read_obj(const std::string& path);

}  // namespace moorea
