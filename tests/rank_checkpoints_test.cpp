// SPDX-License-Identifier: MIT
// A checkpoint that ranks write together is one file of the whole world at one generation, and an error of
// one rank leaves the file before as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "checkpoints/rank_part.h"
#include "moorea/inventory.h"
#include "moorea/rank_checkpoint.h"
#include "moorea/ranks.h"
#include "thread_ranks.h"

namespace moorea::test {
namespace {

using Link = std::shared_ptr<RankLink>;

class RankCheckpoints : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* reason = checkpoints_unavailable_reason()) GTEST_SKIP() << reason;
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / "a.checkpoint").string(); }

 private:
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      (std::string("moorea-ranks-") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

// A rank that continues 30 ms after what it receives.
class LateLink final : public RankLink {
 public:
  explicit LateLink(Link link) : link_(std::move(link)) {}

  int rank() const override { return link_->rank(); }
  int size() const override { return link_->size(); }
  std::vector<int> ranks_of_host() const override { return link_->ranks_of_host(); }
  void transfer(std::span<const Outgoing> out, std::span<const Incoming> in) override {
    link_->transfer(out, in);
    if (!in.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  void wait_until(const std::function<bool()>& done, std::span<const int> ranks) override {
    link_->wait_until(done, ranks);
  }
  void raise(const std::string& text, ErrorKind kind) noexcept override { link_->raise(text, kind); }

 private:
  Link link_;
};

Simulation divided(Size size, const Link& link, const std::vector<double>& shares = {},
                   const std::string& device = "cpu") {
  RankedWorld world;
  world.spec = {Rule(), Topology::torus, size.width, size.height};
  world.start = [size](std::int64_t top, std::int64_t rows) {
    return noise_rows({size.width, rows}, top, 0.4, 7);
  };
  world.shares = shares;
  Options options;
  options.threads = 1;
  options.device = device;
  return simulate_ranks(world, link, options);
}

void require(bool is_true, const char* fact) {
  if (!is_true) throw std::runtime_error(fact);  // threads cannot use ASSERT_*
}

void expect_no_errors(const std::vector<std::string>& errors) {
  for (std::size_t rank = 0; rank < errors.size(); ++rank) EXPECT_EQ(errors[rank], "") << "rank " << rank;
}

TEST_F(RankCheckpoints, HoldTheWholeWorldAtTheTimeOfThePause) {
  const int cases = std::getenv("MOOREA_TEST_ALL") != nullptr ? 300 : 8;
  std::mt19937 random(20261123);
  const auto number = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  for (int i = 0; i < cases; ++i) {
    const Size size = {number(1, 3000), number(5, i % 4 == 0 ? 30'000 : 300)};
    std::vector<double> shares(static_cast<std::size_t>(number(1, 5)));
    for (double& share : shares) share = static_cast<double>(number(1, 9));
    const auto before = static_cast<std::uint64_t>(number(0, 30));
    SCOPED_TRACE("case " + std::to_string(i));
    std::uint64_t hash = 0;
    expect_no_errors(ThreadRanks(static_cast<int>(shares.size())).run([&](const Link& link) {
      Simulation simulation = divided(size, link, shares);
      simulation.step(before);
      const std::uint64_t present = simulation.hash();
      if (link->rank() == 0) hash = present;
      RankCheckpointSaver saver(path(), link, 2);
      for (int turn = 0; turn < 3; ++turn) {
        saver.save(simulation, link->rank() == 0 ? R"({"a":1})" : R"({"a":20000})");
        if (turn < 2) continue;
        require(saver.busy(), "not busy");
        simulation.step(20, [&] { return saver.advance(), true; });
      }
      saver.wait();
      const CheckpointSaver::Report report = saver.report();
      require(!saver.busy() && report.written == 3 && report.generation == before, "another report");
      require(report.bytes == std::filesystem::file_size(path()), "another size");
      require(report.copy_bytes == static_cast<std::uint64_t>((size.width + 63) / 64 * 8 * size.height),
              "another copy");
    }));
    for (const std::string& file : {path(), previous_checkpoint(path())}) {
      const CheckpointReader reader(file);
      reader.verify();
      EXPECT_EQ(reader.header().hash, hash);
      EXPECT_EQ(reader.header().generation, before);
      EXPECT_EQ(reader.header().notes, R"({"a":1})");
      Simulation resumed = Simulation::of(reader.pattern());
      EXPECT_EQ(resumed.hash(), hash);
      EXPECT_EQ(resumed.population(), reader.header().population);
    }
    EXPECT_FALSE(std::filesystem::exists(path() + ".partial"));
    if (HasFailure()) return;
  }
}

TEST_F(RankCheckpoints, ALinkStaysAndFoldersAreRefused) {
  const std::filesystem::path folder = std::filesystem::path(path()).parent_path();
  const std::string link_name = (folder / "link").string();
  std::filesystem::create_symlink(std::filesystem::path(path()).filename(), link_name);
  expect_no_errors(ThreadRanks(2).run([&](const Link& link) {
    Simulation simulation = divided({500, 300}, link);
    simulation.step(4);
    RankCheckpointSaver saver(link_name, link, 1);
    saver.save(simulation);
    saver.wait();
  }));
  EXPECT_TRUE(std::filesystem::is_symlink(link_name));
  EXPECT_EQ(CheckpointReader(path()).header().generation, 4u);
  for (const std::string& error :
       ThreadRanks(2).run([&](const Link& link) { RankCheckpointSaver(folder.string(), link, 1); }))
    EXPECT_TRUE(error.find("a folder; a checkpoint is an ordinary file") != std::string::npos) << error;
}

// On a GPU the copy stays in its memory.
TEST_F(RankCheckpoints, AreWrittenFromEachDevice) {
  for (const DeviceInfo& device : list_devices()) {
    const Size size = {1000, 2777};
    expect_no_errors(ThreadRanks(2).run([&](const Link& link) {
      Simulation simulation = divided(size, link, {1, 2}, device.name);
      simulation.step(20);
      const std::uint64_t hash = simulation.hash();
      RankCheckpointSaver saver(path(), link, 2);
      saver.save(simulation);
      simulation.step(30);
      saver.wait();
      require(saver.report().copied_on_device == device.name.starts_with("cuda"), "another memory");
      require(CheckpointReader(path()).header().hash == hash, "another hash");
      Simulation resumed = Simulation::of(CheckpointReader(path()).pattern());
      resumed.step(30);
      require(resumed.hash() == simulation.hash(), "other cells");
    }));
  }
}

TEST_F(RankCheckpoints, WithoutMemoryForACopyAreWrittenDuringThePause) {
  expect_no_errors(ThreadRanks(3).run([&](const Link& link) {
    const Simulation simulation = divided({4096, 8192}, link, {1, 1, 6});  // copies of 0.5, 0.5 and 3 MiB
    RankCheckpointSaver saver(path(), link, 2);
    wait_for_ranks(*link);
    if (link->rank() == 0) setenv("MOOREA_MEMORY", "2M", 1);
    wait_for_ranks(*link);
    saver.save(simulation);
    require(!saver.busy() && saver.report().written == 1, "not written");
    require(saver.report().copy_bytes == 1 << 20, "another copy");
    wait_for_ranks(*link);
    if (link->rank() == 0) unsetenv("MOOREA_MEMORY");
    wait_for_ranks(*link);
    require(CheckpointReader(path()).header().hash == simulation.hash(), "another hash");
  }));
  EXPECT_EQ(read_pattern(path()).cells, Grid::random(4096, 8192, 0.4, 7));
}

// 80 MiB of cells that cannot be compressed.
TEST_F(RankCheckpoints, KeepFewCompressedRowsInMemory) {
  CheckpointHeader header;
  header.bounds = {Topology::torus, 1 << 16, 10'240};
  header.box = {0, 0, 1 << 16, 10'240};
  CheckpointWriter writer(path(), header);
  RankPart part(writer, header.box);
  part.start(2, [] {
    return [](std::int64_t first, const GridView& to) {
      std::mt19937_64 random(static_cast<std::uint64_t>(first));
      for (std::int64_t y = 0; y < to.height; ++y) std::ranges::generate(to.row(y), std::ref(random));
    };
  });
  std::this_thread::sleep_for(std::chrono::seconds(1));  // for all that is compressed before the first place
  std::uint64_t end = writer.first_offset();
  for (; !part.is_synchronised(); std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
    part.rethrow_failure();
    const std::uint64_t bytes = part.take();
    EXPECT_LE(bytes, 67 << 20);
    part.place(end);
    end += bytes;
  }
  std::uint64_t population = 0;
  for (const CheckpointChunk& chunk : part.chunks()) population += chunk.population;
  EXPECT_GT(writer.finish(part.chunks(), population, 0), 80U << 20);
  CheckpointReader(path()).verify();
}

TEST_F(RankCheckpoints, AnErrorOfOneRankKeepsTheFileBefore) {
  std::string other = "/nowhere/a";
  int late = -1;
  const auto save = [&](int failing, std::uint64_t generations) {
    return ThreadRanks(3).run([&](const Link& each) {
      const Link link = each->rank() == late ? std::make_shared<LateLink>(each) : each;
      Simulation simulation = divided({500, 300}, link);
      simulation.step(generations);
      RankCheckpointSaver saver(link->rank() == failing ? other : path(), link, 2);
      saver.save(simulation);
      saver.wait();
    });
  };
  expect_no_errors(save(-1, 5));
  EXPECT_EQ(save(0, 9),
            std::vector<std::string>(
                3, "rank 0: /nowhere/a: cannot create the checkpoint: No such file or directory"));
  const auto text_of_rank_2 = [&] {
    const auto errors = save(2, 9);
    EXPECT_EQ(errors[0], "rank 2: " + errors[2]);
    EXPECT_EQ(errors[1], "rank 2: " + errors[2]);
    return errors[2];
  };
  late = 1;  // after rank 2 has failed, there is nothing to open
  EXPECT_EQ(text_of_rank_2(),
            "/nowhere/a: cannot open the checkpoint that another process has created: No such file or "
            "directory");
  // A folder of this name on another machine
  other = path() + ".other";
  std::ofstream(other + ".partial") << "is not empty";
  EXPECT_EQ(text_of_rank_2(), other + ": this process sees another " + other +
                                  ".partial than the one that writes the checkpoint: choose a folder that "
                                  "all processes share");
  EXPECT_EQ(CheckpointReader(path()).header().generation, 5U);
  EXPECT_FALSE(std::filesystem::exists(path() + ".partial"));
  EXPECT_FALSE(std::filesystem::exists(previous_checkpoint(path())));
}

}  // namespace
}  // namespace moorea::test
