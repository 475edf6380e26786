// SPDX-License-Identifier: MIT
// 4 x 4 cells per thread, in 16 bits: the cells of nine patches become one word of 6 x 6, from which four
// look-ups in the rule's table compute 2 x 2 cells each. No cell is counted, every rule costs the same, and a
// patch has few neighbours; but every look-up is a load from anywhere in 64 KiB, serialised if the lanes of a
// warp access different lines.
#include <cuda_runtime.h>

#include <cstdint>
#include <map>
#include <mutex>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/lut.cuh"
#include "kernels/cuda/ladder/patches.cuh"

__global__ void step_patches(Block block, const std::uint8_t* table) {
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t y = first_row_of_block() + threadIdx.y;
  if (4 * x >= block.width || 4 * y >= block.height) return;
  const std::ptrdiff_t pitch = block.pitch / static_cast<std::ptrdiff_t>(sizeof(patch));
  const patch* own = static_cast<const patch*>(block.from) + y * pitch + x;

  const unsigned next = next_patch(neighbourhood(own, pitch), table);

  static_cast<patch*>(block.to)[y * pitch + x] = static_cast<patch>(next);
}

DeviceFunction device_function(const Block&, const Launch& how) {
  return {reinterpret_cast<const void*>(step_patches), how.block.width * how.block.height};
}

void launch(const Block& block, const Launch& how) {
  const auto stream = static_cast<cudaStream_t>(how.stream);
  const std::uint8_t* table = lookup_table(block.rule, stream);
  if (table == nullptr) return;
  const dim3 threads(static_cast<unsigned>(how.block.width), static_cast<unsigned>(how.block.height));
  step_patches<<<grid_of_patches(block, how), threads, 0, stream>>>(block, table);
}

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_ladder_12_patch_lut;
constexpr Kernel cuda_ladder_12_patch_lut = {
    .summary = "ladder: 4 x 4 cells per thread by four look-ups",
    .layout = Layout::patches,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {32, 8}},
};

}  // namespace moorea::kernels
