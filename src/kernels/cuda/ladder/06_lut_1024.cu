// SPDX-License-Identifier: MIT
// Rung 5 with 32 x 32 threads per block, the maximum: fewer blocks to start and to end, but a multiprocessor
// receives its next one only when all 1024 threads of a block have ended. See cuda/ladder/lut_bytes.cuh.
// Expect little difference from rung 5; both accept any other shape.
#include <cstdint>
#include <map>
#include <mutex>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/lut_bytes.cuh"

CudaBinding bind(RuleMask) { return {.launch = launch_by_table, .device_function = function_by_table}; }

}  // namespace

extern const Kernel cuda_ladder_06_lut_1024;
constexpr Kernel cuda_ladder_06_lut_1024 = {
    .summary = "ladder: 2 x 2 cells by one look-up in a table, 1024 threads per block",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {32, 32}},
};

}  // namespace moorea::kernels
