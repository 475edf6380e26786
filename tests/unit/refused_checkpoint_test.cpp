// SPDX-License-Identifier: MIT
// Worlds and files of which there is no checkpoint: what was written could not be read.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "moorea/cell_tree.h"
#include "moorea/checkpoint.h"
#include "moorea/error.h"
#include "moorea/mesh.h"
#include "moorea/simulation.h"
#include "moorea/support/scratch_folder.h"

namespace moorea {
namespace {

class RefusedCheckpoint : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* reason = checkpoints_unavailable_reason()) GTEST_SKIP() << reason;
  }
  std::string path() const { return (folder_.path() / "a.checkpoint").string(); }
  static Simulation soup() { return Simulation(Rule(), Topology::torus, Grid::random(64, 64, 0.4, 1)); }

 private:
  ScratchFolder folder_;
};

TEST_F(RefusedCheckpoint, OfAMeshThatCannotBeMadeAgainIsNotWritten) {
  const auto made = Mesh::make("torus:5x4");
  for (const char* name : {"", "mine", "klein:5x4"}) {
    const auto mesh = std::make_shared<const Mesh>(name, made->points(), made->faces(), made->size());
    CheckpointSaver saver(path(), 1);
    saver.save(Simulation(WorldSpec::on(Rule(), mesh), Grid::random(5, 4, 0.5, 1)));
    saver.wait();
    EXPECT_NE(saver.report().failure.find("is not what Mesh::make() makes of this name"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(path()));
    // The next simulation may be another one
    saver.save(Simulation(WorldSpec::on(Rule(), made), Grid::random(5, 4, 0.5, 1)));
    saver.save(soup());
    saver.wait();
    EXPECT_EQ(saver.report().failure, "");
    std::filesystem::remove(path());
  }
}

TEST_F(RefusedCheckpoint, OfCellsThatAreTooFarApartIsNotWritten) {
  constexpr std::int64_t far = (std::int64_t{1} << 60) - 10;
  for (const std::int64_t other : {-far, std::int64_t{5} - far / 2}) {
    const CellTree cells = CellTree::of(std::vector<Position>{{far, 0}, {far, 1}, {other, 0}});
    const Simulation plane = Simulation::of_tree(Rule(), cells);
    CheckpointSaver saver(path(), 1);
    saver.save(plane);
    saver.wait();
    EXPECT_NE(saver.report().failure.find("expected sides of 0 to 2^60"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(path()));
  }
  // The largest box that there can be
  CheckpointSaver saver(path(), 1);
  saver.save(Simulation::of_tree(Rule(), CellTree::of(std::vector<Position>{{-far, 0}, {-5, 1}})));
  saver.wait();
  EXPECT_EQ(saver.report().failure, "");
  EXPECT_EQ(CheckpointReader(path()).tree().population(), BigInteger(2));
}

TEST_F(RefusedCheckpoint, LeavesNoFileThatCannotGetItsName) {
  CheckpointSaver saver(path(), 1);
  std::filesystem::create_directory(path());
  std::ofstream(std::filesystem::path(path()) / "x") << "x";
  saver.save(soup());
  saver.wait();
  EXPECT_NE(saver.report().failure, "");
  EXPECT_FALSE(std::filesystem::exists(path() + ".partial"));
  std::filesystem::remove_all(path());
  EXPECT_THROW(CheckpointSaver(""), Error);
}

TEST_F(RefusedCheckpoint, DoesNotReplaceAnotherFile) {
  std::ofstream(path()) << "x = 1, y = 1\no!\n";
  EXPECT_THROW(CheckpointSaver(path(), 1), Error);
  EXPECT_EQ(std::filesystem::file_size(path()), 16u);
  std::filesystem::resize_file(path(), 0);
  for (int i = 0; i < 2; ++i) {
    CheckpointSaver saver(path(), 1);
    saver.save(soup());
    saver.wait();
    EXPECT_EQ(saver.report().failure, "");
  }
  // Damaged, beside its previous one
  std::ofstream(path()) << "damaged";
  CheckpointSaver saver(path(), 1);
  saver.save(soup());
  saver.wait();
  EXPECT_EQ(saver.report().failure, "");
  EXPECT_EQ(CheckpointReader(path()).header().population, soup().population());
  // Nor one that has the name of a previous checkpoint
  std::filesystem::remove(path());
  std::ofstream(path() + ".previous") << "notes";
  EXPECT_THROW(CheckpointSaver(path(), 1), Error);
}

}  // namespace
}  // namespace moorea
