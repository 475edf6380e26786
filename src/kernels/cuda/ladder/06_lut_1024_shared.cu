// SPDX-License-Identifier: MIT
// Rung 6 with the cells in shared memory: a tile of 66 x 66 cells for 32 x 32 threads, whose halo is 6.3 % of
// its cells instead of 12.9 % as in rung 5 with shared memory. See cuda/ladder/lut_shared.cuh. Expect a gain
// over that one only if the halo matters; all 1024 threads wait for the last load of the block.
#include <cstdint>
#include <map>
#include <mutex>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/lut_shared.cuh"

CudaBinding bind(RuleMask) {
  return {.launch = launch_by_table_shared, .device_function = function_by_table_shared};
}

}  // namespace

extern const Kernel cuda_ladder_06_lut_1024_shared;
constexpr Kernel cuda_ladder_06_lut_1024_shared = {
    .summary = "ladder: rung 6 with the index assembled from a tile of 66 x 66 cells in shared memory",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {32, 32}},
};

}  // namespace moorea::kernels
