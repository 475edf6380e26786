// SPDX-License-Identifier: MIT
// Rows of cells that Simulation::device_cells() has packed in a GPU's memory, copied to main memory while the
// simulation continues.
#pragma once

#include <cstdint>
#include <memory>

#include "moorea/grid_view.h"
#include "moorea/simulation.h"

namespace moorea {

/// Copies in a stream of its own, from any one thread.
class GpuRows {
 public:
  virtual ~GpuRows() = default;
  /// Copies rows `first` to `first + to.height - 1` to a view of the world's width. Throws Error (run).
  virtual void read(std::int64_t first, const GridView& to) = 0;
};

/// Throws Error (unavailable) in a build without CUDA.
std::unique_ptr<GpuRows> make_gpu_rows(const DeviceView& view);

}  // namespace moorea
