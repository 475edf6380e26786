// SPDX-License-Identifier: MIT
#include "cli/progress.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/numbers.h"

namespace app {

void Progress::update() {
  const double seconds = since(start_);
  if (!line_.due() || seconds < 0.1) return;
  const std::uint64_t done = simulation_.generation() - first_;
  const double left = seconds / static_cast<double>(std::max<std::uint64_t>(done, 1)) *
                      static_cast<double>(generations_ - done);
  const double rate = simulation_.cell_updates() / seconds;
  const std::uint64_t goal = first_ + generations_;
  line_.show(fmt::format("generation {} of {}, {} cells/s, {} left", simulation_.generation(), goal,
                         human_rate(rate), human_seconds(left)),
             {{"generation", simulation_.generation()},
              {"goal", goal},
              {"seconds", seconds},
              {"seconds_left", left},
              {"cells_per_second", rate}});
}

}  // namespace app
