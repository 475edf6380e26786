// SPDX-License-Identifier: MIT
// Many starts on one Simulation: reset() keeps the kernel, its compiled code and the memory. Usage: batches
// [SOUPS]. Also prints, to standard error, what the steps alone take and what everything takes.
//
// prints: 200 soups of 256 x 256 cells, 1000 generations each: 572173 live cells
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#include "moorea/moorea.h"

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  const int soups = argc > 1 ? std::atoi(argv[1]) : 200;
  constexpr std::uint64_t generations = 1000;
  moorea::Options options;
  options.threads = 1;
  moorea::Simulation simulation(moorea::Rule::parse("B3/S23"), moorea::Topology::torus,
                                moorea::Grid(256, 256), options);

  std::uint64_t live = 0;
  Clock::duration noise{}, stepping{};
  const auto begin = Clock::now();
  for (int i = 0; i < soups; ++i) {
    const auto start = Clock::now();
    const moorea::Grid soup = moorea::Grid::random(256, 256, 0.5, static_cast<std::uint64_t>(i));
    noise += Clock::now() - start;
    simulation.reset(soup);
    const auto first_step = Clock::now();
    simulation.step(generations);
    stepping += Clock::now() - first_step;
    live += simulation.population();
  }
  const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
  std::cerr << "steps " << seconds(stepping) << " s, noise " << seconds(noise) << " s, all "
            << seconds(Clock::now() - begin) << " s\n";
  std::cout << soups << " soups of 256 x 256 cells, " << generations << " generations each: " << live
            << " live cells\n";
}
