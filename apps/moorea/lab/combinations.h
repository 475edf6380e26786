// SPDX-License-Identifier: MIT
// The combinations of kernels, devices, worlds and what they let be chosen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/axes.h"
#include "lab/configuration.h"

namespace app {

/// Lists as the user wrote them, ranges among them.
struct Selection {
  std::vector<std::string> kernels;       ///< empty: the files' only, or all that run here and take the axes
  std::vector<std::string> kernel_files;  ///< kernels of the user's own
  std::vector<std::string> sizes = {"4096"};
  std::vector<std::string> threads;  ///< empty: all cores
  std::vector<std::string> devices = {"auto"};
  std::vector<std::string> rules = {"Life"};
  std::vector<std::string> topologies = {"torus"};
  std::vector<std::string> starts;  ///< empty: noise of `density` and `seed`
  Axes axes;
  std::optional<double> density;  ///< nothing: 0.5
  std::string seed;               ///< empty: 0
  std::string after = "0";
};

/// All combinations, in the order in which they are measured: those that cannot be have their problem, unless
/// they come of a kernel that nobody named. Throws moorea::Error (usage) for what cannot be read, and where
/// there is none, or none without a problem, with the reason.
std::vector<Configuration> combine(const Selection& selection);

}  // namespace app
