// SPDX-License-Identifier: MIT
// Rules by table look-up: a thread computes 2 x 2 cells at once from the 4 x 4 around them, 16 x 16 threads
// per block. See cuda/ladder/lut_bytes.cuh. Expect a gain over counting from fewer loads, independent of the
// rule; in a soup the threads of a warp access up to 32 entries of the table at a time, which are served one
// after the other.
#include <cstdint>
#include <map>
#include <mutex>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/lut_bytes.cuh"

CudaBinding bind(RuleMask) { return {.launch = launch_by_table, .device_function = function_by_table}; }

}  // namespace

extern const Kernel cuda_ladder_05_lut_256;
constexpr Kernel cuda_ladder_05_lut_256 = {
    .summary = "ladder: 2 x 2 cells by one look-up in a table, 256 threads per block",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {16, 16}},
};

}  // namespace moorea::kernels
