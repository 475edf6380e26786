// SPDX-License-Identifier: MIT
// The edges of a band and when it needs its halo. split_boards_test.cpp tests worlds made of bands.
#include <gtest/gtest.h>

#include <stdexcept>

#include "boards/band_board.h"
#include "choose/choose.h"
#include "definition.h"
#include "moorea/error.h"

namespace moorea::test {
namespace {

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
