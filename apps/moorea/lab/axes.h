// SPDX-License-Identifier: MIT
// What bench varies of how a kernel runs: tiles and who computes them, thread blocks and what a thread makes,
// and the generations a pass.
#pragma once

#include <string>
#include <vector>

#include "cli/app.h"
#include "moorea/inventory.h"
#include "moorea/simulation.h"

namespace app {

/// One combination of what can be chosen, and why it cannot be where that is known of it alone.
struct Engine {
  moorea::Options options;
  std::string problem;
};

/// Lists as the user wrote them; an empty one leaves the choice to Moorea.
struct Axes {
  std::vector<std::string> tiles;
  std::vector<std::string> schedules;
  std::vector<std::string> placements;
  std::vector<std::string> blocks;
  std::vector<std::string> bytes_a_thread;
  std::vector<std::string> chunks;
  std::vector<std::string> generations_a_pass;

  bool tiles_asked() const {
    return !tiles.empty() || !schedules.empty() || !chunks.empty() || !placements.empty();
  }
  bool launches_asked() const { return !blocks.empty() || !bytes_a_thread.empty(); }

  /// Every combination, with ranges written out. A chunk goes with each schedule that names none itself.
  /// Throws moorea::Error (usage) for what cannot be read; what can be, and is no thread block, has its
  /// problem, since a range of widths and heights has many of them.
  std::vector<Engine> combinations() const;
};

void add_axes(Command& command, Axes& axes);

/// The first of the options that the kernel does not let be chosen, in words, or null.
const char* not_taken(const moorea::KernelInfo& kernel, const moorea::Options& options);

}  // namespace app
