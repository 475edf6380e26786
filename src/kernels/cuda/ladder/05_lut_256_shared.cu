// SPDX-License-Identifier: MIT
// Rung 5 with the cells in shared memory: 16 x 16 threads load the 34 x 34 cells around their 32 x 32
// together and assemble the indices from them. See cuda/ladder/lut_shared.cuh. 1.13 loads from global memory
// per cell instead of four; the price is a division per load and a barrier. Expect a loss if the L1 cache,
// which is the same memory, serves the loads of rung 5 as well.
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

extern const Kernel cuda_ladder_05_lut_256_shared;
constexpr Kernel cuda_ladder_05_lut_256_shared = {
    .summary = "ladder: rung 5 with the index assembled from a tile of 34 x 34 cells in shared memory",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {16, 16}},
};

}  // namespace moorea::kernels
