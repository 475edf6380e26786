// SPDX-License-Identifier: MIT
// Surfaces in three dimensions whose faces are cells, and facts about them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "moorea/box.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Which faces are neighbours of each other.
enum class Adjacency {
  vertex,  ///< those that share a corner; on quads in rows and columns the Moore neighbourhood
  edge     ///< those that share an edge; on quads in rows and columns the von Neumann neighbourhood
};

/// "vertex" or "edge"; parse_adjacency() throws Error (usage) for other texts.
std::string_view to_string(Adjacency adjacency);
Adjacency parse_adjacency(std::string_view text);

/// Order in which a kernel keeps the faces of a mesh in memory. Cells keep their coordinates: it changes
/// nothing but the speed.
enum class Numbering {
  given,          ///< as the mesh lists them
  strips,         ///< along strips: across opposite edges of quads, alternating left and right in triangles
  cuthill_mckee,  ///< reverse Cuthill-McKee: breadth first, from a face far from the others
  shuffled        ///< random, the same on every machine: what a bad order costs
};

/// "given", "strips", "cuthill-mckee" or "shuffled"; parse_numbering() throws Error (usage) for other texts.
std::string_view to_string(Numbering numbering);
Numbering parse_numbering(std::string_view text);

/// Facts about a mesh.
struct MeshFacts {
  std::int64_t faces = 0, triangles = 0, quads = 0;
  std::int64_t edges = 0, vertices = 0;           ///< vertices that are a corner of a face
  std::int64_t boundary_edges = 0;                ///< edges of one face only; 0 for closed surfaces
  std::int64_t components = 0;                    ///< parts that are not connected through edges
  bool orientable = false;                        ///< whether inside and outside can be told apart
  int least_neighbours = 0, most_neighbours = 0;  ///< of a face, for one adjacency
  /// vertices - edges + faces: 2 for a sphere, 0 for a torus or Klein bottle, -2 for a double torus.
  std::int64_t euler_characteristic() const { return vertices - edges + faces; }
};

/// A surface of triangles and quads. Face i is the cell in column i mod size().width of row i / size().width,
/// so that patterns, pictures and files treat it as a world of that size.
///
/// Immutable; threads may use one mesh at the same time.
class Mesh {
 public:
  using Point = std::array<float, 3>;
  /// Indices of a face's corners, in order around it; the fourth one of a triangle is `none`.
  using Face = std::array<std::uint32_t, 4>;
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  static constexpr std::int64_t max_faces = std::int64_t{1} << 28;

  /// A mesh of these faces, in rows of size.width; by default one row. Throws Error (usage) for a mesh
  /// without faces or with more than max_faces, for a face with a corner that does not exist or occurs twice,
  /// for an edge of more than two faces, for two faces with the same corners, and for a size that is not
  /// that of the faces.
  Mesh(std::string name, std::vector<Point> points, std::vector<Face> faces, Size size = {});

  /// The name of a generated mesh, or the path of an OBJ file (.obj):
  ///   torus:WxH, klein:WxH, moebius:WxH  W quads along the long way around, H across; at least 3 each
  ///   sphere:N         a cube with N x N quads per side, inflated
  ///   icosphere:N      an icosahedron with N x N triangles per side, inflated
  ///   double-torus:N   a surface with two holes, N x N quads per side of a building block
  /// A suffix `:shuffled` lists the faces in random order. Throws Error (usage) for an unknown name or an
  /// invalid size, Error (run) for a file that cannot be read, is no mesh, or does not fit in memory.
  static std::shared_ptr<const Mesh> make(const std::string& name);

  /// The name that make() accepts, or the path of a file.
  const std::string& name() const { return name_; }
  const std::vector<Point>& points() const { return points_; }
  const std::vector<Face>& faces() const { return faces_; }
  std::int64_t face_count() const { return static_cast<std::int64_t>(faces_.size()); }
  Size size() const { return size_; }

  /// Takes time proportional to the faces.
  MeshFacts facts(Adjacency adjacency = Adjacency::vertex) const;

 private:
  std::string name_;
  std::vector<Point> points_;
  std::vector<Face> faces_;
  Size size_;
};

/// Writes a mesh as an OBJ file. Throws Error (run) if that fails.
void write_obj(const Mesh& mesh, const std::string& path);

}  // namespace moorea
#pragma GCC visibility pop
