// SPDX-License-Identifier: MIT
#include "moorea/surface_picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "moorea/error.h"

namespace moorea {
namespace {

// A level for all faces, another one for some.
Picture levels_of(const Mesh& mesh, std::uint8_t level) {
  Picture faces{mesh.size().width, mesh.size().height, {}};
  faces.levels.assign(mesh.faces().size(), level);
  return faces;
}

std::int64_t covered(const Picture& picture) {
  return std::count_if(picture.levels.begin(), picture.levels.end(),
                       [](std::uint8_t level) { return level != 0; });
}

TEST(SurfacePictures, ASphereIsADisc) {
  const std::shared_ptr<const Mesh> mesh = Mesh::make("icosphere:24");
  SurfacePainter painter(mesh, {200, 160});
  for (const Camera& camera : {Camera{0, 0, 1}, {77, -50, 1}, {30, 90, 0.5}}) {
    painter.look(camera);
    const Picture picture = painter.draw(levels_of(*mesh, 255));
    const double radius = 0.48 * 160 * camera.zoom, disc = 3.14159 * radius * radius;
    EXPECT_NEAR(static_cast<double>(covered(picture)), disc, 0.02 * disc);
    EXPECT_EQ(picture.levels[0], 0);
    EXPECT_NE(picture.levels[80 * 200 + 100], 0);
  }
}

// Faces on the far side are hidden, and appear when the camera goes around.
TEST(SurfacePictures, NearFacesHideFarOnes) {
  const std::shared_ptr<const Mesh> mesh = Mesh::make("sphere:16");
  Picture faces = levels_of(*mesh, 0);
  // Faces whose centre has a positive first coordinate, towards a camera at azimuth 0
  for (std::size_t i = 0; i < faces.levels.size(); ++i) {
    float sum = 0;
    for (const std::uint32_t corner : mesh->faces()[i]) sum += mesh->points()[corner][0];
    if (sum > 0) faces.levels[i] = 255;
  }
  constexpr int shades = 31;
  SurfacePainter painter(mesh, {120, 120});
  const auto share_alive = [&](double azimuth) {
    painter.look({azimuth, 0, 1});
    const Picture picture = painter.draw(faces);
    const auto alive = std::count_if(picture.levels.begin(), picture.levels.end(),
                                     [](std::uint8_t level) { return level > 7 * shades; });
    return static_cast<double>(alive) / static_cast<double>(covered(picture));
  };
  EXPECT_GT(share_alive(0), 0.98);
  EXPECT_LT(share_alive(180), 0.02);
  EXPECT_NEAR(share_alive(90), 0.5, 0.05);
}

TEST(SurfacePictures, AFullTurnComesBack) {
  const std::shared_ptr<const Mesh> mesh = Mesh::make("klein:24x10");
  Picture faces = levels_of(*mesh, 0);
  for (std::size_t i = 0; i < faces.levels.size(); i += 3) faces.levels[i] = static_cast<std::uint8_t>(i);
  SurfacePainter painter(mesh, {90, 70});
  painter.look({10, 20, 1});
  const Picture first = painter.draw(faces);
  painter.look({100, 20, 1});
  EXPECT_NE(painter.draw(faces).levels, first.levels);
  painter.look({370, 20, 1});
  const Picture again = painter.draw(faces);
  std::size_t unlike = 0;
  for (std::size_t i = 0; i < first.levels.size(); ++i) unlike += first.levels[i] != again.levels[i];
  EXPECT_LT(unlike, first.levels.size() / 200);  // rounding of the angle at edges
  EXPECT_GT(std::set<std::uint8_t>(first.levels.begin(), first.levels.end()).size(), 20u);
}

TEST(SurfacePictures, WhatIsRefused) {
  const std::shared_ptr<const Mesh> mesh = Mesh::make("torus:8x8");
  EXPECT_THROW(SurfacePainter(mesh, {0, 10}), Error);
  EXPECT_THROW(SurfacePainter(mesh, {10, 100000}), Error);
  SurfacePainter painter(mesh, {10, 10});
  EXPECT_THROW(painter.look({0, 91, 1}), Error);
  EXPECT_THROW(painter.look({0, 0, 0}), Error);
  EXPECT_THROW(painter.look({NAN, 0, 1}), Error);
  EXPECT_THROW(painter.draw(Picture{8, 7, std::vector<std::uint8_t>(56)}), Error);
}

// Live and dead faces and the background have colours of their own, in every palette and light.
TEST(SurfacePictures, ColoursTellStatesApart) {
  for (const PaletteInfo& info : palettes()) {
    const Palette flat = palette(info.name), surface = surface_palette(flat);
    EXPECT_EQ(surface[0], flat[0]);
    for (int shade = 0; shade < 31; ++shade) {
      const Colour dead = surface[static_cast<std::size_t>(1 + shade)],
                   alive = surface[static_cast<std::size_t>(1 + 7 * 31 + shade)];
      const int difference = std::abs(dead.red - alive.red) + std::abs(dead.green - alive.green) +
                             std::abs(dead.blue - alive.blue);
      EXPECT_GT(difference, 30) << info.name << ", shade " << shade;
    }
  }
}

}  // namespace
}  // namespace moorea
