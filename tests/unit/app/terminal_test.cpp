// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "terminal/camera.h"
#include "terminal/sparkline.h"

namespace app {
namespace {

TEST(Sparkline, ShowsTheLastNumbersBetweenTheirExtremes) {
  EXPECT_EQ(sparkline({0, 7, 14}, 10), "\u2581\u2585\u2588");
  EXPECT_EQ(sparkline({1000, 0, 7, 14}, 3), "\u2581\u2585\u2588");
  EXPECT_EQ(sparkline({5, 5}, 10), "\u2581\u2581");
  EXPECT_EQ(sparkline({}, 10), "");
}

TEST(PopulationCurve, AnEarlierGenerationReplacesLaterOnes) {
  PopulationCurve curve;
  for (std::uint64_t generation = 0; generation < 4; ++generation) curve.add(generation, 7 * generation);
  EXPECT_EQ(curve.text(10).size(), 4 * std::string("\u2581").size());
  curve.add(3, 21);  // a redraw
  EXPECT_EQ(curve.text(10).size(), 4 * std::string("\u2581").size());
  curve.add(1, 14);
  EXPECT_EQ(curve.text(10), "\u2581\u2588");
}

TEST(Camera, FitsABoxAsLargeAsPossible) {
  Camera camera;
  camera.fit({0, 0, 20, 10}, {80, 40});
  EXPECT_EQ(camera.text(), "4:1");
  camera.fit({0, 0, 21, 10}, {80, 40});
  EXPECT_EQ(camera.text(), "2:1");
  camera.fit({0, 0, 3000, 3000}, {60, 36});
  EXPECT_EQ(camera.text(), "1:128");
  const moorea::View view = camera.view({60, 36});
  EXPECT_EQ(view.raster.scale, 128);
  EXPECT_EQ(view.raster.columns, 60);
  EXPECT_EQ(view.raster.x % 128, 0);
  EXPECT_LE(view.raster.x, 0);
  EXPECT_GE(view.raster.x + 60 * 128, 3000);
}

TEST(Camera, ZoomHasLimitsAndPanMovesByThePicture) {
  Camera camera;
  camera.fit({0, 0, 60, 40}, {60, 40});
  EXPECT_EQ(camera.text(), "1:1");
  const std::int64_t before = camera.view({60, 40}).raster.x;
  camera.pan(0.5, 0, {60, 40});
  EXPECT_EQ(camera.view({60, 40}).raster.x, before + 30);
  camera.zoom(-100);
  EXPECT_EQ(camera.text(), "8:1");
  camera.zoom(100);
  EXPECT_EQ(camera.text(), "1:2^48");
}

}  // namespace
}  // namespace app
