// SPDX-License-Identifier: MIT
// Names that stand for several devices: "cuda:all" and "all".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "boards/row_balance.h"
#include "moorea/simulation.h"
#include "moorea/world_spec.h"

namespace moorea {

/// Devices for a world, as a list with commas or one name.
struct DeviceGroup {
  std::string devices;
  std::string reason;  ///< of "all"; empty for other names
};

/// The devices that options name, with "cuda:all" and "all" replaced. "all" is the CPU and all GPUs, by CUDA
/// or, where there is none, by OpenCL: those of them that are predicted to be fastest together after a short
/// trial of each. Throws Error (usage) for shares of "all".
DeviceGroup devices_for(const WorldSpec& world, const Options& options);

struct FastestParts {
  std::vector<std::size_t> parts;  ///< indices, increasing
  double gain = 1;                 ///< predicted speed of more than one, in relation to the fastest one alone
};

/// The parts that are fastest together for a world of `height` rows: more than one only if they are faster
/// than the fastest one alone by 2 %.
FastestParts fastest_parts(std::int64_t height, std::span<const PartSpeed> speeds,
                           const RowUnits& units = {});

}  // namespace moorea
