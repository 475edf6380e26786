// SPDX-License-Identifier: MIT
// Ghost cells twice: around the world as in rung 7, and around each block's cells in shared memory, where the
// threads adjacent to them load them in three phases: rows, columns, corners. No index is divided, unlike in
// rung 4, but few threads are busy in these phases while the others wait at the barrier. Worlds need not be
// multiples of the block: the ghosts of a partial block follow its last cells.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/cells.cuh"
#include "kernels/cuda/ladder/ghosts.cuh"

extern __shared__ std::uint8_t tile[];  // the block's cells with a halo of one

__global__ void step_tile(Block block) {
  const std::int64_t left = first_column(), top = first_row();
  const std::int64_t x = left + threadIdx.x, y = top + threadIdx.y;
  const bool inside = x < block.width && y < block.height;
  const std::ptrdiff_t pitch = block.pitch, tile_pitch = blockDim.x + 2;
  const auto* from = static_cast<const std::uint8_t*>(block.from) + y * pitch + x;
  std::uint8_t* at = tile + (threadIdx.y + 1) * tile_pitch + threadIdx.x + 1;
  // Sides of the block's cells that this thread's cell lies on, all four if it is the only one
  const bool is_left = threadIdx.x == 0, is_top = threadIdx.y == 0;
  const bool is_right = threadIdx.x == blockDim.x - 1 || x == block.width - 1;
  const bool is_bottom = threadIdx.y == blockDim.y - 1 || y == block.height - 1;

  if (inside) {
    at[0] = from[0];

    if (is_top) at[-tile_pitch] = from[-pitch];
    if (is_bottom) at[tile_pitch] = from[pitch];

    if (is_left) at[-1] = from[-1];
    if (is_right) at[1] = from[1];

    if (is_top && is_left) at[-tile_pitch - 1] = from[-pitch - 1];
    if (is_top && is_right) at[-tile_pitch + 1] = from[-pitch + 1];
    if (is_bottom && is_left) at[tile_pitch - 1] = from[pitch - 1];
    if (is_bottom && is_right) at[tile_pitch + 1] = from[pitch + 1];
  }
  __syncthreads();  // cells and ghosts are complete
  if (!inside) return;
  const unsigned next = next_cell(*at, live_neighbours(at, tile_pitch), block.rule);

  static_cast<std::uint8_t*>(block.to)[y * pitch + x] = static_cast<std::uint8_t>(next);
}

DeviceFunction device_function(const Block&, const Launch& how) {
  const int width = how.block.width, height = how.block.height;
  const auto tile_bytes = static_cast<std::size_t>((width + 2) * (height + 2));
  return {reinterpret_cast<const void*>(step_tile), width * height, tile_bytes};
}

void launch(const Block& block, const Launch& how) {
  const auto stream = static_cast<cudaStream_t>(how.stream);
  const dim3 threads = threads_of(how.block), grid = grid_of(block.width, block.height, threads);
  const std::size_t tile_bytes = device_function(block, how).shared_bytes;
  fill_ghosts(block, stream);
  step_tile<<<grid, threads, tile_bytes, stream>>>(block);
}

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_ladder_08_ghost_shared;
constexpr Kernel cuda_ladder_08_ghost_shared = {
    .summary = "ladder: ghost cells around the world and, in shared memory, around each block",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {32, 32}, .fills_own_halo = true},
};

}  // namespace moorea::kernels
