// SPDX-License-Identifier: MIT
// Worlds in which kernels from files are tried.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "moorea/grid.h"

namespace app {

/// One world in which a kernel is tried.
struct GradedWorld {
  std::int64_t width = 0, height = 0;
  bool is_torus = false;
  double density = 0;      ///< of the noise; 0: gliders at multiples of 64 cells and of 32 rows
  std::uint64_t seed = 0;  ///< of the noise or of the gliders' places
  int generations = 0;
  int threads = 1;  ///< 0: all cores

  std::string str() const;
};

/// The worlds of a seed: smaller than a word and larger than a tile, with a last word that is full and with
/// one that is not, as planes and tori, for one thread and for several, of noise and of a few gliders.
std::vector<GradedWorld> graded_worlds(std::uint64_t seed, int number);

/// The cells of a world of gliders: in all directions, within some cells of the corners of words and of
/// blocks of 32 rows.
moorea::Grid gliders_of(const GradedWorld& world);

}  // namespace app
