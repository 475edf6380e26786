// SPDX-License-Identifier: MIT
#include "lab/sweep_progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

namespace app {

void SweepProgress::show(const Configuration& configuration, int round) {
  std::string left;
  if (done_ > 0) {
    const double seconds_each = since(begin_) / static_cast<double>(done_);
    left = fmt::format(
        ", {} left", human_seconds(seconds_each * static_cast<double>(planned_ - std::min(done_, planned_))));
  }
  status_.show(fmt::format(
      "{} of {}{}{}: {} {}x{}", done_ + 1, planned_, rounds_ > 1 ? fmt::format(", round {}", round + 1) : "",
      left, configuration.kernel.name, configuration.start.size.width, configuration.start.size.height));
}

}  // namespace app
