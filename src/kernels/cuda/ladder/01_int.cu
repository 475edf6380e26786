// SPDX-License-Identifier: MIT
// First GPU version: a thread per cell, and an integer per cell, because arrays of int are the obvious
// choice. The halo is filled beforehand, since arithmetic at the edges would hide the subject of this rung: a
// cell is one bit and occupies 32, all of which are transferred in every generation. Rung 7 is the same
// kernel with a byte per cell; in worlds larger than the caches expect up to four times its time.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/cells.cuh"

__global__ void step_cells(Block block) {
  const std::int64_t x = first_column() + threadIdx.x, y = first_row() + threadIdx.y;
  if (x >= block.width || y >= block.height) return;
  const std::ptrdiff_t pitch = block.pitch / static_cast<std::ptrdiff_t>(sizeof(int));
  const int* at = static_cast<const int*>(block.from) + y * pitch + x;

  const unsigned next = next_cell(static_cast<unsigned>(*at), live_neighbours(at, pitch), block.rule);

  static_cast<int*>(block.to)[y * pitch + x] = static_cast<int>(next);
}

DeviceFunction device_function(const Block&, const Launch& how) {
  return {reinterpret_cast<const void*>(step_cells), how.block.width * how.block.height};
}

void launch(const Block& block, const Launch& how) {
  const dim3 threads = threads_of(how.block), grid = grid_of(block.width, block.height, threads);
  step_cells<<<grid, threads, 0, static_cast<cudaStream_t>(how.stream)>>>(block);
}

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_ladder_01_int;
constexpr Kernel cuda_ladder_01_int = {
    .summary = "ladder: a thread and an integer per cell",
    .layout = Layout::ints,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {32, 8}},
};

}  // namespace moorea::kernels
