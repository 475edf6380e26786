// SPDX-License-Identifier: MIT
// Where a world would run, and why: what moorea run --explain prints. Usage: plans [SIZE [GENERATIONS]].
//
// prints: a torus of 1000 x 1000 cells runs on cpu with cpu/bits: how it runs was named
#include <cstdlib>
#include <iostream>

#include "moorea/moorea.h"

int main(int argc, char** argv) {
  const std::int64_t size = argc > 1 ? std::atoll(argv[1]) : 1000;
  const moorea::WorldSpec world = {moorea::Rule(), moorea::Topology::torus, size, size};

  moorea::Options options;
  if (argc > 2) options.generations = std::strtoull(argv[2], nullptr, 10);
  const moorea::RunPlan plan = moorea::plan_run(world, options);  // as Simulation(..., options) would
  std::cerr << plan.explanation() << "\n";

  options.kernel = "cpu/bits";  // what is named is not chosen
  const moorea::RunPlan named = moorea::plan_run(world, options);
  std::cout << "a torus of " << size << " x " << size << " cells runs on " << named.device << " with "
            << named.kernel << ": " << named.reason << "\n";
}
