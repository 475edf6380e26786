// SPDX-License-Identifier: MIT
// Simulations that continue from checkpoints.
#include "moorea/checkpoint.h"
#include "moorea/simulation.h"

namespace moorea {

Simulation CheckpointReader::simulation(const Options& options) const {
  if (header().tree_words) {  // the box of its cells may be larger than all memory
    Simulation world = Simulation::of_tree(Rule::parse(facts().rule), tree(), options);
    world.set_generation(header().generation);
    return world;
  }
  return Simulation::of(pattern(), options);
}

Simulation CheckpointReader::simulation() const { return simulation(Options()); }

}  // namespace moorea
