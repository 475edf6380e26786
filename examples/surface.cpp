// SPDX-License-Identifier: MIT
// Noise on a sphere of triangles, and a picture of it.
// prints: 1280 faces, 11 to 12 neighbours each; generation 100: 160 x 120 pixels
#include <cstdio>

#include "moorea/moorea.h"

int main() {
  const auto mesh = moorea::Mesh::make("icosphere:8");
  const moorea::MeshFacts facts = mesh->facts();
  std::printf("%lld faces, %d to %d neighbours each; ", static_cast<long long>(facts.faces),
              facts.least_neighbours, facts.most_neighbours);

  const auto world = moorea::WorldSpec::on(moorea::Rule::parse("B4/S345"), mesh);
  moorea::Simulation simulation(world, moorea::Grid::random(world.width, world.height, 0.3, 1));
  simulation.step(100);

  // A level per face, drawn from above
  const moorea::View faces = {{0, 0, world.width, world.height, 1}, 1};
  moorea::SurfacePainter painter(mesh, {160, 120});
  painter.look({.azimuth = 20, .elevation = 60});
  const moorea::Picture picture = painter.draw(moorea::draw_density(simulation, faces));
  std::printf("generation %llu: %lld x %lld pixels\n",
              static_cast<unsigned long long>(simulation.generation()), static_cast<long long>(picture.width),
              static_cast<long long>(picture.height));
}
