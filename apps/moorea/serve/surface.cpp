// SPDX-License-Identifier: MIT
#include "serve/surface.h"

#include <fmt/core.h>

#include <bit>

#include "moorea/error.h"
#include "serve/deflate.h"
#include "serve/frames.h"

namespace app {
namespace {

void append(std::string& bytes, std::uint32_t number) {
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(number >> 8 * i);
}

std::string geometry(const moorea::Mesh& mesh) {
  std::string bytes;
  bytes.reserve(sizeof(moorea::Mesh::Point) * mesh.points().size() +
                sizeof(moorea::Mesh::Face) * mesh.faces().size());
  for (const moorea::Mesh::Point& point : mesh.points()) {
    for (const float coordinate : point) append(bytes, std::bit_cast<std::uint32_t>(coordinate));
  }
  moorea::Mesh::Face before{};
  for (const moorea::Mesh::Face& face : mesh.faces()) {
    for (std::size_t i = 0; i < face.size(); ++i) append(bytes, face[i] - before[i]);
    before = face;
  }
  return bytes;
}

}  // namespace

std::string short_name(const moorea::Mesh& mesh) { return mesh.name().substr(mesh.name().rfind('/') + 1); }

std::string packed_mesh(const moorea::Mesh& mesh) {
  if (mesh.face_count() > max_shown_faces)
    throw moorea::Error(
        fmt::format("{} has {} faces, and a browser shows {} at most: choose a coarser mesh, or moorea run, "
                    "which has no such limit",
                    mesh.name(), mesh.face_count(), max_shown_faces),
        moorea::ErrorKind::usage);
  const std::string raw = geometry(mesh), small = deflated(raw, Matches::all);
  const bool is_deflated = !small.empty() && small.size() < raw.size();
  const Json json = {{"event", "mesh"},
                     {"name", short_name(mesh)},
                     {"points", mesh.points().size()},
                     {"faces", mesh.faces().size()},
                     {"deflated", is_deflated}};
  return packed(json, is_deflated ? small : raw);
}

}  // namespace app
