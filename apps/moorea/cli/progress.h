// SPDX-License-Identifier: MIT
// Progress of a run, as a line on the terminal.
#pragma once

#include <cstdint>

#include "cli/clock.h"
#include "cli/status_line.h"
#include "moorea/simulation.h"

namespace app {

class Progress {
 public:
  Progress(const moorea::Simulation& simulation, std::uint64_t generations)
      : simulation_(simulation), first_(simulation.generation()), generations_(generations) {}

  void update();
  void clear() { line_.clear(); }

 private:
  const moorea::Simulation& simulation_;
  std::uint64_t first_, generations_;
  Clock::time_point start_ = Clock::now();
  StatusLine line_;
};

}  // namespace app
