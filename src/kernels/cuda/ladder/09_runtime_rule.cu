// SPDX-License-Identifier: MIT
// One kernel for several families of rules, distinguished at run time: Life and ANNEAL by their own
// expressions, totalistic rules by a mask of totals, all others by birth and survival masks. All threads take
// the same branch, so warps do not diverge; the price is a few comparisons per cell. Rung 10 is the same
// kernel specialised at compile time; the halo is filled.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/cells.cuh"
#include "kernels/cuda/ladder/families.cuh"

__global__ void step_cells(Block block, Family family) {
  const std::int64_t x = first_column() + threadIdx.x, y = first_row() + threadIdx.y;
  if (x >= block.width || y >= block.height) return;
  const auto* at = static_cast<const std::uint8_t*>(block.from) + y * block.pitch + x;

  const unsigned next = next_of(family, *at, live_neighbours(at, block.pitch), block.rule);

  static_cast<std::uint8_t*>(block.to)[y * block.pitch + x] = static_cast<std::uint8_t>(next);
}

DeviceFunction device_function(const Block&, const Launch& how) {
  return {reinterpret_cast<const void*>(step_cells), how.block.width * how.block.height};
}

void launch(const Block& block, const Launch& how) {
  const dim3 threads = threads_of(how.block), grid = grid_of(block.width, block.height, threads);
  step_cells<<<grid, threads, 0, static_cast<cudaStream_t>(how.stream)>>>(block, family_of(block.rule));
}

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_ladder_09_runtime_rule;
constexpr Kernel cuda_ladder_09_runtime_rule = {
    .summary = "ladder: families of rules, distinguished at run time",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {32, 8}},
};

}  // namespace moorea::kernels
