// SPDX-License-Identifier: MIT
// A rule of one's own, and a world of fixed size: the replicator of HighLife (B36/S23) makes a copy of itself
// every twelve generations.
//
// prints: 12 cells after 0 generations, 24 after 12, 48 after 36
#include <iostream>

#include "moorea/moorea.h"

int main() {
  // A rule as two sets of numbers of live neighbours: 3 and 6 give birth, 2 and 3 keep alive
  const moorea::Rule rule((1 << 3) | (1 << 6), (1 << 2) | (1 << 3));

  moorea::Grid cells(256, 256);
  cells.paste(moorea::parse_pattern("x = 5, y = 5\n2b3o$bo2bo$o3bo$o2bo$3o!", "replicator").cells,
              {126, 126});
  moorea::Simulation simulation(rule, moorea::Topology::torus, cells);

  std::cout << simulation.population() << " cells after 0 generations";
  simulation.step(12);
  std::cout << ", " << simulation.population() << " after " << simulation.generation();
  simulation.step(24);
  std::cout << ", " << simulation.population() << " after " << simulation.generation() << "\n";
}
