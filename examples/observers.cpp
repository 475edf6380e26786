// SPDX-License-Identifier: MIT
// Observers: one records the population, one stops the run at the generation in which the last cell dies.
//
// prints: diehard is gone after 130 generations, it had up to 33 cells
#include <algorithm>
#include <iostream>
#include <vector>

#include "moorea/moorea.h"

int main() {
  moorea::Simulation simulation =
      moorea::Simulation::of(moorea::parse_pattern("x = 8, y = 3, rule = B3/S23\n6bo$2o$bo3b3o!", "diehard"));

  std::vector<std::uint64_t> populations;
  // A handle removes its observer when it is destroyed
  const moorea::Observation recording =
      simulation.observe(10, [&](const moorea::Simulation& now) { populations.push_back(now.population()); });
  const moorea::Observation stopping = simulation.observe(1, [](const moorea::Simulation& now) {
    return now.population() == 0 ? moorea::Flow::stop : moorea::Flow::go_on;
  });
  const std::uint64_t generations = simulation.step(1'000'000);
  std::cout << "diehard is gone after " << generations << " generations, it had up to "
            << *std::max_element(populations.begin(), populations.end()) << " cells\n";
}
