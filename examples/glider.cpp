// SPDX-License-Identifier: MIT
// The library in a few lines: a glider on an unbounded plane, observed every hundred generations.
//
// prints: generation 400, population 5, moved to (100, 100)
#include <iostream>

#include "moorea/moorea.h"

int main() {
  const moorea::Pattern glider = moorea::parse_pattern("x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!", "glider");
  moorea::Simulation simulation = moorea::Simulation::of(glider);
  const moorea::Box start = simulation.bounding_box().value();
  const moorea::Observation observation = simulation.observe(
      100, [](const moorea::Simulation& at) { std::cerr << "generation " << at.generation() << "\n"; });
  simulation.step(400);
  const moorea::Box end = simulation.bounding_box().value();
  std::cout << "generation " << simulation.generation() << ", population " << simulation.population()
            << ", moved to (" << end.x - start.x << ", " << end.y - start.y << ")\n";
}
