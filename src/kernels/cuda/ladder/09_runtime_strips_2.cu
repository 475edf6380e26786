// SPDX-License-Identifier: MIT
// Two families of rules in one kernel, selected at run time: Life and ANNEAL, both a few operations per row.
// See cuda/ladder/strips.cuh. A kernel has as many registers as its most expensive case needs, whichever case
// runs; with these two that is no more than for Life alone. The kernels with three and four families add
// expensive ones.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/cells.cuh"
#include "kernels/cuda/ladder/families.cuh"
#include "kernels/cuda/ladder/strips.cuh"

#include "kernels/cuda/ladder/runtime_strips.cuh"

constexpr int families = 2;

const char* refuses(RuleMask rule) {
  return static_cast<int>(family_of(rule)) < families
             ? nullptr
             : "it supports Life and ANNEAL only: choose one of them or another kernel";
}

}  // namespace

extern const Kernel cuda_ladder_09_runtime_strips_2;
constexpr Kernel cuda_ladder_09_runtime_strips_2 = {
    .summary = "ladder: strips, two families of rules distinguished at run time",
    .layout = Layout::bytes,
    .max_steps = 1,
    .supports = {.refuses = refuses},
    .contract = CudaContract{.bind = bind_strips<families>, .block = {32, 8}},
};

}  // namespace moorea::kernels
