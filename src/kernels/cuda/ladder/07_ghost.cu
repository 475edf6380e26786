// SPDX-License-Identifier: MIT
// A frame of ghost cells around the world in global memory, filled by three small kernels before each step,
// so that the step itself has no edge cases: nine loads, a sum, the rule. See cuda/ladder/ghosts.cuh. Expect
// it far ahead of the modulo of rungs 2 and 3 in large worlds; small ones are dominated by four launches per
// generation instead of one.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/cells.cuh"
#include "kernels/cuda/ladder/ghosts.cuh"

__global__ void step_cells(Block block) {
  const std::int64_t x = first_column() + threadIdx.x, y = first_row() + threadIdx.y;
  if (x >= block.width || y >= block.height) return;
  const auto* at = static_cast<const std::uint8_t*>(block.from) + y * block.pitch + x;

  const unsigned next = next_cell(*at, live_neighbours(at, block.pitch), block.rule);

  static_cast<std::uint8_t*>(block.to)[y * block.pitch + x] = static_cast<std::uint8_t>(next);
}

DeviceFunction device_function(const Block&, const Launch& how) {
  return {reinterpret_cast<const void*>(step_cells), how.block.width * how.block.height};
}

void launch(const Block& block, const Launch& how) {
  const auto stream = static_cast<cudaStream_t>(how.stream);
  const dim3 threads = threads_of(how.block), grid = grid_of(block.width, block.height, threads);
  fill_ghosts(block, stream);
  step_cells<<<grid, threads, 0, stream>>>(block);
}

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_ladder_07_ghost;
constexpr Kernel cuda_ladder_07_ghost = {
    .summary = "ladder: ghost rows and columns, filled by kernels of their own before each step",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {32, 8}, .fills_own_halo = true},
};

}  // namespace moorea::kernels
