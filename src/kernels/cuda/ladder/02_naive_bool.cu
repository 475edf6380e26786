// SPDX-License-Identifier: MIT
// A byte per cell, and as many threads as the device holds at a time, in a grid-stride loop over the world as
// one long row: cell i is column i mod width of row i / width. Neighbours beyond an edge are found by modulo,
// so no halo is filled. No branch but the loop's: a plane's edge and the rule are factors or shifts. Expect
// the divisions, five per cell, to cost more than the cells; the kernel is not memory-bound.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/cells.cuh"

// Maximum of all devices; if fewer fit, some blocks start after others have ended.
constexpr int threads_a_multiprocessor = 2048;

// 64-bit divisions take about a hundred instructions on GPUs, 32-bit ones some twenty: the index is as wide
// as the number of cells requires.
template <class Index>
__global__ void step_cells(Block block) {
  const Index width = static_cast<Index>(block.world.width), height = static_cast<Index>(block.world.height);
  const Index block_width = static_cast<Index>(block.width);
  const Index cells = block_width * static_cast<Index>(block.height);
  const Index pitch = static_cast<Index>(block.pitch);
  const Index stride = static_cast<Index>(gridDim.x) * blockDim.x;
  const auto* world = static_cast<const std::uint8_t*>(block.from) - block.y * block.pitch - block.x;
  for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < cells; i += stride) {
    const Index row = i / block_width, column = i % block_width;
    const Index x = static_cast<Index>(block.x) + column, y = static_cast<Index>(block.y) + row;
    const Index left = (x + width - 1) % width, right = (x + 1) % width;
    const std::uint8_t* above = world + (y + height - 1) % height * pitch;
    const std::uint8_t* at = world + y * pitch;
    const std::uint8_t* below = world + (y + 1) % height * pitch;
    // 1 if there is a neighbour on that side, 0 beyond a plane's edge
    const bool torus = block.world.torus;
    const unsigned has_left = torus | (x > 0), has_right = torus | (x < width - 1);
    const unsigned has_above = torus | (y > 0), has_below = torus | (y < height - 1);

    const unsigned neighbours = has_above * (has_left * above[left] + above[x] + has_right * above[right]) +
                                has_left * at[left] + has_right * at[right] +
                                has_below * (has_left * below[left] + below[x] + has_right * below[right]);
    const unsigned next = next_cell(at[x], neighbours, block.rule);

    static_cast<std::uint8_t*>(block.to)[row * pitch + column] = static_cast<std::uint8_t>(next);
  }
}

using StepCells = void (*)(Block);

// 32 bits suffice if they can number each byte of the world and a stride beyond the last one.
StepCells step_for(const World& world, std::ptrdiff_t pitch) {
  constexpr std::int64_t max_bytes = std::int64_t{1} << 31;
  return world.height * pitch <= max_bytes ? step_cells<std::uint32_t> : step_cells<std::uint64_t>;
}

DeviceFunction device_function(const Block& block, const Launch& how) {
  return {reinterpret_cast<const void*>(step_for(block.world, block.pitch)), how.block.width};
}

void launch(const Block& block, const Launch& how) {
  const std::int64_t threads = how.block.width, cells = block.width * block.height;
  const std::int64_t needed = (cells + threads - 1) / threads;
  const std::int64_t held =
      (static_cast<std::int64_t>(how.multiprocessors) * threads_a_multiprocessor + threads - 1) / threads;
  const StepCells step = step_for(block.world, block.pitch);
  step<<<static_cast<unsigned>(needed < held ? needed : held), static_cast<unsigned>(threads), 0,
         static_cast<cudaStream_t>(how.stream)>>>(block);
}

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_ladder_02_naive_bool;
constexpr Kernel cuda_ladder_02_naive_bool = {
    .summary = "ladder: a byte per cell, one loop over all cells, modulo at the edges, no branches",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {256, 1}, .wraps = true},
};

}  // namespace moorea::kernels
