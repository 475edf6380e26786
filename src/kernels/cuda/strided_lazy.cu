// SPDX-License-Identifier: MIT
// cuda/strided restricted to active rows: for every eight rows of its strip, a warp records which lanes'
// cells differ from those one pass, six generations, before. If a group of rows and all groups around it did
// not change, it will not change and both buffers hold the same cells, so still lifes and oscillators of
// period two, three and six become inactive. Before each pass a small kernel lists the runs of active rows.
#include <cstdint>

#include "kernels/common/segments.h"
#include "kernels/kernel.h"

namespace moorea::kernels {

extern const char* const strided_lazy_source;  // made by cmake/Cuda.cmake

namespace {

using word = std::uint32_t;

#include "kernels/cuda/strided_call.h"
#include "kernels/cuda/strided_launch.h"
#include "kernels/cuda/strided_lazy_launch.cuh"

RuntimeSource source(const World&, int) { return {strided_lazy_source, "", {"lazy_full", "lazy_general"}}; }

CudaBinding bind(RuleMask) {
  return {.launch = launch, .device_function = device_function, .source = source};
}

}  // namespace

extern const Kernel cuda_strided_lazy;
constexpr Kernel cuda_strided_lazy = {
    .summary = "cuda/strided restricted to rows of strips that change",
    .layout = Layout::strided,
    .max_steps = depth,
    .supports = {.families = life_like | nine_cells},
    .contract = CudaContract{.bind = bind,
                             .plane_steps = true,
                             .activity = Activity::skipped,
                             .wake_rows = wake_rows,
                             .fills_halo_columns = joins_rows,
                             .scratch_bytes = scratch_bytes,
                             .refuses = too_large},
};

}  // namespace moorea::kernels
