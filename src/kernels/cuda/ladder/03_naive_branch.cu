// SPDX-License-Identifier: MIT
// Rung 2 with if and else, as in a first version: for a plane's edges, for live and dead cells, for the next
// state. Threads of a warp that take different branches wait for each other (divergence), which happens
// nearly always in a soup. Expect little loss: the branches are a few instructions long, and the divisions of
// rung 2 still cost most.
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
    const bool torus = block.world.torus;
    const bool has_left = torus || x > 0, has_right = torus || x < width - 1;

    unsigned neighbours = 0;
    if (torus || y > 0) {
      if (has_left) neighbours += above[left];
      neighbours += above[x];
      if (has_right) neighbours += above[right];
    }
    if (has_left) neighbours += at[left];
    if (has_right) neighbours += at[right];
    if (torus || y < height - 1) {
      if (has_left) neighbours += below[left];
      neighbours += below[x];
      if (has_right) neighbours += below[right];
    }

    std::uint8_t* to = static_cast<std::uint8_t*>(block.to) + row * pitch + column;
    if (at[x] != 0) {
      if (block.rule.survival >> neighbours & 1) {
        *to = 1;
      } else {
        *to = 0;
      }
    } else {
      if (block.rule.birth >> neighbours & 1) {
        *to = 1;
      } else {
        *to = 0;
      }
    }
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

extern const Kernel cuda_ladder_03_naive_branch;
constexpr Kernel cuda_ladder_03_naive_branch = {
    .summary = "ladder: a byte per cell, one loop over all cells, modulo at the edges, if and else",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {256, 1}, .wraps = true},
};

}  // namespace moorea::kernels
