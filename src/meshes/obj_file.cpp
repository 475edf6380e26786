// SPDX-License-Identifier: MIT
// OBJ files, read by tinyobjloader.
#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

#include "meshes/shapes.h"
#include "model/memory.h"
#include "moorea/error.h"
#include "moorea/support/output_file.h"

#ifdef MOOREA_TINYOBJ
// Under a name of its own, so that programs may have another copy of it
#define tinyobj moorea_tinyobj
#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>
#endif

namespace moorea {
namespace {

#ifdef MOOREA_TINYOBJ

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(fmt::format("{}: {}", path, why), ErrorKind::run);
}

// The first line of a reader's message.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Files have the second axis upwards, meshes the third. Points at the same place are one: exporters write a
// vertex once for each texture or normal that it has.
std::vector<std::uint32_t> welded(const std::vector<float>& numbers, std::vector<Mesh::Point>& points) {
  std::map<Mesh::Point, std::uint32_t> known;
  std::vector<std::uint32_t> indices;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) {
    const Mesh::Point point = {numbers[i], -numbers[i + 2], numbers[i + 1]};
    const auto [place, added] = known.try_emplace(point, static_cast<std::uint32_t>(points.size()));
    if (added) points.push_back(point);
    indices.push_back(place->second);
  }
  return indices;
}

#endif

}  // namespace

#ifdef MOOREA_TINYOBJ

Mesh read_obj(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) fail(path, error.message());
  // An index of a face takes a few characters in the file and several numbers in memory
  require_memory(20 * static_cast<double>(bytes), fmt::format("the mesh in {}", path));
  tinyobj::ObjReaderConfig config;
  config.triangulate = false;
  config.vertex_color = false;
  tinyobj::ObjReader reader;
  if (!reader.ParseFromFile(path, config)) {
    const std::string message = first_line(reader.Error());
    fail(path, message.empty() ? "this is no OBJ file" : message);
  }
  const std::vector<float>& numbers = reader.GetAttrib().vertices;
  for (const float each : numbers)
    if (!std::isfinite(each)) fail(path, "a coordinate of a vertex is not a finite number");
  std::vector<Mesh::Point> points;
  const std::vector<std::uint32_t> indices = welded(numbers, points);
  std::vector<Mesh::Face> faces;
  for (const tinyobj::shape_t& shape : reader.GetShapes()) {
    std::size_t at = 0;
    for (const unsigned corners : shape.mesh.num_face_vertices) {
      if (corners != 3 && corners != 4) {
        fail(path, fmt::format("face {} has {} corners: triangles and quads are supported, divide the others",
                               faces.size() + 1, corners));
      }
      Mesh::Face face;
      face.fill(Mesh::none);
      for (unsigned k = 0; k < corners; ++k) {
        const int index = shape.mesh.indices[at++].vertex_index;
        if (index < 0 || static_cast<std::size_t>(index) >= indices.size())
          fail(path, fmt::format("face {} names vertex {}, but there are {}", faces.size() + 1, index + 1,
                                 indices.size()));
        face[k] = indices[static_cast<std::size_t>(index)];
      }
      faces.push_back(face);
    }
  }
  if (faces.empty()) fail(path, "there is no face of three or four corners in this file: is it an OBJ file?");
  try {
    return Mesh(path, std::move(points), std::move(faces));
  } catch (const Error& cause) {
    fail(path, cause.what());
  }
}

#else

Mesh read_obj(const std::string& path) {
  throw Error(fmt::format("{}: this build reads no OBJ files, because tinyobjloader was not there (Debian: "
                          "libtinyobjloader-dev)",
                          path),
              ErrorKind::unavailable);
}

#endif

void write_obj(const Mesh& mesh, const std::string& path) {
  std::string text = fmt::format("# {}: {} faces\n", mesh.name(), mesh.face_count());
  for (const Mesh::Point& p : mesh.points())
    text += fmt::format("v {:.6g} {:.6g} {:.6g}\n", p[0], p[2], -p[1]);
  for (const Mesh::Face& face : mesh.faces()) {
    text += 'f';
    for (const std::uint32_t corner : face)
      if (corner != Mesh::none) text += fmt::format(" {}", corner + 1);
    text += '\n';
  }
  OutputFile file(path);
  file.write(text);
  file.finish();
}

}  // namespace moorea
