// SPDX-License-Identifier: MIT
// Axes of a measurement that configure how a kernel runs: tiles and their distribution to threads, the share
// of threads with wide vectors, thread blocks and bytes per thread, generations per pass; and their
// combinations.
#pragma once

#include <string>
#include <vector>

#include "cli/app.h"
#include "moorea/inventory.h"
#include "moorea/simulation.h"

namespace app {

/// One combination of kernel options, and the reason if it is invalid for every kernel.
struct Engine {
  moorea::Options options;
  std::string problem;
};

/// Lists of option values as the user wrote them; Moorea chooses the value of an empty one.
struct Axes {
  std::vector<std::string> tiles;
  std::vector<std::string> schedules;
  std::vector<std::string> placements;
  std::vector<std::string> wide_shares;
  std::vector<std::string> blocks;
  std::vector<std::string> bytes_a_thread;
  std::vector<std::string> chunks;
  std::vector<std::string> numberings;
  std::vector<std::string> generations_a_pass;
  std::vector<std::string> shares;  ///< of several devices, with plus signs

  bool tiles_asked() const {
    return !tiles.empty() || !schedules.empty() || !chunks.empty() || !placements.empty();
  }
  bool launches_asked() const { return !blocks.empty() || !bytes_a_thread.empty(); }

  /// All combinations, with ranges expanded. Chunks apply to schedules without a chunk of their own. Throws
  /// moorea::Error (usage) for values that cannot be parsed; invalid sizes of thread blocks have a problem
  /// instead, because a range of widths and heights contains many of them.
  std::vector<Engine> combinations() const;
};

void add_axes(Command& command, Axes& axes);

/// Removes the options that the kernel does not have, and returns their names: "tile size".
std::vector<std::string> remove_unsupported(const moorea::KernelInfo& kernel, moorea::Options& options);

}  // namespace app
