// SPDX-License-Identifier: MIT
// Cells into memory of one's own, and back: a window is read as packed words, each live cell is visited, and
// a pattern is pasted into the running world by exclusive or.
//
// prints: 5 live cells, first at (51, 50), unchanged
#include <cstdint>
#include <iostream>
#include <vector>

#include "moorea/moorea.h"

int main() {
  const moorea::Grid glider = moorea::parse_pattern("x = 3, y = 3\nbo$2bo$3o!", "glider").cells;
  moorea::Grid start(1000, 1000);
  start.paste(glider, {50, 50});
  moorea::Simulation simulation(moorea::Rule::parse("Life"), moorea::Topology::plane, start);

  // 64 cells per word, rows of two words: memory that belongs to this program
  std::vector<std::uint64_t> words(100 * 2);
  const moorea::GridView view{words.data(), 2, 100, 100};
  simulation.read({40, 40, 100, 100}, view);
  std::uint64_t live = 0;
  for (std::int64_t y = 0; y < view.height; ++y) {
    for (const std::uint64_t word : view.row(y))
      live += static_cast<std::uint64_t>(__builtin_popcountll(word));
  }

  std::vector<moorea::Position> cells;
  simulation.for_each_live(simulation.box(), [&](moorea::Position cell) { cells.push_back(cell); });
  std::cout << live << " live cells, first at (" << cells.front().x << ", " << cells.front().y << "), ";

  const std::uint64_t before = simulation.hash();
  simulation.paste(glider, {600, 700}, moorea::PasteMode::bitwise_xor);
  simulation.paste(glider, {600, 700}, moorea::PasteMode::bitwise_xor);
  std::cout << (simulation.hash() == before ? "unchanged" : "changed") << "\n";
}
