// SPDX-License-Identifier: MIT
// Cells that are pasted into a running world: every mode, every kernel, at internal borders and into tiles
// that sleep; and how many bytes that moves.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "choose/choose.h"
#include "definition.h"
#include "every_board.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/simulation.h"

namespace moorea::test {
namespace {

constexpr PasteMode modes[] = {PasteMode::replace, PasteMode::bitwise_or, PasteMode::bitwise_xor,
                               PasteMode::bitwise_and_not};

class Edits : public testing::TestWithParam<std::string> {
 protected:
  Options options(int threads) const { return options_of(GetParam(), threads); }

  // Null, with the reason as the test's, where the kernel cannot have such a world.
  std::unique_ptr<Simulation> simulate(const Rule& rule, Topology topology, const Grid& start,
                                       int threads) const {
    try {
      return std::make_unique<Simulation>(rule, topology, start, options(threads));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::unavailable) << error.what();
      return nullptr;
    }
  }
};

// A world of blocks and blinkers, asleep where a kernel lets tiles sleep, is edited after an odd or even
// number of passes, and some edits are taken back in the next pass.
TEST_P(Edits, EditsWhatSleeps) {
  bool ran = false;
  for (const Topology topology : {Topology::plane, Topology::torus}) {
    Grid world(192, 160);
    Grid block(2, 2), blinker(3, 1);
    for (std::int64_t i = 0; i < 4; ++i) block.set(i % 2, i / 2);
    for (std::int64_t i = 0; i < 3; ++i) blinker.set(i, 0);
    for (std::int64_t y = 0; y < 150; y += 13) {
      for (std::int64_t x = 0; x < 180; x += 17)
        world.paste((x + y) % 2 == 0 ? block : blinker, {x + 2, y + 3});
    }
    const std::unique_ptr<Simulation> simulation = simulate(Rule(), topology, world, 2);
    if (!simulation) continue;
    ran = true;
    Grid cell(1, 1), upright(1, 3);
    cell.set(0, 0);
    for (std::int64_t y = 0; y < 3; ++y) upright.set(0, y);
    // Tiles here are 48 x 48 and 64 x 8 cells and whole words; a blinker beside a border reaches over it
    const std::pair<const Grid*, Position> edits[] = {
        {&cell, {2, 3}},       {&upright, {47, 23}}, {&blinker, {58, 47}}, {&cell, {63, 95}},
        {&upright, {96, 62}},  {&cell, {191, 159}},  {&blinker, {7, 96}},  {&cell, {36, 29}},
        {&upright, {191, 34}}, {&blinker, {125, 0}}, {&cell, {0, 0}},      {&upright, {64, 75}}};
    // Passes of six generations and of three, in which a blinker has turned at the end of every other pass; a
    // portion has one pass, and some follow an edit before the next
    for (const int portion : {6, 3}) {
      int passes = 0;
      for (const auto& [patch, at] : edits) {
        for (int i = 0; i <= passes % 3 + (passes == 0 ? 8 : 0); ++i) {
          world = after(world, Rule(), topology, portion);
          simulation->step(static_cast<std::uint64_t>(portion));
          ASSERT_EQ(simulation->grid(), world) << GetParam() << ", portions of " << portion;
        }
        world.paste(*patch, at, PasteMode::bitwise_xor);
        simulation->paste(*patch, at, PasteMode::bitwise_xor);
        ASSERT_EQ(simulation->grid(), world);
        ASSERT_EQ(simulation->population(), world.population());
        ASSERT_EQ(simulation->hash(), world.hash());
        ASSERT_EQ(simulation->bounding_box(), world.bounding_box());
        ++passes;
      }
    }
  }
  if (!ran) GTEST_SKIP() << "only worlds of certain sizes";
}

// Rectangles of all shapes at all borders, in every mode, and from a view whose rows are longer than its
// width and have bits beyond it.
TEST_P(Edits, PastesRectangles) {
  bool ran = false;
  for (const auto& [width, height] : {std::pair(130, 70), std::pair(256, 100), std::pair(67, 53)}) {
    for (const Topology topology : {Topology::plane, Topology::torus}) {
      Grid world = Grid::random(width, height, 0.3, 5);
      const std::unique_ptr<Simulation> simulation = simulate(Rule(), topology, world, 3);
      if (!simulation) continue;
      ran = true;
      std::uint64_t seed = 0;
      for (const Size size : {Size{1, 1}, Size{64, 3}, Size{width, 2}, Size{3, height}, Size{100, 60}}) {
        for (const PasteMode mode : modes) {
          const Grid noise = Grid::random(size.width, size.height, 0.5, ++seed);
          std::vector<std::uint64_t> words(static_cast<std::size_t>(size.height * 5), ~0ull);
          for (std::int64_t y = 0; y < size.height; ++y) {
            for (std::int64_t x = 0; x < size.width; ++x)
              if (!noise.alive(x, y)) words[y * 5 + x / 64] &= ~(1ull << x % 64);
          }
          const ConstGridView view{words.data(), 5, size.width, size.height};
          const auto draw = static_cast<std::int64_t>(seed * 37);
          const Position at{draw % (width + 20) - 10, draw * 7 % (height + 10) - 5};
          world.paste(view, at, mode);
          simulation->paste(view, at, mode);
          ASSERT_EQ(simulation->grid(), world) << GetParam() << " " << to_string(mode);
          const int generations = static_cast<int>(1 + seed % 3);
          world = after(world, Rule(), topology, generations);
          simulation->step(static_cast<std::uint64_t>(generations));
          ASSERT_EQ(simulation->grid(), world) << GetParam() << " after " << to_string(mode);
        }
      }
    }
  }
  if (!ran) GTEST_SKIP() << "only worlds of certain sizes";
}

// A strided row is longer than 64 columns for each bit of a vector, also of 512 bits.
TEST_P(Edits, ReplacesLongRows) {
  bool ran = false;
  for (const std::int64_t width : {32'768, 33'001, 70'016}) {
    Grid world = Grid::random(width, 4, 0.4, 7);
    const std::unique_ptr<Simulation> simulation = simulate(Rule(), Topology::torus, world, 2);
    if (!simulation) continue;
    ran = true;
    ASSERT_EQ(simulation->grid(), world) << GetParam() << " " << width;
    for (const std::int64_t y : {0, 2}) {
      world = after(world, Rule(), Topology::torus, 1);
      simulation->step(1);
      const Grid row = Grid::random(width, 1, 0.5, static_cast<std::uint64_t>(y));
      world.paste(row, {0, y}, PasteMode::replace);
      simulation->paste(row, {0, y}, PasteMode::replace);
      ASSERT_EQ(simulation->grid(), world) << GetParam() << " " << width;
    }
  }
  if (!ran) GTEST_SKIP() << "only worlds of certain sizes";
}

// Many rows are converted by all threads, once a pass was worth them.
TEST(StridedRows, DoNotDependOnTheirThreads) {
  constexpr std::int64_t width = 20'000, height = 3000;
  const auto edited = [](int threads) {
    Options options;
    options.kernel = "cpu/strided";
    options.threads = threads;
    Simulation simulation(Rule(), Topology::torus, Grid::random(width, height, 0.4, 3), options);
    simulation.step(64);
    simulation.paste(Grid::random(width, 101, 0.5, 4), {0, 55}, PasteMode::replace);
    simulation.paste(Grid::random(width - 130, 77, 0.5, 5), {65, 170}, PasteMode::bitwise_xor);
    simulation.step(64);
    return simulation.grid();
  };
  EXPECT_EQ(edited(3), edited(1));
}

// A few cells cost their rows, not the world.
TEST_P(Edits, MovesTheRowsOfARectangle) {
  // The board of a mesh is built face by face
  const bool is_mesh = GetParam().find("/mesh/") != std::string::npos;
  const Size size = is_mesh ? Size{1024, 512} : Size{4096, 2048};
  const WorldSpec spec = {Rule(), Topology::torus, size.width, size.height};
  const Choice choice = choose(spec, options(1));
  std::unique_ptr<Board> board;
  try {
    board = make_board(spec, choice);
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  board->load(Grid::random(64, 64, 0.5, 1), {size.width / 4 - 24, size.height / 2});
  const std::uint64_t loaded = board->bytes_moved();
  Grid glider(3, 3);
  for (const Position cell : {Position{1, 0}, Position{2, 1}, Position{0, 2}, Position{1, 2}, Position{2, 2}})
    glider.set(cell.x, cell.y);
  const Position at{size.width / 2 - 48, size.height / 3};
  board->write(glider, at, PasteMode::bitwise_or);
  const std::uint64_t written = board->bytes_moved() - loaded;
  EXPECT_LE(written, 2u * 3 * static_cast<std::uint64_t>(size.width) / 8) << "three rows, read and written";
  EXPECT_GT(written, 0u);
  const Grid read = board->window({at.x, at.y, 3, 3});
  EXPECT_EQ(read, glider);
  EXPECT_LE(board->bytes_moved() - loaded - written, 3u * static_cast<std::uint64_t>(size.width) / 8)
      << "three rows, read";
}

std::vector<std::string> kernels_that_run() {
  std::vector<std::string> names;
  for (const KernelInfo& kernel : list_kernels()) {
    if (kernel.runs) names.push_back(kernel.name);
  }
  names.emplace_back("cpu/strided + cpu/tiles");
  for (const std::string& name : kernel_names_and_divided())
    if (name.find(" on ") != std::string::npos) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(EveryKernel, Edits, testing::ValuesIn(kernels_that_run()),
                         [](const auto& test) { return test_name(test.param); });

// Pastes beyond the present plane make it grow; what they take away does not.
TEST(GrowingPlane, GrowsWithWhatIsPasted) {
  Pattern start;
  start.cells = Grid::random(20, 20, 0.4, 2);
  for (const char* kernel : {"", "cpu/bits", "cpu/tiles", "cpu/strided"}) {
    Options options;
    options.kernel = kernel;
    Simulation plane = Simulation::unbounded(Rule(), start, options);
    Grid world(1200, 1200);
    const Position centre{600, 600};
    world.paste(start.cells, centre - Position{10, 10});
    std::uint64_t seed = 10;
    for (const Position at : {Position{300, 0}, Position{-400, -300}, Position{5, 5}, Position{-100, 420}}) {
      for (const PasteMode mode : modes) {
        const Grid noise = Grid::random(30, 20, 0.5, ++seed);
        const Box before = plane.box();
        plane.paste(noise, at, mode);
        world.paste(noise, at + centre, mode);
        if (mode == PasteMode::bitwise_and_not) {
          EXPECT_EQ(plane.box(), before);
        }
        world = after(world, Rule(), Topology::plane, 5);
        plane.step(5);
        ASSERT_EQ(plane.window({-600, -600, 1200, 1200}), world) << kernel << " " << to_string(mode);
      }
    }
  }
}

TEST(PasteModes, AreParsedAndPrinted) {
  for (const PasteMode mode : modes) EXPECT_EQ(parse_paste_mode(to_string(mode)), mode);
  EXPECT_THROW(parse_paste_mode("and"), Error);
}

}  // namespace
}  // namespace moorea::test
