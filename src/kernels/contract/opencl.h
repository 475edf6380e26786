// SPDX-License-Identifier: MIT
// Contract of OpenCL kernels, whose text is compiled by the device's driver; kernels/opencl/opencl.h
// describes the text.
#pragma once

#include "kernels/contract/mesh.h"
#include "kernels/contract/shapes.h"
#include "moorea/kernel.h"

namespace moorea::kernels {

/// Properties of an OpenCL device that kernels and their partitions depend on.
struct OpenClTraits {
  bool cpu = false;
  int compute_units = 1;
  int compute_capability = 0;  ///< NVIDIA GPUs: 90 for 9.0; 0: another device
};

/// Partition of a world among an OpenCL kernel's work-groups, if a work-item's part has no fixed size.
struct OpenClPartition {
  std::int64_t groups = 1;         ///< 0: such work-groups are invalid
  std::int64_t rows = 0;           ///< rows per work-item
  std::int64_t scratch_bytes = 0;  ///< additional memory of a pass
};

struct OpenClBinding {
  const char* text = nullptr;
  BlockShape group = {1, 1};  ///< default work-group
  BlockShape item = {};       ///< cells per work-item, for kernels without `partition`
  OpenClPartition (*partition)(const World& world, const OpenClTraits& device, BlockShape group) = nullptr;
  bool fills_halo_columns = false;  ///< strided layout: the kernel writes the halo columns of its rows
  int word_bits = 32;               ///< cells in the logic's words, 32 or 512
  int steps = 1;                    ///< generations that `advance` does on a torus
  bool walks = false;               ///< its functions are those of opencl/strided_walk.h
};

struct OpenClContract {
  OpenClBinding (*bind)(RuleMask rule) = nullptr;
  BlockShape block = {};  ///< default work-group, if it is configurable
  int lanes = 0;          ///< strided layout: cells per vector
  Activity activity = Activity::none;
  MeshTable mesh = MeshTable::none;  ///< as CudaContract::mesh
  /// Returns why worlds of this size are unsupported, or null if they are supported. A null function supports
  /// all sizes.
  const char* (*refuses)(const World& world) = nullptr;
};

}  // namespace moorea::kernels
