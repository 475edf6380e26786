// SPDX-License-Identifier: MIT
// All combinations of kernels, devices, worlds and kernel options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/axes.h"
#include "lab/configuration.h"
#include "report/relative.h"

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
  std::vector<std::string> meshes;  ///< of surfaces, instead of sizes and topologies
  std::string adjacency;            ///< on surfaces; empty: vertex
  std::vector<std::string> starts;  ///< empty: noise with `density` and `seed`
  Axes axes;
  std::optional<double> density;  ///< empty: 0.5
  std::string seed;               ///< empty: 0
  std::string after = "0";
  std::string generations;  ///< of each sample; empty: chosen by time
  /// Kernels with their threads that are measured in each world too.
  std::vector<Reference> also;
  /// Kernel that is measured in each world too, and to which speeds are related.
  std::optional<Reference> relative_to;
};

/// Adopts the sizes, rules and devices of `defaults` where the selection has none.
void complete(Selection& selection, const Selection& defaults);

struct Combined {
  std::vector<Configuration> configurations;  ///< in the order in which they are measured
  std::vector<std::string> notes;             ///< sentences on options that kernels do not have
};

/// Makes all combinations. Options apply to the kernels that have them; by default the kernels that have all
/// of them are measured. Unsupported combinations have their problem. Throws moorea::Error (usage) for values
/// that cannot be parsed and for an option that no named kernel has, and moorea::Error with the reason if no
/// combination can be measured.
Combined combine(const Selection& selection);

}  // namespace app
