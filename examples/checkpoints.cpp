// SPDX-License-Identifier: MIT
// Saves a run while it goes on, and continues it from the file. Usage: checkpoints [FILE].
//
// prints: saved at generation 2000, continued to 5206: 633 live cells
#include <filesystem>
#include <iostream>
#include <string>

#include "moorea/moorea.h"

int main(int argc, char** argv) {
  const std::string file =
      argc > 1 ? argv[1] : (std::filesystem::temp_directory_path() / "moorea-example.checkpoint").string();
  {
    const moorea::Pattern acorn =
        moorea::parse_pattern("x = 7, y = 3, rule = B3/S23\nbo$3bo$2o2b3o!", "acorn");
    moorea::Simulation simulation = moorea::Simulation::of(acorn);
    moorea::CheckpointSaver saver(file);
    simulation.step(2000);
    saver.save(simulation);
    simulation.step(500);  // while the file is written
    saver.wait();
    if (!saver.report().failure.empty()) {
      std::cerr << saver.report().failure << "\n";
      return 1;
    }
  }
  const moorea::CheckpointReader reader(file);
  moorea::Simulation simulation = reader.simulation();
  simulation.step(5206 - simulation.generation());
  std::cout << "saved at generation " << reader.header().generation << ", continued to "
            << simulation.generation() << ": " << simulation.population() << " live cells\n";
}
