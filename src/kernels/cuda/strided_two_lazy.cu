// SPDX-License-Identifier: MIT
// cuda/strided_lazy with passes of two generations, the partner of cuda/strided_two in quiet worlds: still
// lifes and oscillators of period two become inactive.
#include <cstdint>

#include "kernels/common/segments.h"
#include "kernels/kernel.h"

namespace moorea::kernels {

extern const char* const strided_lazy_source;  // made by cmake/Cuda.cmake

namespace {

using word = std::uint32_t;

#define MOOREA_DEPTH 2
#include "kernels/cuda/strided_call.h"
#include "kernels/cuda/strided_launch.h"
#include "kernels/cuda/strided_lazy_launch.cuh"

RuntimeSource source(const World&, int) {
  return {strided_lazy_source, "#define MOOREA_DEPTH 2\n", {"lazy_full", "lazy_general"}};
}

CudaBinding bind(RuleMask) {
  return {.launch = launch, .device_function = device_function, .source = source};
}

}  // namespace

extern const Kernel cuda_strided_two_lazy;
constexpr Kernel cuda_strided_two_lazy = {
    .summary = "cuda/strided_two restricted to rows of strips that change",
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
