// SPDX-License-Identifier: MIT
#include "moorea/picture.h"

#include <gtest/gtest.h>

#include "moorea/error.h"
#include "moorea/pattern.h"

namespace moorea {
namespace {

Simulation world_of(const std::string& cells, std::int64_t width, std::int64_t height) {
  Pattern pattern = parse_pattern(cells, "test.cells");
  return Simulation({}, Topology::torus, place(pattern, width, height));
}

const std::string blinker = "...\nOOO\n...\n";

TEST(Picture, APixelACellIsTheWorld) {
  const Grid start = Grid::random(70, 31, 0.4, 1);
  const Simulation simulation({}, Topology::torus, start);
  const Picture picture = draw_density(simulation, {{0, 0, 70, 31, 1}, 1});
  ASSERT_EQ(picture.width, 70);
  ASSERT_EQ(picture.height, 31);
  for (std::int64_t y = 0; y < 31; ++y) {
    for (std::int64_t x = 0; x < 70; ++x) ASSERT_EQ(picture.levels[y * 70 + x], start.alive(x, y) ? 255 : 0);
  }
}

TEST(Picture, ZoomRepeatsPixelsAndScaleCountsCells) {
  const Simulation simulation = world_of(blinker, 4, 4);  // cells 1 to 3 of row 2, or 0 to 2 of row 1
  const Picture close = draw_density(simulation, {{-1, 0, 6, 4, 1}, 3});
  ASSERT_EQ(close.width, 18);
  ASSERT_EQ(close.height, 12);
  const Grid cells = simulation.grid();
  for (std::int64_t y = 0; y < 12; ++y) {
    for (std::int64_t x = 0; x < 18; ++x) {
      const std::int64_t column = x / 3 - 1;
      const bool alive = column >= 0 && column < 4 && cells.alive(column, y / 3);
      ASSERT_EQ(close.levels[y * 18 + x], alive ? 255 : 0) << x << ", " << y;
    }
  }
  const Picture far = draw_density(simulation, {{0, 0, 2, 2, 2}, 1});
  for (std::int64_t j = 0; j < 2; ++j) {
    for (std::int64_t i = 0; i < 2; ++i) {
      EXPECT_EQ(far.levels[2 * j + i],
                density_level(static_cast<std::uint32_t>(cells.crop({2 * i, 2 * j, 2, 2}).population()), 4));
    }
  }
  EXPECT_THROW(draw_density(simulation, {{0, 0, 2, 2, 2}, 0}), Error);
  EXPECT_THROW(draw_density(simulation, {{0, 0, 2, 2, 2}, max_zoom + 1}), Error);
}

TEST(Picture, DyingCellsFade) {
  Cells cells(4, 1, 4);
  for (int state = 0; state < 4; ++state) cells.set(state, 0, state);
  const Simulation simulation({Rule(1u << 2, 0x38).with_states(4), Topology::torus, 4, 1}, cells);
  EXPECT_EQ(draw_density(simulation, {{-1, 0, 6, 1, 1}, 1}).levels,
            (std::vector<std::uint8_t>{0, 0, 255, 192, 104, 0}));
  // Squares of several cells have the density of those that are not dead
  EXPECT_EQ(draw_density(simulation, {{0, 0, 2, 1, 2}, 1}).levels,
            (std::vector<std::uint8_t>{density_level(1, 4), density_level(2, 4)}));
}

// Acorn has 633 cells in the end, 65 of them in 13 gliders (Charles Corderman, 1971).
TEST(Picture, StatesAreLevels) {
  const Rule wires = Rule::parse("WireWorld");
  const Cells cells = Cells::random(70, 9, 0.6, 3, 4);
  const Simulation simulation({wires, Topology::torus, 70, 9}, cells);
  // Two columns and rows beyond the edges, which are dead
  const Picture picture = draw_states(simulation, {{-2, -2, 74, 13, 1}, 2});
  ASSERT_EQ(picture.width, 148);
  for (std::int64_t y = 0; y < 26; ++y) {
    for (std::int64_t x = 0; x < 148; ++x) {
      const std::int64_t column = x / 2 - 2, row = y / 2 - 2;
      const bool inside = column >= 0 && column < 70 && row >= 0 && row < 9;
      ASSERT_EQ(picture.levels[y * 148 + x], inside ? cells.state(column, row) : 0) << x << ", " << y;
    }
  }
  EXPECT_THROW(draw_states(simulation, {{0, 0, 35, 4, 2}, 1}), Error);
}

TEST(Palette, OfStates) {
  EXPECT_FALSE(state_colours(Rule()));
  EXPECT_FALSE(state_colours(Rule::parse("Brian's Brain")));
  const std::optional<Palette> wires = state_colours(Rule::parse("WireWorld"));
  ASSERT_TRUE(wires);
  EXPECT_EQ((*wires)[1], (Colour{0, 128, 255}));
  EXPECT_EQ((*wires)[3], (Colour{255, 128, 0}));
  EXPECT_EQ((*wires)[4], (*wires)[0]);
  const std::optional<Palette> history = state_colours(Rule::parse("HighLifeHistory"));
  ASSERT_TRUE(history);
  EXPECT_EQ((*history)[1], (Colour{0, 255, 0}));
  EXPECT_EQ((*history)[6], (Colour{96, 96, 96}));
}

TEST(Picture, AFrameLeavesEscapeesOut) {
  const Pattern acorn = parse_pattern("x = 7, y = 3, rule = B3/S23\nbo$3bo$2o2b3o!\n", "acorn.rle");
  Simulation simulation = Simulation::unbounded({}, acorn);
  EXPECT_EQ(frame_of(simulation)->box, *simulation.bounding_box());
  simulation.step(5300);
  const Framing framing = *frame_of(simulation);
  EXPECT_EQ(framing.all, *simulation.bounding_box());
  EXPECT_EQ(framing.left_out, 65u);
  EXPECT_EQ(simulation.window(framing.box).population(), 633u - 65);
  EXPECT_LT(framing.box.width, 300);
  EXPECT_GT(framing.all.width, 2000);
}

TEST(Picture, AFrameKeepsWhatStaysTogether) {
  // Noise, a row of gliders from a gun, two equal groups far from each other, a cell, nothing
  Simulation noise({}, Topology::torus, Grid::random(300, 200, 0.3, 1));
  EXPECT_EQ(frame_of(noise)->left_out, 0u);
  EXPECT_EQ(frame_of(noise)->box, *noise.bounding_box());
  Grid row(1000, 1000);
  for (std::int64_t i = 0; i < 60; ++i)
    row.paste(parse_pattern("bo$2bo$3o!", "glider.rle").cells, {15 * i, 15 * i});
  EXPECT_EQ(frame_of(Simulation({}, Topology::plane, row))->left_out, 0u);
  Grid two(1000, 1000);
  two.set(1, 1);
  EXPECT_EQ(frame_of(Simulation({}, Topology::plane, two))->box, (Box{1, 1, 1, 1}));
  two.set(998, 997);
  EXPECT_EQ(frame_of(Simulation({}, Topology::plane, two))->box, (Box{1, 1, 998, 997}));
  EXPECT_FALSE(frame_of(Simulation({}, Topology::plane, Grid(10, 10))));
}

TEST(Picture, ManyLevelsAreThoseOfEach) {
  for (const std::int64_t scale : {1, 2, 8, 64, 100}) {
    const std::int64_t cells = scale * scale;
    std::vector<std::uint32_t> alive;
    for (std::int64_t i = 0; i <= cells; i += 1 + i / 50) alive.push_back(static_cast<std::uint32_t>(i));
    const std::vector<std::uint8_t> levels = density_levels(alive, cells);
    ASSERT_EQ(levels.size(), alive.size());
    for (std::size_t i = 0; i < alive.size(); ++i)
      ASSERT_EQ(levels[i], density_level(alive[i], cells)) << alive[i] << " of " << cells;
  }
}

TEST(Picture, LevelsOfSquaresOfMoreCellsThanCanBeCounted) {
  for (const std::int64_t cells : {std::int64_t{1} << 32, std::int64_t{1} << 34, std::int64_t{1} << 62}) {
    const std::vector<std::uint32_t> alive = {0, 1, 1000, 1U << 20, 3U << 30, UINT32_MAX - 1};
    const std::vector<std::uint8_t> levels = density_levels(alive, cells);
    for (std::size_t i = 0; i < alive.size(); ++i)
      EXPECT_EQ(levels[i], density_level(alive[i], cells)) << alive[i] << " of " << cells;
  }
}

TEST(Picture, LevelsTellFewCellsFromNone) {
  EXPECT_EQ(density_level(0, 1 << 20), 0);
  EXPECT_GE(density_level(1, 1 << 20), 100);  // two fifths of the brightness
  EXPECT_EQ(density_level(1 << 20, 1 << 20), 255);
  for (std::uint32_t alive = 1; alive < 64; ++alive)
    EXPECT_LE(density_level(alive, 64), density_level(alive + 1, 64));
}

TEST(Picture, FitsByWholeNumbers) {
  const auto shape = [](const Box& box, std::int64_t pixels) {
    const View view = fitted(box, pixels, 16);
    return std::vector<std::int64_t>{view.raster.columns, view.raster.rows, view.raster.scale, view.zoom};
  };
  EXPECT_EQ(shape({0, 0, 65536, 65536}, 2048), (std::vector<std::int64_t>{2048, 2048, 32, 1}));
  EXPECT_EQ(shape({5, 5, 1000, 10}, 1000), (std::vector<std::int64_t>{1000, 10, 1, 1}));
  EXPECT_EQ(shape({5, 5, 1001, 10}, 1000), (std::vector<std::int64_t>{501, 5, 2, 1}));
  EXPECT_EQ(shape({5, 5, 300, 10}, 1000), (std::vector<std::int64_t>{300, 10, 1, 3}));
  EXPECT_EQ(shape({5, 5, 3, 3}, 1000), (std::vector<std::int64_t>{3, 3, 1, 16}));
}

TEST(Picture, AgesAndChangesOfABlinker) {
  Simulation simulation = world_of(blinker, 5, 5);  // row 2, columns 1 to 3, and then column 2, rows 1 to 3
  CellHistory history({0, 0, 5, 5});
  history.add(simulation);
  for (int i = 0; i < 4; ++i) {
    simulation.step(1);
    history.add(simulation);
  }
  const View view{{0, 0, 5, 5, 1}, 1};
  const Picture ages = history.draw_age(view), changes = history.draw_activity(view);
  const auto at = [](const Picture& picture, std::size_t x, std::size_t y) {
    return picture.levels[5 * y + x];
  };
  EXPECT_GT(at(ages, 2, 2), at(ages, 1, 2));  // five generations old; the ends are new
  EXPECT_GT(at(ages, 1, 2), 0);
  EXPECT_EQ(at(ages, 2, 1), 0);  // dead now
  EXPECT_EQ(at(changes, 2, 2), 0);
  EXPECT_EQ(at(changes, 1, 2), 255);  // in each of four generations
  EXPECT_EQ(at(changes, 2, 1), 255);
  EXPECT_EQ(at(changes, 0, 0), 0);
  // The oldest cell of a square; cells outside the history are unknown
  const Picture whole = history.draw_age({{0, 0, 2, 1, 5}, 1});
  EXPECT_EQ(whole.levels, (std::vector<std::uint8_t>{at(ages, 2, 2), 0}));
}

TEST(Palette, BeginsWithTheGround) {
  EXPECT_EQ(palette("ink")[0], (Colour{255, 255, 255}));
  EXPECT_EQ(palette("ink")[255], (Colour{0, 0, 0}));
  EXPECT_EQ(palette("viridis")[0], (Colour{68, 1, 84}));
  EXPECT_EQ(palette("viridis")[255], (Colour{253, 231, 37}));
  EXPECT_THROW(palette("rainbow"), Error);
  // With reduced colour vision they are distinguished by lightness, which must be monotonic
  for (const PaletteInfo& info : palettes()) {
    const Palette colours = palette(info.name);
    const auto lightness = [](const Colour& c) {
      return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
    };
    const double way = lightness(colours[255]) - lightness(colours[0]);
    EXPECT_GT(std::abs(way), 100) << info.name;
    for (std::size_t i = 8; i < 256; i += 8)
      EXPECT_GT((lightness(colours[i]) - lightness(colours[i - 8])) * way, 0) << info.name << " " << i;
  }
}

// A square is as bright as its number of cells implies, at every scale.
TEST(Picture, LevelsAreThoseOfTheCurve) {
  for (const double density : {0.02, 0.5, 1.0}) {
    const Simulation simulation({}, Topology::torus, Grid::random(1300, 970, density, 3));
    for (const std::int64_t scale : {1, 2, 3, 7, 16, 33, 97, 300, 1000, 65535}) {
      const Raster raster{0, 0, (1300 + scale - 1) / scale, (970 + scale - 1) / scale, scale};
      const std::vector<std::uint32_t> squares = simulation.density(raster);
      const Picture picture = draw_density(simulation, {raster, 1});
      for (std::size_t i = 0; i < squares.size(); ++i)
        ASSERT_EQ(picture.levels[i], density_level(squares[i], scale * scale)) << scale << ", " << squares[i];
    }
    // Beyond that the curve is that of fractions
    for (const std::int64_t scale : {std::int64_t{65536}, std::int64_t{1} << 36}) {
      const double part = static_cast<double>(simulation.population()) /
                          (static_cast<double>(scale) * static_cast<double>(scale));
      const std::vector<std::uint8_t> levels = draw_density(simulation, {{0, 0, 2, 1, scale}, 1}).levels;
      EXPECT_NEAR(levels[0], density_level(1, static_cast<std::int64_t>(1 / part)), 1);
      EXPECT_EQ(levels[1], 0);
    }
    for (const std::int64_t scale : {std::int64_t{-1}, std::int64_t{0}, max_far_scale + 1})
      EXPECT_THROW(draw_density(simulation, {{0, 0, 3, 3, scale}, 1}), Error);
  }
}

TEST(Picture, HasALevelForEachPixel) {
  const Picture few{3, 3, {1, 2, 3}}, negative{-3, -1, {1, 2, 3}};
  for (const Picture& picture : {few, negative}) {
    try {
      (void)png_bytes(picture, palette("ink"));
      ADD_FAILURE() << picture.width;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::unavailable) GTEST_SKIP() << error.what();
      EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(ErrorKind::usage)) << error.what();
    }
    EXPECT_THROW(write_picture(picture, palette("ink"), "-"), Error);
  }
}

}  // namespace
}  // namespace moorea
