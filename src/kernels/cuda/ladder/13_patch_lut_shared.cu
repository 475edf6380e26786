// SPDX-License-Identifier: MIT
// Rung 12 with the patches of the thread block and those around them copied to shared memory first: nine
// loads of two bytes become little more than one. It pays if those loads are the limit; if the look-ups are,
// or the caches serve the loads as well, the barrier costs more than it saves.
#include <cuda_runtime.h>

#include <cstdint>
#include <map>
#include <mutex>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/lut.cuh"
#include "kernels/cuda/ladder/patches.cuh"

// `patches` holds the thread block's patches with a halo of one.
__global__ void step_patches_shared(Block block, const std::uint8_t* table) {
  extern __shared__ patch patches[];
  const std::int64_t first_x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x;
  const std::int64_t first_y = first_row_of_block();
  const std::int64_t columns = (block.width + 3) / 4, rows = (block.height + 3) / 4;
  const std::ptrdiff_t pitch = block.pitch / static_cast<std::ptrdiff_t>(sizeof(patch));
  const auto* from = static_cast<const patch*>(block.from);
  const unsigned across = blockDim.x + 2, down = blockDim.y + 2;
  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
  for (unsigned i = thread; i < across * down; i += threads) {
    const std::int64_t x = first_x + i % across - 1, y = first_y + i / across - 1;
    if (x <= columns && y <= rows) patches[i] = from[y * pitch + x];
  }
  __syncthreads();  // every thread reads patches that others have copied
  const std::int64_t x = first_x + threadIdx.x, y = first_y + threadIdx.y;
  if (x >= columns || y >= rows) return;
  const patch* own = patches + (threadIdx.y + 1) * across + threadIdx.x + 1;

  const unsigned next = next_patch(neighbourhood(own, across), table);

  static_cast<patch*>(block.to)[y * pitch + x] = static_cast<patch>(next);
}

DeviceFunction device_function(const Block&, const Launch& how) {
  const int width = how.block.width, height = how.block.height;
  const std::size_t shared_bytes = static_cast<std::size_t>((width + 2) * (height + 2)) * sizeof(patch);
  return {reinterpret_cast<const void*>(step_patches_shared), width * height, shared_bytes};
}

void launch(const Block& block, const Launch& how) {
  const auto stream = static_cast<cudaStream_t>(how.stream);
  const std::uint8_t* table = lookup_table(block.rule, stream);
  if (table == nullptr) return;
  const dim3 threads(static_cast<unsigned>(how.block.width), static_cast<unsigned>(how.block.height));
  const std::size_t shared_bytes = device_function(block, how).shared_bytes;
  step_patches_shared<<<grid_of_patches(block, how), threads, shared_bytes, stream>>>(block, table);
}

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_ladder_13_patch_lut_shared;
constexpr Kernel cuda_ladder_13_patch_lut_shared = {
    .summary = "ladder: 4 x 4 cells per thread by four look-ups, patches in shared memory",
    .layout = Layout::patches,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {32, 8}},
};

}  // namespace moorea::kernels
