// SPDX-License-Identifier: MIT
// The same with if and else, as one writes it first: for a plane's edges, for a live cell and a dead one, for
// what becomes of it. Threads of a warp that take different ways wait for each other, and in a soup they
// nearly always do. Expect less harm than one fears: the ways are a few instructions long, and the divisions
// of rung 2 still cost most.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/step_cells_cuda.h"

// The most that any device holds; where fewer fit, some blocks begin when others have ended.
constexpr int threads_a_multiprocessor = 2048;

__global__ void step_cells(Block block) {
  const std::int64_t width = block.world.width, height = block.world.height;
  const std::int64_t cells = block.width * block.height;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const auto* world = static_cast<const std::uint8_t*>(block.from) - block.y * block.pitch - block.x;
  for (std::int64_t i = first_column() + threadIdx.x; i < cells; i += stride) {
    const std::int64_t row = i / block.width, column = i % block.width;
    const std::int64_t x = block.x + column, y = block.y + row;
    const std::int64_t left = (x + width - 1) % width, right = (x + 1) % width;
    const std::uint8_t* above = world + (y + height - 1) % height * block.pitch;
    const std::uint8_t* at = world + y * block.pitch;
    const std::uint8_t* below = world + (y + 1) % height * block.pitch;
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

    std::uint8_t* to = static_cast<std::uint8_t*>(block.to) + row * block.pitch + column;
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

DeviceFunction device_function(const Block&, const Launch& how) {
  return {reinterpret_cast<const void*>(step_cells), how.block.width};
}

void launch(const Block& block, const Launch& how) {
  const std::int64_t threads = how.block.width, cells = block.width * block.height;
  const std::int64_t needed = (cells + threads - 1) / threads;
  const std::int64_t held =
      (static_cast<std::int64_t>(how.multiprocessors) * threads_a_multiprocessor + threads - 1) / threads;
  step_cells<<<static_cast<unsigned>(needed < held ? needed : held), static_cast<unsigned>(threads), 0,
               static_cast<cudaStream_t>(how.stream)>>>(block);
}

Binding bind(RuleMask, const DeviceTraits& device) {
  Binding binding;
  binding.refusal = device.no_cuda();
  binding.launch = launch;
  binding.device_function = device_function;
  return binding;
}

}  // namespace

extern const Kernel cuda_ladder_03_naive_branch = {
    .summary = "ladder: a byte a cell, one loop over all cells, modulo at the edges, if and else",
    .layout = Layout::bytes,
    .max_steps = 1,
    .bind = bind,
    .wraps = true,
    .block = {256, 1},
};

}  // namespace moorea::kernels
