// SPDX-License-Identifier: MIT
// All four families of rules in one kernel: cuda/ladder/09_runtime_strips_3 and all other rules, with masks
// for live and dead cells. cuda/ladder/10_template_strips has the same families as a kernel each.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/cells.cuh"
#include "kernels/cuda/ladder/families.cuh"
#include "kernels/cuda/ladder/strips.cuh"

#include "kernels/cuda/ladder/runtime_strips.cuh"

constexpr int families = 4;

}  // namespace

extern const Kernel cuda_ladder_09_runtime_strips_4;
constexpr Kernel cuda_ladder_09_runtime_strips_4 = {
    .summary = "ladder: strips, four families of rules distinguished at run time",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind_strips<families>, .block = {32, 8}},
};

}  // namespace moorea::kernels
