// SPDX-License-Identifier: MIT
#include "moorea/mesh.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "meshes/numbering.h"
#include "meshes/tables.h"
#include "moorea/error.h"
#include "moorea/simulation.h"

namespace moorea {
namespace {

struct Expected {
  const char* name;
  std::int64_t faces, euler, boundary;
  bool orientable;
  int least, most;  // neighbours, by vertices
};

TEST(Meshes, FactsOfGeneratedSurfaces) {
  for (const Expected& each : {Expected{"torus:16x8", 128, 0, 0, true, 8, 8},
                               {"torus:3x3", 9, 0, 0, true, 8, 8},
                               {"klein:16x8", 128, 0, 0, false, 8, 8},
                               {"moebius:16x4", 64, 0, 32, false, 5, 8},
                               {"sphere:1", 6, 2, 0, true, 4, 4},
                               {"sphere:4", 96, 2, 0, true, 7, 8},
                               {"icosphere:1", 20, 2, 0, true, 9, 9},
                               {"icosphere:6", 720, 2, 0, true, 11, 12},
                               {"double-torus:2", 200, -2, 0, true, 7, 9}}) {
    const MeshFacts facts = Mesh::make(each.name)->facts();
    EXPECT_EQ(facts.faces, each.faces) << each.name;
    EXPECT_EQ(facts.euler_characteristic(), each.euler) << each.name;
    EXPECT_EQ(facts.boundary_edges, each.boundary) << each.name;
    EXPECT_EQ(facts.orientable, each.orientable) << each.name;
    EXPECT_EQ(facts.least_neighbours, each.least) << each.name;
    EXPECT_EQ(facts.most_neighbours, each.most) << each.name;
    EXPECT_EQ(facts.components, 1) << each.name;
    const MeshFacts random = Mesh::make(std::string(each.name) + ":shuffled")->facts(Adjacency::edge);
    EXPECT_EQ(random.euler_characteristic(), each.euler) << each.name;
    EXPECT_EQ(random.most_neighbours, facts.triangles > 0 ? 3 : 4) << each.name;
  }
}

// Faces of closed generated surfaces show their outer side: each corner follows the one before
// counterclockwise.
TEST(Meshes, FacesPointOutwards) {
  for (const char* name : {"sphere:5", "icosphere:4"}) {
    const std::shared_ptr<const Mesh> mesh = Mesh::make(name);
    for (const Mesh::Face& face : mesh->faces()) {
      const Mesh::Point &a = mesh->points()[face[0]], &b = mesh->points()[face[1]],
                        &c = mesh->points()[face[2]];
      const float u[] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
                  v[] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
      const float outwards = (u[1] * v[2] - u[2] * v[1]) * a[0] + (u[2] * v[0] - u[0] * v[2]) * a[1] +
                             (u[0] * v[1] - u[1] * v[0]) * a[2];
      EXPECT_GT(outwards, 0) << name;
    }
  }
}

std::string mesh_error(const std::string& name) {
  try {
    Mesh::make(name);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Meshes, NamesThatAreNone) {
  for (const char* name : {"", "torus", "torus:", "torus:8", "torus:8x", "torus:2x8", "torus:8x2",
                           "torus:-4x4", "torus:8x8x8", "cube:4", "sphere:0", "sphere:x", "sphere:100000",
                           "torus:99999x99999", "klein:4", ":shuffled", "torus:8x8:Shuffled"}) {
    const std::string error = mesh_error(name);
    EXPECT_NE(error.find("mesh \""), std::string::npos) << name << ": " << error;
  }
}

class ObjFiles : public testing::Test {
 protected:
  ObjFiles()
      : path_(std::filesystem::temp_directory_path() /
              ("moorea-mesh-test-" + std::to_string(getpid()) + ".obj")) {}
  ~ObjFiles() override { std::filesystem::remove(path_); }
  std::string error_of_text(const std::string& text) {
    std::ofstream(path_) << text;
    return mesh_error(path_.string());
  }
  std::filesystem::path path_;
};

constexpr const char* square_obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\n";

TEST_F(ObjFiles, WhatIsWrong) {
  const auto expect = [&](const std::string& text, const char* cause) {
    const std::string error = error_of_text(text);
    EXPECT_NE(error.find(cause), std::string::npos) << text << "\n" << error;
    EXPECT_NE(error.find(path_.string()), std::string::npos) << error;
  };
  const std::string points = square_obj;
  expect("", "no face");
  expect("what is this\n", "no face");
  expect(points + "f 1 2 3 4 5\n", "face 1 has 5 corners");
  expect(points + "f 1 2 3\nf 1 2 99\n", "vertex 99, but there are 6");
  expect(points + "f 1 2 2\n", "degenerate");
  expect(points + "f 1 2 3\nf 1 2 4\nf 1 2 5\n", "share an edge");
  expect(points + "f 1 2 3 4\nf 4 3 2 1\n", "same corners");
  expect("v 0 0 1e39\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not a finite number");
  EXPECT_NE(mesh_error("/nowhere/a.obj").find("/nowhere/a.obj"), std::string::npos);
}

TEST_F(ObjFiles, ReadsWhatItWrites) {
  for (const char* name : {"sphere:3", "icosphere:2", "moebius:9x2"}) {
    const std::shared_ptr<const Mesh> mesh = Mesh::make(name);
    write_obj(*mesh, path_.string());
    const std::shared_ptr<const Mesh> again = Mesh::make(path_.string());
    EXPECT_EQ(again->face_count(), mesh->face_count());
    EXPECT_EQ(again->facts().euler_characteristic(), mesh->facts().euler_characteristic());
    EXPECT_EQ(again->facts().most_neighbours, mesh->facts().most_neighbours);
  }
}

// Exporters write a vertex once for each normal and texture.
TEST_F(ObjFiles, PointsAtOnePlaceAreOne) {
  std::ofstream(path_) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvn 0 0 1\nvt 0 0\n"
                          "f 1/1/1 2/1/1 3/1/1\nf 4/1/1 6/1/1 5/1/1\n";
  const MeshFacts facts = Mesh::make(path_.string())->facts();
  EXPECT_EQ(facts.vertices, 4);
  EXPECT_EQ(facts.most_neighbours, 1);
}

// Along strips, the words of a regular mesh have few patterns, whatever the order that it came in.
TEST(Numberings, StripsFindTheRowsOfAShuffledMesh) {
  for (const char* name : {"torus:192x64:shuffled", "icosphere:48:shuffled", "sphere:40:shuffled"}) {
    const std::shared_ptr<const Mesh> mesh = Mesh::make(name);
    const FaceNeighbours neighbours = neighbours_of(*mesh, Adjacency::vertex);
    const auto exceptions = [&](const std::vector<std::uint32_t>& numbers) {
      std::vector<std::uint32_t> sorted = numbers;
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], i) << name;
      const TableArrays arrays = make_tables(neighbours, numbers, {kernels::MeshTable::words, 64});
      return static_cast<double>(arrays.exceptions) / static_cast<double>(arrays.faces);
    };
    EXPECT_LT(exceptions(strip_numbers(*mesh)), 0.2) << name;
    EXPECT_EQ(exceptions(random_numbers(mesh->faces().size())), 1) << name;
    exceptions(cuthill_mckee_numbers(neighbours));
  }
}

TEST(Surfaces, NeedAMeshOfTheirSize) {
  const std::shared_ptr<const Mesh> mesh = Mesh::make("torus:8x8");
  EXPECT_THROW(Simulation(WorldSpec::on(Rule(), mesh), Grid(8, 9)), Error);
  EXPECT_THROW(Simulation(Rule(), Topology::surface, Grid(8, 8)), Error);
  Simulation simulation(WorldSpec::on(Rule(), mesh), Grid(8, 8));
  EXPECT_EQ(simulation.world().mesh, mesh);
  EXPECT_EQ(simulation.topology(), Topology::surface);
  EXPECT_NE(simulation.kernel().find("/mesh/"), std::string::npos);
  Options flat;
  flat.kernel = "cpu/bits";
  EXPECT_THROW(Simulation(WorldSpec::on(Rule(), mesh), Grid(8, 8), flat), Error);
  Options numbered;
  numbered.kernel = "cpu/bits";
  numbered.numbering = Numbering::strips;
  EXPECT_THROW(Simulation(Rule(), Topology::torus, Grid(8, 8), numbered), Error);
}

}  // namespace
}  // namespace moorea
