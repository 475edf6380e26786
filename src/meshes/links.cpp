// SPDX-License-Identifier: MIT
#include "meshes/links.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "meshes/ranges.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// An edge of a face, from its corner of the smaller index to the other one.
struct HalfEdge {
  std::uint32_t far = 0;  // the larger index
  std::uint32_t face = 0;
  std::uint8_t edge = 0;
};

std::pair<std::uint32_t, std::uint32_t> ends_of(const Mesh::Face& face, int edge) {
  const int corners = edge_count(face);
  const std::uint32_t a = face[static_cast<std::size_t>(edge)],
                      b = face[static_cast<std::size_t>((edge + 1) % corners)];
  return std::minmax(a, b);
}

void link(std::vector<FaceLinks>& links, const HalfEdge& a, const HalfEdge& b) {
  links[a.face][a.edge] = EdgeLink(b.face, b.edge);
  links[b.face][b.edge] = EdgeLink(a.face, a.edge);
}

// Links the half edges of one vertex that are the same edge.
void link_all(std::vector<FaceLinks>& links, std::span<HalfEdge> halves) {
  std::sort(halves.begin(), halves.end(), [](const HalfEdge& a, const HalfEdge& b) {
    return std::pair(a.far, a.face) < std::pair(b.far, b.face);
  });
  for (auto at = halves.begin(); at != halves.end();) {
    const auto end =
        std::find_if(at, halves.end(), [&](const HalfEdge& each) { return each.far != at->far; });
    if (end - at > 2) {
      throw Error(fmt::format("faces {}, {} and {} share an edge: at most two can, split the mesh there",
                              at[0].face + 1, at[1].face + 1, at[2].face + 1),
                  ErrorKind::usage);
    }
    if (end - at == 2) link(links, at[0], at[1]);
    at = end;
  }
}

}  // namespace

std::vector<FaceLinks> edge_links(const std::vector<Mesh::Face>& faces, std::size_t points) {
  // Half edges, sorted by their smaller index
  std::vector<std::uint32_t> begins(points + 1);
  for (const Mesh::Face& face : faces)
    for (int k = 0; k < edge_count(face); ++k) ++begins[ends_of(face, k).first + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<HalfEdge> halves(begins.back());
  std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    for (int k = 0; k < edge_count(faces[i]); ++k) {
      const auto [near, far] = ends_of(faces[i], k);
      halves[next[near]++] = {far, static_cast<std::uint32_t>(i), static_cast<std::uint8_t>(k)};
    }
  }
  std::vector<FaceLinks> links(faces.size());
  Ranges(points).run([&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      link_all(links, {halves.data() + begins[v], halves.data() + begins[v + 1]});
  });
  return links;
}

}  // namespace moorea
