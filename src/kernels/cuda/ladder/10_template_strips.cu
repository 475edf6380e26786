// SPDX-License-Identifier: MIT
// cuda/ladder/09_runtime_strips_4 with the family as a template parameter: a kernel for each, with the
// registers that this family needs. Expect the occupancy, and thereby the speed, of inexpensive families to
// be that of kernels without expensive cases, and their best thread block to be larger again; nothing changes
// for the most expensive family. See cuda/ladder/strips.cuh.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/cells.cuh"
#include "kernels/cuda/ladder/families.cuh"
#include "kernels/cuda/ladder/strips.cuh"

constexpr int all_families = 4;

template <Family family>
__global__ void __launch_bounds__(max_block_threads) step_strips(Block block) {
  step_strip<all_families>(block, family);
}

using StepStrips = void (*)(Block);

StepStrips step_for(const RuleMask& rule) {
  switch (family_of(rule)) {
    case Family::life:
      return step_strips<Family::life>;
    case Family::anneal:
      return step_strips<Family::anneal>;
    case Family::totalistic:
      return step_strips<Family::totalistic>;
    default:
      return step_strips<Family::outer_totalistic>;
  }
}

DeviceFunction device_function(const Block& block, const Launch& how) {
  return {reinterpret_cast<const void*>(step_for(block.rule)), how.block.width * how.block.height};
}

void launch(const Block& block, const Launch& how) {
  const dim3 threads = threads_of(how.block), grid = grid_of_strips(block, threads);
  step_for(block.rule)<<<grid, threads, 0, static_cast<cudaStream_t>(how.stream)>>>(block);
}

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_ladder_10_template_strips;
constexpr Kernel cuda_ladder_10_template_strips = {
    .summary = "ladder: strips, families of rules, each a kernel from a template",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {32, 8}},
};

}  // namespace moorea::kernels
