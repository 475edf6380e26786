// SPDX-License-Identifier: MIT
// Every kernel of meshes against a definition on meshes that shares no code with the library, and against
// flat worlds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "definition.h"
#include "every_board.h"
#include "moorea/inventory.h"
#include "moorea/mesh.h"
#include "moorea/simulation.h"

namespace moorea {
namespace {

// Faces that share a corner, or two for an edge, by comparing all corners with each other.
std::vector<std::set<std::size_t>> neighbours_by_definition(const Mesh& mesh, Adjacency adjacency) {
  std::vector<std::set<std::size_t>> faces_of(mesh.points().size());
  for (std::size_t i = 0; i < mesh.faces().size(); ++i)
    for (const std::uint32_t corner : mesh.faces()[i])
      if (corner != Mesh::none) faces_of[corner].insert(i);
  const auto edges_of = [&](std::size_t i) {
    std::set<std::set<std::uint32_t>> edges;
    std::vector<std::uint32_t> corners(mesh.faces()[i].begin(), mesh.faces()[i].end());
    std::erase(corners, Mesh::none);
    for (std::size_t k = 0; k < corners.size(); ++k)
      edges.insert({corners[k], corners[(k + 1) % corners.size()]});
    return edges;
  };
  std::vector<std::set<std::size_t>> neighbours(mesh.faces().size());
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    for (const std::uint32_t corner : mesh.faces()[i]) {
      if (corner == Mesh::none) continue;
      for (const std::size_t other : faces_of[corner]) {
        if (other == i) continue;
        const auto mine = edges_of(i), theirs = edges_of(other);
        const bool shares_edge =
            std::any_of(mine.begin(), mine.end(), [&](const auto& e) { return theirs.contains(e); });
        if (adjacency == Adjacency::vertex || shares_edge) neighbours[i].insert(other);
      }
    }
  }
  return neighbours;
}

Grid after(const Grid& start, const Rule& rule, const std::vector<std::set<std::size_t>>& neighbours,
           int generations) {
  const auto cell = [&](const Grid& grid, std::size_t i) {
    const auto face = static_cast<std::int64_t>(i);
    return grid.alive(face % grid.width(), face / grid.width());
  };
  Grid now = start;
  for (int g = 0; g < generations; ++g) {
    Grid next(now.width(), now.height());
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const auto alive = std::count_if(neighbours[i].begin(), neighbours[i].end(),
                                       [&](std::size_t other) { return cell(now, other); });
      const unsigned counts = cell(now, i) ? rule.survival() : rule.birth();
      const auto face = static_cast<std::int64_t>(i);
      if (alive <= 8 && (counts >> alive & 1) != 0) next.set(face % now.width(), face / now.width(), true);
    }
    now = next;
  }
  return now;
}

constexpr Numbering numberings[] = {Numbering::given, Numbering::strips, Numbering::cuthill_mckee,
                                    Numbering::shuffled};

class EveryMeshKernel : public testing::TestWithParam<std::string> {
 protected:
  Options with(Numbering numbering, int threads = 1) const {
    Options options;
    options.kernel = GetParam();
    options.numbering = numbering;
    options.threads = threads;
    return options;
  }
  void SetUp() override {
    const KernelInfo info = kernel_info(GetParam());
    if (!info.runs) GTEST_SKIP() << info.reason;
  }
};

std::vector<std::string> mesh_kernels() {
  std::vector<std::string> names = test::kernel_names();
  std::erase_if(names, [](const std::string& name) { return name.find("/mesh/") == std::string::npos; });
  return names;
}

using Neighbours = std::vector<std::set<std::size_t>>;

struct Surface {
  explicit Surface(const char* name) : mesh(Mesh::make(name)) {}
  std::shared_ptr<const Mesh> mesh;
  Neighbours by_vertex = neighbours_by_definition(*mesh, Adjacency::vertex),
             by_edge = neighbours_by_definition(*mesh, Adjacency::edge);
};

// Closed and open surfaces, triangles and quads, sizes around a word, and one with faces in random order.
// Made once for all kernels.
const std::vector<Surface>& surfaces() {
  static const std::vector<Surface> all = [] {
    std::vector<Surface> made;
    for (const char* name :
         {"torus:3x3", "torus:9x7", "torus:64x5", "torus:65x4:shuffled", "klein:12x5", "moebius:40x3",
          "sphere:1", "sphere:6", "icosphere:1", "icosphere:7", "icosphere:5:shuffled", "double-torus:2"})
      made.emplace_back(name);
    try {
      for (const char* name : {MOOREA_SOURCE_DIR "/meshes/rock.obj", MOOREA_SOURCE_DIR "/meshes/trefoil.obj"})
        made.emplace_back(name);
    } catch (const Error& error) {  // a build without tinyobjloader
      if (error.kind() != ErrorKind::unavailable) throw;
    }
    return made;
  }();
  return all;
}

TEST_P(EveryMeshKernel, AgreesWithTheDefinition) {
  std::vector<const char*> rules = {"B3/S23", "B2/S34", "B01/S15", "B1357/S02468"};
  if (test::is_sanitized) {  // one of them, another one for the next kernel
    const std::vector<std::string> kernels = mesh_kernels();
    const auto number = std::find(kernels.begin(), kernels.end(), GetParam()) - kernels.begin();
    rules = {rules[static_cast<std::size_t>(number) % rules.size()]};
  }
  int refused = 0;
  for (const Surface& surface : surfaces()) {
    const std::shared_ptr<const Mesh>& mesh = surface.mesh;
    for (const Adjacency adjacency : {Adjacency::vertex, Adjacency::edge}) {
      const Neighbours& neighbours = adjacency == Adjacency::vertex ? surface.by_vertex : surface.by_edge;
      for (const char* text : rules) {
        const WorldSpec world = WorldSpec::on(Rule::parse(text), mesh, adjacency);
        const Grid start = Grid::random(world.width, world.height, 0.4, 7);
        const Grid expected = after(start, world.rule, neighbours, 5);
        for (const Numbering numbering : numberings) {
          try {
            Simulation simulation(world, start, with(numbering));
            simulation.step(2);
            simulation.step(3);
            ASSERT_EQ(simulation.grid(), expected) << mesh->name() << ", " << text << ", "
                                                   << to_string(adjacency) << ", " << to_string(numbering);
          } catch (const Error& error) {
            ASSERT_EQ(error.kind(), ErrorKind::unavailable) << error.what();
            ++refused;
          }
        }
      }
    }
  }
  // Kernels that find corners in two steps have quads in rows and columns alone, by vertices: four tori and
  // the knot of the OBJ file
  const bool two_steps = GetParam().find("two_steps") != std::string::npos;
  const int all = static_cast<int>(surfaces().size()), regular = all == 14 ? 5 : 4;
  EXPECT_EQ(refused, two_steps ? 4 * static_cast<int>(rules.size()) * (2 * all - regular) : 0);
}

// On a torus of quads the cells are those of the flat torus.
TEST_P(EveryMeshKernel, TorusOfQuadsIsTheFlatTorus) {
  for (const char* name : {"torus:37x21", "torus:128x64", "torus:200x13"}) {
    const std::shared_ptr<const Mesh> mesh = Mesh::make(name);
    const Grid start = Grid::random(mesh->size().width, mesh->size().height, 0.35, 3);
    Simulation flat(Rule(), Topology::torus, start);
    flat.step(100);
    for (const int threads : {1, 3}) {
      Simulation surface(WorldSpec::on(Rule(), mesh), start, with(Numbering::strips, threads));
      surface.step(100);
      EXPECT_EQ(surface.grid(), flat.grid()) << name;
      EXPECT_EQ(surface.hash(), flat.hash());
      EXPECT_EQ(surface.population(), flat.population());
      EXPECT_EQ(surface.bounding_box(), flat.bounding_box());
    }
  }
}

// A flat world is a mesh too.
TEST_P(EveryMeshKernel, FlatWorlds) {
  for (const Topology topology : {Topology::plane, Topology::torus}) {
    for (const Size size : {Size{1, 1}, {1, 5}, {2, 3}, {63, 4}, {64, 64}, {130, 9}}) {
      const Grid start = Grid::random(size.width, size.height, 0.4, 5);
      Simulation flat(Rule(), topology, start);
      flat.step(10);
      for (const Numbering numbering : numberings) {
        Simulation mesh(Rule(), topology, start, with(numbering));
        mesh.step(10);
        EXPECT_EQ(mesh.grid(), flat.grid())
            << size.width << " x " << size.height << ", " << to_string(numbering);
      }
    }
  }
}

// Cells keep their places when they are edited and read, whatever their order in memory.
TEST_P(EveryMeshKernel, EditsAndWindows) {
  const std::shared_ptr<const Mesh> mesh = Mesh::make("torus:100x30");
  const Grid start = Grid::random(100, 30, 0.3, 11), more = Grid::random(70, 9, 0.5, 12);
  for (const Numbering numbering : numberings) {
    Simulation simulation(WorldSpec::on(Rule(), mesh), start, with(numbering));
    Simulation flat(Rule(), Topology::torus, start);
    for (const PasteMode mode :
         {PasteMode::replace, PasteMode::bitwise_or, PasteMode::bitwise_xor, PasteMode::bitwise_and_not}) {
      for (Simulation* each : {&simulation, &flat}) {
        each->paste(more.view(), {-3, 25}, mode);
        each->step(2);
        each->paste(more.view(), {61, -4}, mode);
      }
      EXPECT_EQ(simulation.grid(), flat.grid()) << to_string(numbering);
      EXPECT_EQ(simulation.window({-5, 3, 80, 40}), flat.window({-5, 3, 80, 40}));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryMeshKernel, testing::ValuesIn(mesh_kernels()), [](const auto& kernel) {
  std::string name = kernel.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

}  // namespace
}  // namespace moorea
