// SPDX-License-Identifier: MIT
#include "moorea/checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "checkpoints/tree_words.h"
#include "model/placed_quadtree.h"
#include "moorea/cell_tree.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/simulation.h"
#include "moorea/world_spec.h"

namespace moorea {
namespace {

class Checkpoint : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* reason = checkpoints_unavailable_reason()) GTEST_SKIP() << reason;
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name = "a.checkpoint") const { return (folder_ / name).string(); }

  std::string save(const Simulation& simulation, const std::string& notes = "{}") const {
    CheckpointSaver saver(path(), 2);
    saver.save(simulation, notes);
    saver.wait();
    EXPECT_EQ(saver.report().failure, "");
    return path();
  }

  static std::string bytes_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      (std::string("moorea-") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

Simulation noise(Size size, const std::string& device = "cpu") {
  Options options;
  options.device = device;
  return {Rule(), Topology::torus, Grid::random(size.width, size.height, 0.4, 7), options};
}

TEST_F(Checkpoint, ContinuesToTheSameCellsOnOtherDevices) {
  for (const Size size : {Size{1000, 777}, Size{64, 300000}, Size{1, 1}}) {
    Simulation simulation = noise(size, size.height > 2 ? "cpu,cpu,cpu,cpu" : "cpu");
    simulation.step(50);
    const CheckpointReader reader(save(simulation));
    simulation.step(50);
    EXPECT_EQ(reader.header().generation, 50u);
    for (const char* device : {"cpu", "cpu,cpu,cpu"}) {
      if (size.height < 3 && device != std::string("cpu")) continue;
      Options options;
      options.device = device;
      Simulation resumed = Simulation::of(reader.pattern(), options);
      EXPECT_EQ(resumed.hash(), reader.header().hash);
      EXPECT_EQ(resumed.population(), reader.header().population);
      resumed.step(50);
      EXPECT_EQ(resumed.generation(), 100u);
      EXPECT_EQ(resumed.hash(), simulation.hash());
    }
  }
}

TEST_F(Checkpoint, ADamagedFileDoesNotReplaceTheOneBefore) {
  Simulation simulation = noise({500, 300});
  for (int i = 0; i < 2; ++i) {
    simulation.step(10);
    save(simulation);
  }
  std::string damaged = bytes_of(path());
  damaged[damaged.size() / 2] ^= 4;
  std::ofstream(path(), std::ios::binary) << damaged;
  simulation.step(10);
  save(simulation);
  EXPECT_EQ(CheckpointReader(path()).header().generation, 30u);
  const CheckpointReader before(previous_checkpoint(path()));
  before.verify();
  EXPECT_EQ(before.header().generation, 10u);
}

// On a GPU the copy stays in its memory, with rows of 32-bit words.
TEST_F(Checkpoint, HoldsTheCellsOfEachDeviceAtTheTimeOfThePause) {
  for (const DeviceInfo& device : list_devices()) {
    for (const Size size : {Size{1000, 2777}, Size{33, 70}, Size{4096, 3000}}) {
      Simulation simulation = noise(size, device.name);
      simulation.step(20);
      const std::uint64_t hash = simulation.hash();
      CheckpointSaver saver(path(), 3);
      saver.save(simulation);
      simulation.step(30);
      saver.wait();
      EXPECT_EQ(saver.report().failure, "");
      EXPECT_EQ(saver.report().copied_on_device, device.name.starts_with("cuda")) << device.name;
      const CheckpointReader reader(path());
      EXPECT_EQ(reader.header().hash, hash) << device.name << " " << size.width;
      Simulation resumed = Simulation::of(reader.pattern());
      EXPECT_EQ(resumed.hash(), hash) << device.name << " " << size.width;
      resumed.step(30);
      EXPECT_EQ(resumed.hash(), simulation.hash()) << device.name << " " << size.width;
    }
  }
}

TEST_F(Checkpoint, KeepsAPlaneThatGrowsAtItsCoordinates) {
  Pattern glider = parse_pattern("x = 3, y = 3\nbo$2bo$3o!", "glider");
  glider.position = Position{-1'000'000'000, 70};
  Simulation simulation = Simulation::of(glider);
  simulation.step(1000);
  const std::string file = save(simulation);
  EXPECT_LT(std::filesystem::file_size(file), 2048u);
  Simulation resumed = Simulation::of(read_pattern(file));
  EXPECT_TRUE(resumed.grows());
  EXPECT_EQ(resumed.generation(), 1000u);
  EXPECT_EQ(resumed.hash(), simulation.hash());
  EXPECT_EQ(resumed.bounding_box(), simulation.bounding_box());
}

// Two gliders that are so many columns and rows apart.
CellTree far_gliders(std::int64_t apart) {
  std::vector<Position> cells;
  for (const std::int64_t corner : {-apart, std::int64_t{5}})
    for (const Position& cell : {Position{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}})
      cells.push_back({corner + cell.x, corner + cell.y});
  return CellTree::of(cells);
}

TEST_F(Checkpoint, KeepsCellsThatAreFarApartAsATree) {
  constexpr std::int64_t apart = 1'000'000'000;
  Simulation simulation = Simulation::of_tree(Rule(), far_gliders(apart));
  simulation.step(4002);
  const std::string file = save(simulation);
  EXPECT_LT(std::filesystem::file_size(file), 4096u);
  const CheckpointReader reader(file);
  const CheckpointHeader& header = reader.header();
  ASSERT_TRUE(header.tree_words);
  EXPECT_EQ(header.generation, 4002u);
  EXPECT_EQ(header.population, 10u);
  EXPECT_EQ(header.hash, simulation.hash());
  EXPECT_EQ(header.box, simulation.bounding_box());
  // A glider moves by a cell in four generations
  for (const std::int64_t corner : {1000 - apart, std::int64_t{1005}}) {
    const Box near = {corner - 3, corner - 2, 9, 7};
    EXPECT_EQ(reader.window(near), simulation.window(near));
    EXPECT_EQ(reader.window(near).population(), 5u);
  }
  EXPECT_THROW(reader.pattern(), Error);
  Simulation resumed = Simulation::of_tree(reader.facts().world().rule, reader.tree());
  resumed.set_generation(header.generation);
  EXPECT_EQ(resumed.hash(), simulation.hash());
  resumed.step(101);
  simulation.step(101);
  EXPECT_EQ(resumed.hash(), simulation.hash());
  std::optional<CellTree> sparse;
  const Pattern facts = read_pattern(file, sparse);
  ASSERT_TRUE(sparse);
  EXPECT_EQ(facts.generation, 4002u);
  EXPECT_EQ(sparse->population(), BigInteger(10));
  // Also from memory, as a file that is uploaded
  sparse.reset();
  parse_pattern(bytes_of(file), "bytes", sparse);
  EXPECT_TRUE(sparse);
}

TEST_F(Checkpoint, KeepsATreeAsATree) {
  Options options;
  options.kernel = "hashlife";
  const std::string gun =
      "x = 36, y = 9\n24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$"
      "11bo3bo$12b2o!";
  Simulation simulation = Simulation::of(parse_pattern(gun, "gun"), options);
  simulation.step(30 << 14);
  const std::string file = save(simulation);
  EXPECT_LT(std::filesystem::file_size(file), 16384u);
  const CheckpointReader reader(file);
  ASSERT_TRUE(reader.header().tree_words);
  EXPECT_EQ(reader.header().population, 36u + 5u * ((1u << 14) - 1u) + 5u);
  Simulation resumed = Simulation::of_tree(Rule(), reader.tree(), options);
  EXPECT_EQ(resumed.hash(), reader.header().hash);
  resumed.step(1000);
  simulation.step(1000);
  EXPECT_EQ(resumed.hash(), simulation.hash());
}

TEST_F(Checkpoint, ATreeThatIsNoneIsRefused) {
  const std::string file = save(Simulation::of_tree(Rule(), far_gliders(1 << 20)));
  const CheckpointReader reader(file);
  const Grid rows = words_of(reader.tree());
  EXPECT_EQ(rows.height(), *reader.header().tree_words);
  std::vector<std::uint64_t> words;
  for (std::int64_t y = 0; y < rows.height(); ++y) words.push_back(rows.row(y)[0]);
  const Box box = reader.header().box;
  EXPECT_EQ(bounding_box({tree_of_words(words, box, "good"), {}, {}})->as_box(), box);
  const auto refused = [&](std::size_t word, std::uint64_t value, const Box& at) {
    std::vector<std::uint64_t> bad = words;
    bad[word] = value;
    EXPECT_THROW((void)tree_of_words(bad, at, "bad"), Error) << word << " " << value;
  };
  const std::size_t leaves = words[0], squares = (words.size() - 1 - leaves) / 2;
  refused(0, leaves + 1, box);                             // half a square is left
  refused(0, words.size(), box);                           // more leaves than words
  refused(1, 0, box);                                      // dead cells, so that the box is another
  refused(leaves + 1, leaves + squares, box);              // a child that comes later
  refused(leaves + 1, 0, box);                             // a square without children
  refused(words.size() - 2, 1 | (leaves + 1) << 32, box);  // children of two sizes
  refused(1, words[1], {box.x, box.y, box.width + 1, box.height});
  EXPECT_THROW((void)tree_of_words({}, box, "nothing"), Error);
}

TEST_F(Checkpoint, KeepsAWorldWithoutLiveCells) {
  const Simulation dead(Rule(), Topology::plane, Grid(5000, 5000));
  EXPECT_LT(std::filesystem::file_size(save(dead)), 4096u);
  EXPECT_EQ(read_pattern(path()).cells, Grid(5000, 5000));
  Pattern nothing;
  save(Simulation::unbounded(Rule(), nothing));
  EXPECT_TRUE(read_pattern(path()).cells.empty());
}

TEST_F(Checkpoint, KeepsASurface) {
  const auto mesh = Mesh::make("torus:30x20");
  Simulation simulation(WorldSpec::on(Rule(), mesh, Adjacency::vertex), Grid::random(30, 20, 0.4, 1));
  simulation.step(9);
  const CheckpointReader reader(save(simulation));
  EXPECT_EQ(reader.header().mesh, "torus:30x20");
  EXPECT_EQ(reader.header().mesh_checksum, mesh_checksum(*Mesh::make("torus:30x20")));
  EXPECT_NE(reader.header().mesh_checksum, mesh_checksum(*Mesh::make("klein:30x20")));
  const Simulation resumed =
      Simulation::of(reader.pattern(), WorldSpec::on(Rule(), mesh, reader.header().adjacency));
  EXPECT_EQ(resumed.hash(), simulation.hash());
  EXPECT_EQ(reader.simulation().world().mesh->name(), "torus:30x20");
  EXPECT_EQ(Simulation::of(read_pattern(path())).topology(), Topology::surface);
}

TEST_F(Checkpoint, ReadsAWindowWithoutTheRest) {
  Simulation simulation = noise({4096, 9000});
  const std::string file = save(simulation);
  const CheckpointReader reader(file);
  ASSERT_GT(reader.chunks().size(), 3u);
  // The last chunk's bytes are lost: rows of the others can be read
  const CheckpointChunk& last = reader.chunks().back();
  std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekp(static_cast<std::streamoff>(last.offset));
  stream << "lost";
  stream.close();
  const Box box = {-3, 100, 500, 2000};
  EXPECT_EQ(reader.window(box), simulation.window(box));
  Grid rows(4096, 70);
  reader.read_rows(2040, rows.view());
  EXPECT_EQ(rows, simulation.window({0, 2040, 4096, 70}));
  EXPECT_THROW(reader.window({0, last.row, 1, 1}), Error);
  EXPECT_THROW(reader.verify(), Error);
}

TEST_F(Checkpoint, IsWrittenByPartsOfAnyNumberOfRows) {
  const Simulation simulation = noise({300, 100});
  const CheckpointHeader header = checkpoint_header(simulation);
  CheckpointWriter creator(path(), header);
  CheckpointWriter joined(path(), header, CheckpointWriter::Role::joins);
  std::vector<CheckpointChunk> chunks(3);
  std::uint64_t offset = creator.first_offset();
  std::int64_t row = 0;
  for (std::size_t part = 0; part < 3; ++part) {
    const std::int64_t rows = std::vector<std::int64_t>{1, 60, 39}[part];
    chunks[part].row = row;
    chunks[part].offset = offset;
    const std::string bytes =
        compress_checkpoint_rows(simulation.window({0, row, 300, rows}), {0, row}, chunks[part]);
    (part == 1 ? joined : creator).write(offset, bytes);
    offset += bytes.size();
    row += rows;
  }
  joined.synchronise();
  EXPECT_FALSE(std::filesystem::exists(path()));
  const std::vector<CheckpointChunk> missing(chunks.begin(), chunks.begin() + 2);
  EXPECT_THROW(creator.finish(missing, 0, 0), Error);
  creator.finish(chunks, simulation.population(), simulation.hash());
  EXPECT_EQ(read_pattern(path()).cells, simulation.grid());
}

TEST_F(Checkpoint, TheOneBeforeStays) {
  Simulation simulation = noise({100, 100});
  save(simulation);
  const std::string first = bytes_of(path());
  simulation.step(1);
  save(simulation);
  EXPECT_EQ(bytes_of(previous_checkpoint(path())), first);
  simulation.step(1);
  save(simulation);
  EXPECT_EQ(CheckpointReader(path()).header().generation, 2u);
  EXPECT_EQ(CheckpointReader(previous_checkpoint(path())).header().generation, 1u);
  // If the last one is missing, the one before stays until there is another
  std::filesystem::remove(path());
  save(simulation);
  EXPECT_EQ(CheckpointReader(previous_checkpoint(path())).header().generation, 1u);
  EXPECT_FALSE(std::filesystem::exists(path() + ".partial"));
}

TEST_F(Checkpoint, FailuresKeepTheLastOne) {
  Simulation simulation = noise({100, 100});
  save(simulation);
  std::filesystem::create_directory(path() + ".partial");
  CheckpointSaver saver(path());
  simulation.step(1);
  saver.save(simulation);
  saver.wait();
  EXPECT_EQ(saver.report().failed, 1u);
  EXPECT_NE(saver.report().failure.find("cannot create the checkpoint"), std::string::npos);
  EXPECT_EQ(CheckpointReader(path()).header().generation, 0u);
}

TEST_F(Checkpoint, WithoutMemoryForACopyItIsWrittenDuringThePause) {
  const Simulation simulation = noise({4096, 8192});
  ASSERT_EQ(setenv("MOOREA_MEMORY", "2M", 1), 0);
  CheckpointSaver saver(path());
  saver.save(simulation);
  EXPECT_FALSE(saver.busy());
  unsetenv("MOOREA_MEMORY");
  EXPECT_EQ(saver.report().written, 1u);
  EXPECT_EQ(saver.report().copy_bytes, 0u);
  EXPECT_EQ(read_pattern(path()).cells, simulation.grid());
}

TEST_F(Checkpoint, WaitsForNoOtherWriterOfItsFile) {
  const Simulation simulation = noise({100, 100});
  const CheckpointWriter other(path(), checkpoint_header(simulation));
  CheckpointSaver saver(path());
  saver.save(simulation);
  saver.wait();
  EXPECT_NE(saver.report().failure.find("another process is writing this checkpoint"), std::string::npos);
}

TEST_F(Checkpoint, NotesAreThoseOfTheProgram) {
  EXPECT_EQ(CheckpointReader(save(noise({10, 10}), R"({"goal":[1,"two"]})")).header().notes,
            R"({"goal":[1,"two"]})");
}

TEST_F(Checkpoint, EveryFlippedBitIsFound) {
  save(noise({70, 33}), R"({"a":1})");
  const std::string rows = bytes_of(path());
  save(Simulation::of_tree(Rule(), far_gliders(1 << 20)));
  for (const std::string& good : {rows, bytes_of(path())}) {
    CheckpointReader(good, "good").verify();
    for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
      std::string bad = good;
      bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ 1 << bit % 8);
      EXPECT_THROW(CheckpointReader(bad, "bad").verify(), Error) << "bit " << bit;
    }
    for (std::size_t bytes = 0; bytes < good.size(); ++bytes)
      EXPECT_THROW(CheckpointReader(std::string_view(good).substr(0, bytes), "short").verify(), Error)
          << bytes;
    EXPECT_THROW(CheckpointReader(good + "x", "long").verify(), Error);
  }
}

}  // namespace
}  // namespace moorea
