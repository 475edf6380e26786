// SPDX-License-Identifier: MIT
// A world that is cut into bands of rows, whose external edges this test fills by hand, equals the whole: for
// every kernel, both topologies, uneven bands, and halos of one row, of one pass and of several.
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "boards/band_board.h"
#include "choose/choose.h"
#include "definition.h"
#include "every_board.h"
#include "moorea/error.h"

namespace moorea::test {
namespace {

// The bands of a world from the top to the bottom.
class Bands {
 public:
  struct Part {
    std::unique_ptr<BandBoard> board;
    std::int64_t y;  // of its first row
  };

  Bands(const WorldSpec& world, const std::vector<std::int64_t>& heights, std::int64_t halo,
        const BandBoard::Factory& make)
      : world_(world), halo_(halo) {
    std::int64_t y = 0;
    for (std::size_t i = 0; i < heights.size(); ++i) {
      Edges edges = Edges::of(world.topology);
      if (world.is_torus() || i > 0) edges.top = Edge::external;
      if (world.is_torus() || i + 1 < heights.size()) edges.bottom = Edge::external;
      WorldSpec band = world;
      band.height = heights[i];
      const BandSpec spec{band, edges, halo};
      parts_.push_back({std::make_unique<BandBoard>(spec, make), y});
      y += heights[i];
    }
    EXPECT_EQ(y, world.height);
  }

  void load(const Grid& cells) {
    for (const Part& part : parts_) {
      Grid own(world_.width, part.board->world().height);
      own.paste(cells, {0, -part.y});
      part.board->load(own, {});
    }
  }

  void advance(std::int64_t generations) {
    while (generations > 0) {
      exchange();
      const std::int64_t steps = std::min(generations, halo_);
      for (const Part& part : parts_) part.board->advance(static_cast<std::uint64_t>(steps));
      generations -= steps;
    }
  }

  Grid cells() const {
    Grid cells(world_.width, world_.height);
    for (const Part& part : parts_) cells.paste(part.board->window(part.board->world().box()), {0, part.y});
    return cells;
  }

  const std::vector<Part>& parts() const { return parts_; }

 private:
  // Fills the halo of each band from the outermost rows of its neighbours.
  void exchange() {
    const std::size_t count = parts_.size();
    for (std::size_t i = 0; i < count; ++i) {
      BandBoard& band = *parts_[i].board;
      const BandBoard& above = *parts_[(i + count - 1) % count].board;
      const BandBoard& below = *parts_[(i + 1) % count].board;
      if (const Box halo = band.halo_above(); !halo.empty()) {
        const Grid rows = above.window({0, above.world().height - halo_, world_.width, halo_});
        band.write(rows, halo.position(), PasteMode::replace);
      }
      if (const Box halo = band.halo_below(); !halo.empty()) {
        const Grid rows = below.window({0, 0, world_.width, halo_});
        band.write(rows, halo.position(), PasteMode::replace);
      }
      band.halo_filled();
    }
  }

  WorldSpec world_;
  std::int64_t halo_;
  std::vector<Part> parts_;
};

// Gliders of all four directions that cross the borders between the bands, and still lifes on them.
Grid sparse_world(const WorldSpec& world, const std::vector<std::int64_t>& heights) {
  Grid glider(3, 3), block(2, 2);
  for (const Position& cell : {Position{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}) glider.set(cell.x, cell.y);
  for (std::int64_t i = 0; i < 4; ++i) block.set(i % 2, i / 2);
  Grid cells(world.width, world.height);
  std::int64_t border = 0;
  for (const std::int64_t height : heights) {
    border += height;
    for (std::int64_t i = 0; i < 4; ++i) {
      Grid turned(3, 3);
      for (std::int64_t y = 0; y < 3; ++y) {
        for (std::int64_t x = 0; x < 3; ++x)
          if (glider.alive(x, y)) turned.set(i % 2 == 0 ? x : 2 - x, i < 2 ? y : 2 - y);
      }
      cells.paste(turned, {20 + 30 * i, border - (i < 2 ? 9 : -5)}, PasteMode::bitwise_or);
    }
    cells.paste(block, {6, border - 1}, PasteMode::bitwise_or);
  }
  return cells;
}

class EveryBand : public testing::TestWithParam<std::string> {};

TEST_P(EveryBand, EqualsTheWholeWorld) {
  const std::vector<std::int64_t> heights = {50, 68, 42};
  bool ran = false;
  std::string reason;
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    for (const char* rule : {"B3/S23", "B36/S23", "B4678/S35678"}) {
      const WorldSpec world = {Rule::parse(rule), topology, 256, 160};
      for (const std::int64_t halo : {1, 6, 32}) {
        for (const Grid& start : {sparse_world(world, heights), Grid::random(256, 160, 0.4, 5)}) {
          try {
            Options options;
            options.kernel = GetParam();
            options.threads = 2;
            const Choice choice = choose(world, options);
            Bands bands(world, heights, halo,
                        [&](const WorldSpec& inside) { return make_board(inside, choice); });
            bands.load(start);
            bands.advance(33);
            ran = true;
            ASSERT_EQ(bands.cells(), after(start, world.rule, topology, 33))
                << rule << " on a " << to_string(topology) << ", halo of " << halo;
          } catch (const Error& error) {
            ASSERT_EQ(error.kind(), ErrorKind::unavailable) << error.what();
            reason = error.what();
          }
        }
      }
    }
  }
  if (!ran) GTEST_SKIP() << reason;
}

// What is known of a band are its own cells: not those of its halo.
TEST_P(EveryBand, SummarisesItsOwnRows) {
  const std::vector<std::int64_t> heights = {50, 68, 42};
  const WorldSpec world = {Rule(), Topology::torus, 256, 160};
  for (const bool dense : {false, true}) {
    const Grid start = dense ? Grid::random(256, 160, 0.4, 5) : sparse_world(world, heights);
    try {
      Options options;
      options.kernel = GetParam();
      const Choice choice = choose(world, options);
      Bands bands(world, heights, 8, [&](const WorldSpec& inside) { return make_board(inside, choice); });
      bands.load(start);
      bands.advance(13);
      for (const Bands::Part& part : bands.parts()) {
        const Grid own = part.board->window(part.board->world().box());
        const Position origin = {7, part.y};
        const BoardSummary summary =
            part.board->summary({.population = true, .hash = true, .bounding_box = true}, origin);
        EXPECT_EQ(summary.population, own.population());
        EXPECT_EQ(summary.hash, own.hash(origin));
        EXPECT_EQ(summary.bounding_box, own.bounding_box());
        const Raster raster = {-5, -12, 30, 14, 7};
        std::vector<std::uint32_t> squares(static_cast<std::size_t>(raster.columns * raster.rows));
        for (std::int64_t y = 0; y < own.height(); ++y) {
          for (std::int64_t x = 0; x < own.width(); ++x) {
            const std::int64_t row = (y + 12) / 7, column = (x + 5) / 7;
            if (own.alive(x, y) && row < raster.rows && column < raster.columns)
              ++squares[static_cast<std::size_t>(row * raster.columns + column)];
          }
        }
        EXPECT_EQ(part.board->density(raster), squares);
      }
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::unavailable) << error.what();
      GTEST_SKIP() << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryBand, testing::ValuesIn(kernel_names()),
                         [](const auto& kernel) { return test_name(kernel.param); });

BandBoard::Factory reference_boards() {
  Options options;
  options.kernel = "cpu/reference";
  return [choice = choose({Rule(), Topology::plane, 0, 0}, options)](const WorldSpec& world) {
    return make_board(world, choice);
  };
}

TEST(BandBoard, WantsItsHaloBeforeItAdvances) {
  const Edges edges = {Edge::dead, Edge::dead, Edge::external, Edge::dead};
  BandBoard band({{Rule(), Topology::plane, 64, 10}, edges, 4}, reference_boards());
  band.load(Grid(64, 10), {});
  EXPECT_EQ(band.exact_generations(), 0u);
  EXPECT_THROW(band.advance(1), std::logic_error);
  band.halo_filled();
  band.advance(3);
  EXPECT_EQ(band.exact_generations(), 1u);
  EXPECT_EQ(band.prepare(9), 1u);
  EXPECT_THROW(band.advance(2), std::logic_error);
  band.advance(1);
  EXPECT_EQ(band.halo_above(), (Box{0, -4, 64, 4}));
  EXPECT_TRUE(band.halo_below().empty());
}

TEST(BandBoard, WithoutExternalEdgesIsAWholeWorld) {
  const Grid start = Grid::random(70, 20, 0.4, 3);
  for (const Topology topology : {Topology::plane, Topology::torus}) {
    BandSpec spec;
    spec.world = {Rule(), topology, 70, 20};
    spec.edges = Edges::of(topology);
    spec.halo = 4;
    BandBoard band(spec, reference_boards());
    band.load(start, {});
    band.advance(30);
    EXPECT_EQ(band.window({0, 0, 70, 20}), after(start, Rule(), topology, 30));
  }
}

TEST(BandBoard, RefusesEdgesThatNoBoardHas) {
  constexpr Edge dead = Edge::dead, wrap = Edge::wrap, external = Edge::external;
  const auto refused = [&](const Edges& edges) {
    try {
      BandBoard({{Rule(), Topology::plane, 64, 10}, edges, 4}, reference_boards());
      return false;
    } catch (const Error& error) {
      return error.kind() == ErrorKind::usage;
    }
  };
  EXPECT_TRUE(refused({external, external, external, external}));
  EXPECT_TRUE(refused({dead, wrap, external, external}));
  EXPECT_TRUE(refused({wrap, wrap, dead, dead}));
  EXPECT_TRUE(refused({wrap, wrap, external, dead}));
  EXPECT_TRUE(refused({wrap, wrap, wrap, external}));
  EXPECT_FALSE(refused({wrap, wrap, external, external}));
  EXPECT_FALSE(refused({dead, dead, external, dead}));
}

}  // namespace
}  // namespace moorea::test
