// SPDX-License-Identifier: MIT
#include "meshes/layout.h"

#include "meshes/numbering.h"
#include "moorea/error.h"

namespace moorea {
namespace {

using kernels::MeshTable;

FaceNeighbours neighbours_of(const WorldSpec& world, MeshTable table) {
  const bool edges = table == MeshTable::edges;
  if (world.mesh == nullptr) {
    const Size size = world.box().size();
    return edges ? edges_of_flat(size, world.is_torus()) : neighbours_of_flat(size, world.is_torus());
  }
  return edges ? *edges_of(*world.mesh) : neighbours_of(*world.mesh, world.adjacency);
}

// The strips of a flat world are its rows.
std::vector<std::uint32_t> numbers_of(const WorldSpec& world, const FaceNeighbours& neighbours,
                                      Numbering numbering) {
  switch (numbering) {
    case Numbering::given:
      return {};
    case Numbering::strips:
      return world.mesh != nullptr ? strip_numbers(*world.mesh) : std::vector<std::uint32_t>();
    case Numbering::cuthill_mckee:
      return cuthill_mckee_numbers(neighbours);
    case Numbering::shuffled:
      break;
  }
  return random_numbers(static_cast<std::size_t>(neighbours.count()));
}

}  // namespace

MeshLayout lay_out(const WorldSpec& world, TableForm form, Numbering numbering) {
  if (const char* reason = mesh_refusal(world, form.table)) throw Error(reason, ErrorKind::unavailable);
  const FaceNeighbours neighbours = neighbours_of(world, form.table);
  MeshLayout layout;
  layout.numbers = numbers_of(world, neighbours, numbering);
  layout.arrays = make_tables(neighbours, layout.numbers, form);
  layout.bytes_per_pass = layout.arrays.bytes_per_pass(form);
  return layout;
}

const char* mesh_refusal(const WorldSpec& world, MeshTable table) {
  if (table == MeshTable::none) return nullptr;
  if (world.rule.states() > 2)
    return "kernels of meshes have cells of two states, and the rule has more: choose a torus or a plane";
  if (!world.rule.has_nine_cells())
    return "kernels of meshes need rules of a cell and its neighbours: choose a torus or a plane";
  if (world.box().area() > static_cast<double>(Mesh::max_faces))
    return "kernels of meshes support up to 2^28 faces";
  if (table != MeshTable::edges || world.mesh == nullptr) return nullptr;
  if (world.adjacency != Adjacency::vertex)
    return "it finds corners through two edges: choose the vertex adjacency or another kernel";
  return edges_of(*world.mesh) ? nullptr
                               : "it finds corners through two edges, which needs quads in rows and columns, "
                                 "as of a torus: choose another kernel";
}

double layout_bytes(const WorldSpec& world) {
  constexpr double bytes_per_face = 4 * (9 + 8 + 2);  // lists of eight neighbours, a table of them, numbers
  return bytes_per_face * world.box().area();
}

}  // namespace moorea
