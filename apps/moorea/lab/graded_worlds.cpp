// SPDX-License-Identifier: MIT
#include "lab/graded_worlds.h"

#include <fmt/core.h>

#include <random>

namespace app {

std::string GradedWorld::str() const {
  return fmt::format("{} {} x {}, {}, seed {}, {} {}", is_torus ? "torus" : "plane", width, height,
                     density > 0 ? fmt::format("density {}", density) : "gliders", seed,
                     threads == 0 ? "all" : std::to_string(threads),
                     threads == 0   ? "cores"
                     : threads == 1 ? "thread"
                                    : "threads");
}

std::vector<GradedWorld> graded_worlds(std::uint64_t seed, int number) {
  std::mt19937_64 random(seed);
  const auto between = [&](std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(last - first + 1));
  };
  std::vector<GradedWorld> worlds;
  for (int i = 0; i < number; ++i) {
    GradedWorld world;
    constexpr double densities[] = {0.5, 0.3, 0.02, 0.7};
    world.density = densities[between(0, 3)];
    world.threads = between(0, 2) == 0 ? 3 : 1;
    switch (i % 8) {
      case 0:  // less than a word
        world.width = between(1, 9), world.height = between(1, 9);
        break;
      case 1:  // whole words, and whole tiles
        world.width = 64 * between(1, 4), world.height = 32 * between(1, 6);
        break;
      case 2:  // a cell more or less than whole words
        world.width = 64 * between(1, 4) + (between(0, 1) == 0 ? -1 : 1), world.height = between(2, 90);
        break;
      case 3:  // flat
        world.width = between(300, 900), world.height = between(1, 4);
        break;
      case 4:  // narrow
        world.width = between(1, 4), world.height = between(300, 900);
        break;
      case 5:
        world.width = between(100, 700), world.height = between(100, 400);
        break;
      case 6:  // a few cells, which meet the edges of words, blocks and tiles
        world.width = between(130, 600), world.height = between(70, 600);
        world.density = 0;
        break;
      default:  // large, and so much for each of several threads that they run at the same time
        world.width = between(1030, 2600), world.height = between(300, 1300);
        world.density = densities[between(0, 1)];
        world.threads = static_cast<int>(between(2, 4));
    }
    world.is_torus = between(0, 1) == 0;
    world.seed = static_cast<std::uint64_t>(between(0, 1'000'000));
    // A world without live cells tests nothing
    while (world.density > 0 &&
           moorea::Grid::random(world.width, world.height, world.density, world.seed).population() == 0)
      ++world.seed;
    world.generations = static_cast<int>(between(20, 90));
    if (world.density == 0) world.generations *= 6;  // for gliders to meet several borders
    worlds.push_back(world);
  }
  return worlds;
}

moorea::Grid gliders_of(const GradedWorld& world) {
  constexpr int number = 8, reach = 3;
  constexpr const char* glider[] = {".O.", "..O", "OOO"};
  std::mt19937_64 random(world.seed);
  const auto below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
  };
  moorea::Grid cells(world.width, world.height);
  for (int k = 0; k < number; ++k) {
    const std::int64_t left = 64 * below(world.width / 64 + 1) + below(2 * reach + 1) - reach,
                       top = 32 * below(world.height / 32 + 1) + below(2 * reach + 1) - reach;
    const bool is_mirrored = below(2) == 0, is_upside_down = below(2) == 0;
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 3; ++x) {
        const std::int64_t at_x = left + (is_mirrored ? 2 - x : x), at_y = top + (is_upside_down ? 2 - y : y);
        if (at_x < 0 || at_x >= world.width || at_y < 0 || at_y >= world.height) continue;
        cells.set(at_x, at_y, glider[y][x] == 'O');
      }
    }
  }
  return cells;
}

}  // namespace app
