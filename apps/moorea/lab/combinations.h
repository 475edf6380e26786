// SPDX-License-Identifier: MIT
// All combinations of kernels, devices, worlds and kernel options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/axes.h"
#include "lab/configuration.h"

namespace app {

/// Lists of values and ranges as the user wrote them.
struct Selection {
  std::vector<std::string> kernels;  ///< empty: those of the files, or all that run here and have the axes
  std::vector<std::string> kernel_files;  ///< source files of the user's kernels
  std::vector<std::string> sizes = {"4096"};
  std::vector<std::string> threads;  ///< empty: all cores
  std::vector<std::string> devices = {"auto"};
  std::vector<std::string> rules = {"Life"};
  std::vector<std::string> topologies = {"torus"};
  std::vector<std::string> starts;  ///< empty: noise with `density` and `seed`
  Axes axes;
  std::optional<double> density;  ///< empty: 0.5
  std::string seed;               ///< empty: 0
  std::string after = "0";
  std::string generations;  ///< of each sample; empty: chosen by time
};

/// All combinations in the order in which they are measured. Unsupported ones have their problem; those of a
/// kernel that the user did not name are left out. Throws moorea::Error (usage) for values that cannot be
/// parsed, and moorea::Error with the reason if no combination can be measured.
std::vector<Configuration> combine(const Selection& selection);

}  // namespace app
