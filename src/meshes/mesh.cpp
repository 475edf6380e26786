// SPDX-License-Identifier: MIT
#include "moorea/mesh.h"

#include <fmt/core.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "meshes/links.h"
#include "meshes/neighbours.h"
#include "moorea/error.h"
#include "moorea/support/nine_cells.h"
#include "moorea/world_spec.h"

namespace moorea {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(text, ErrorKind::usage); }

void require_face(const Mesh::Face& face, std::size_t i, std::size_t points) {
  const auto corners = static_cast<std::size_t>(edge_count(face));
  for (std::size_t k = 0; k < corners; ++k) {
    if (face[k] >= points)
      refuse(fmt::format("face {} has the corner {}, but there are {} vertices", i + 1, face[k] + 1, points));
    for (std::size_t j = 0; j < k; ++j) {
      if (face[j] == face[k])
        refuse(fmt::format("face {} is degenerate: two of its corners are vertex {}", i + 1, face[k] + 1));
    }
  }
}

// Two faces with the same corners share all edges with each other.
void refuse_doubles(const std::vector<Mesh::Face>& faces, const std::vector<FaceLinks>& links) {
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const int edges = edge_count(faces[i]);
    const std::uint32_t other = links[i][0].face();
    if (other == EdgeLink::boundary || other < i) continue;
    bool same = true;
    for (int k = 0; k < edges; ++k) same &= links[i][static_cast<std::size_t>(k)].face() == other;
    if (same)
      refuse(fmt::format("faces {} and {} have the same corners: remove one of them", i + 1, other + 1));
  }
}

template <class Value, std::size_t n>
Value parse_word(std::string_view text, const std::array<Value, n>& values, const char* what,
                 const char* expected) {
  for (const Value value : values) {
    const std::string_view name = to_string(value);
    if (text.size() == name.size() && strncasecmp(text.data(), name.data(), name.size()) == 0) return value;
  }
  refuse(fmt::format("{} \"{}\": expected {}", what, text, expected));
}

}  // namespace

std::string_view to_string(Adjacency adjacency) { return adjacency == Adjacency::vertex ? "vertex" : "edge"; }

Adjacency parse_adjacency(std::string_view text) {
  return parse_word(text, std::array{Adjacency::vertex, Adjacency::edge}, "adjacency", "vertex or edge");
}

std::string_view to_string(Numbering numbering) {
  switch (numbering) {
    case Numbering::given:
      return "given";
    case Numbering::strips:
      return "strips";
    case Numbering::cuthill_mckee:
      return "cuthill-mckee";
    case Numbering::shuffled:
      break;
  }
  return "shuffled";
}

Numbering parse_numbering(std::string_view text) {
  return parse_word(
      text, std::array{Numbering::given, Numbering::strips, Numbering::cuthill_mckee, Numbering::shuffled},
      "numbering", "given, strips, cuthill-mckee or shuffled");
}

Mesh::Mesh(std::string name, std::vector<Point> points, std::vector<Face> faces, Size size)
    : name_(std::move(name)), points_(std::move(points)), faces_(std::move(faces)), size_(size) {
  if (faces_.empty()) refuse("a mesh without faces has no cells");
  if (face_count() > max_faces) {
    refuse(fmt::format("a mesh of {} faces: {} at most are supported", faces_.size(), max_faces));
  }
  if (size_.width == 0 && size_.height == 0) size_ = {face_count(), 1};
  if (size_.width < 1 || size_.height < 1 || size_.width > face_count() ||
      size_.width * size_.height != face_count()) {
    refuse(fmt::format("{} faces do not fill {} rows of {}", faces_.size(), size_.height, size_.width));
  }
  for (std::size_t i = 0; i < faces_.size(); ++i) require_face(faces_[i], i, points_.size());
  refuse_doubles(faces_, edge_links(faces_, points_.size()));
}

WorldSpec WorldSpec::on(Rule rule, std::shared_ptr<const Mesh> mesh, Adjacency adjacency) {
  require_nine_cells(rule, "a world on a mesh");
  if (mesh == nullptr) throw Error("a surface without a mesh: Mesh::make() creates one", ErrorKind::usage);
  WorldSpec world;
  world.rule = rule;
  world.topology = Topology::surface;
  world.width = mesh->size().width;
  world.height = mesh->size().height;
  world.mesh = std::move(mesh);
  world.adjacency = adjacency;
  return world;
}

MeshFacts Mesh::facts(Adjacency adjacency) const {
  MeshFacts facts;
  facts.faces = face_count();
  const std::vector<FaceLinks> links = edge_links(faces_, points_.size());
  std::vector<bool> used(points_.size());
  std::int64_t sides = 0;
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    const int edges = edge_count(faces_[i]);
    ++(edges == 3 ? facts.triangles : facts.quads);
    sides += edges;
    for (std::size_t k = 0; k < static_cast<std::size_t>(edges); ++k) {
      used[faces_[i][k]] = true;
      if (links[i][k].is_boundary()) ++facts.boundary_edges;
    }
  }
  facts.edges = (sides + facts.boundary_edges) / 2;
  facts.vertices = std::count(used.begin(), used.end(), true);

  // Each component is visited from its first face, which decides the orientation of the others
  constexpr std::uint8_t unseen = 0, seen = 1, reversed = 2;
  std::vector<std::uint8_t> state(faces_.size(), unseen);
  std::vector<std::uint32_t> waiting;
  facts.orientable = true;
  for (std::uint32_t first = 0; first < faces_.size(); ++first) {
    if (state[first] != unseen) continue;
    ++facts.components;
    state[first] = seen;
    waiting.push_back(first);
    while (!waiting.empty()) {
      const std::uint32_t i = waiting.back();
      waiting.pop_back();
      for (int k = 0; k < edge_count(faces_[i]); ++k) {
        const EdgeLink beyond = links[i][static_cast<std::size_t>(k)];
        if (beyond.is_boundary()) continue;
        const bool alike = is_oriented_alike(faces_[i], k, faces_[beyond.face()], beyond.edge());
        const std::uint8_t expected = alike ? state[i] : state[i] == seen ? reversed : seen;
        if (state[beyond.face()] == unseen) {
          state[beyond.face()] = expected;
          waiting.push_back(beyond.face());
        } else if (state[beyond.face()] != expected) {
          facts.orientable = false;
        }
      }
    }
  }
  const FaceNeighbours neighbours = neighbours_of(*this, adjacency);
  facts.least_neighbours = neighbours.least();
  facts.most_neighbours = neighbours.most();
  return facts;
}

}  // namespace moorea
