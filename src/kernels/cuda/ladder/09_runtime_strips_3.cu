// SPDX-License-Identifier: MIT
// Three families of rules in one kernel: cuda/ladder/09_runtime_strips_2 and totalistic rules, which keep ten
// rows in registers. Life runs the same instructions as there, but its threads own the registers of this
// case, so that fewer of them are resident on a multiprocessor.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/cells.cuh"
#include "kernels/cuda/ladder/families.cuh"
#include "kernels/cuda/ladder/strips.cuh"

#include "kernels/cuda/ladder/runtime_strips.cuh"

constexpr int families = 3;

const char* refuses(RuleMask rule) {
  return static_cast<int>(family_of(rule)) < families
             ? nullptr
             : "it supports Life and totalistic rules only: choose one of them or another kernel";
}

}  // namespace

extern const Kernel cuda_ladder_09_runtime_strips_3;
constexpr Kernel cuda_ladder_09_runtime_strips_3 = {
    .summary = "ladder: strips, three families of rules distinguished at run time",
    .layout = Layout::bytes,
    .max_steps = 1,
    .supports = {.refuses = refuses},
    .contract = CudaContract{.bind = bind_strips<families>, .block = {32, 8}},
};

}  // namespace moorea::kernels
