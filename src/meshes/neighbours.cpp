// SPDX-License-Identifier: MIT
#include "meshes/neighbours.h"

#include <algorithm>
#include <numeric>

#include "meshes/links.h"
#include "meshes/ranges.h"
#include "model/bits.h"

namespace moorea {
namespace {

// Faces around each vertex, as FaceNeighbours are around each face.
FaceNeighbours faces_around_vertices(const Mesh& mesh) {
  FaceNeighbours around;
  around.begins.resize(mesh.points().size() + 1);
  for (const Mesh::Face& face : mesh.faces())
    for (int k = 0; k < edge_count(face); ++k) ++around.begins[face[static_cast<std::size_t>(k)] + 1];
  std::partial_sum(around.begins.begin(), around.begins.end(), around.begins.begin());
  around.faces.resize(around.begins.back());
  std::vector<std::uint32_t> next(around.begins.begin(), around.begins.end() - 1);
  for (std::size_t i = 0; i < mesh.faces().size(); ++i) {
    const Mesh::Face& face = mesh.faces()[i];
    for (int k = 0; k < edge_count(face); ++k)
      around.faces[next[face[static_cast<std::size_t>(k)]]++] = static_cast<std::uint32_t>(i);
  }
  return around;
}

// Calls add(face, list) for each face, which appends the face's neighbours.
template <class AddNeighbours>
FaceNeighbours collected(std::size_t faces, const AddNeighbours& add) {
  FaceNeighbours neighbours;
  neighbours.begins.resize(faces + 1);
  const Ranges ranges(faces);
  std::vector<std::vector<std::uint32_t>> lists(ranges.parts());
  ranges.run([&](std::size_t part, std::size_t first, std::size_t end) {
    std::vector<std::uint32_t>& list = lists[part];
    list.reserve(8 * (end - first));
    for (std::size_t i = first; i < end; ++i) {
      const std::size_t before = list.size();
      add(i, list);
      neighbours.begins[i + 1] = static_cast<std::uint32_t>(list.size() - before);
    }
  });
  std::partial_sum(neighbours.begins.begin(), neighbours.begins.end(), neighbours.begins.begin());
  neighbours.faces.resize(neighbours.begins.back());
  ranges.run([&](std::size_t part, std::size_t first, std::size_t) {
    std::copy(lists[part].begin(), lists[part].end(), neighbours.faces.begin() + neighbours.begins[first]);
  });
  return neighbours;
}

}  // namespace

int FaceNeighbours::least() const {
  std::size_t least = of(0).size();
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) least = std::min(least, of(i).size());
  return static_cast<int>(least);
}

int FaceNeighbours::most() const {
  std::size_t most = 0;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) most = std::max(most, of(i).size());
  return static_cast<int>(most);
}

FaceNeighbours neighbours_of(const Mesh& mesh, Adjacency adjacency) {
  const std::size_t number = mesh.faces().size();
  if (adjacency == Adjacency::edge) {
    const std::vector<FaceLinks> links = edge_links(mesh.faces(), mesh.points().size());
    return collected(number, [&](std::size_t i, std::vector<std::uint32_t>& to) {
      const std::size_t before = to.size();
      for (const EdgeLink& link : links[i]) {
        const bool known =
            std::find(to.begin() + static_cast<std::ptrdiff_t>(before), to.end(), link.face()) != to.end();
        if (!link.is_boundary() && !known) to.push_back(link.face());
      }
    });
  }
  const FaceNeighbours around = faces_around_vertices(mesh);
  return collected(number, [&](std::size_t i, std::vector<std::uint32_t>& to) {
    const auto before = static_cast<std::ptrdiff_t>(to.size());
    for (int k = 0; k < edge_count(mesh.faces()[i]); ++k) {
      for (const std::uint32_t face : around.of(mesh.faces()[i][static_cast<std::size_t>(k)]))
        if (face != i) to.push_back(face);
    }
    std::sort(to.begin() + before, to.end());
    to.erase(std::unique(to.begin() + before, to.end()), to.end());
  });
}

FaceNeighbours neighbours_of_flat(Size size, bool torus) {
  const std::int64_t width = size.width, height = size.height;
  return collected(
      static_cast<std::size_t>(width * height), [&](std::size_t i, std::vector<std::uint32_t>& to) {
        const std::int64_t x = static_cast<std::int64_t>(i) % width, y = static_cast<std::int64_t>(i) / width;
        for (int dy = -1; dy <= 1; ++dy) {
          for (int dx = -1; dx <= 1; ++dx) {
            if (dx == 0 && dy == 0) continue;
            const bool inside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
            if (!torus && !inside) continue;
            to.push_back(static_cast<std::uint32_t>(modulo(y + dy, height) * width + modulo(x + dx, width)));
          }
        }
      });
}

FaceNeighbours edges_of_flat(Size size, bool torus) {
  const std::int64_t width = size.width, height = size.height;
  const auto number = static_cast<std::uint32_t>(width * height);
  return collected(number, [&](std::size_t i, std::vector<std::uint32_t>& to) {
    const std::int64_t x = static_cast<std::int64_t>(i) % width, y = static_cast<std::int64_t>(i) / width;
    const auto at = [&](std::int64_t column, std::int64_t row) {
      const bool inside = column >= 0 && column < width && row >= 0 && row < height;
      if (!torus && !inside) return number;
      return static_cast<std::uint32_t>(modulo(row, height) * width + modulo(column, width));
    };
    to.insert(to.end(), {at(x + 1, y), at(x - 1, y), at(x, y - 1), at(x, y + 1)});
  });
}

std::optional<FaceNeighbours> edges_of(const Mesh& mesh) {
  // Corners go around a face from the lower left one: edges 0 to 3 are below, right, above and left
  constexpr std::size_t order[] = {1, 3, 2, 0};
  const std::size_t number = mesh.faces().size();
  const std::vector<FaceLinks> links = edge_links(mesh.faces(), mesh.points().size());
  const auto step = [&](std::uint32_t from, std::size_t edge) {
    return from == EdgeLink::boundary ? from : links[from][edge].face();
  };
  for (std::size_t i = 0; i < number; ++i) {
    if (edge_count(mesh.faces()[i]) != 4) return std::nullopt;
    const auto face = static_cast<std::uint32_t>(i);
    for (std::size_t edge = 0; edge < 4; ++edge) {
      const EdgeLink link = links[i][edge];
      if (!link.is_boundary() && link.edge() != static_cast<int>((edge + 2) % 4)) return std::nullopt;
      const std::size_t turned = (edge + 1) % 4;
      if (step(step(face, edge), turned) != step(step(face, turned), edge)) return std::nullopt;
    }
  }
  return collected(number, [&](std::size_t i, std::vector<std::uint32_t>& to) {
    for (const std::size_t edge : order) {
      const EdgeLink link = links[i][edge];
      to.push_back(link.is_boundary() ? static_cast<std::uint32_t>(number) : link.face());
    }
  });
}

}  // namespace moorea
