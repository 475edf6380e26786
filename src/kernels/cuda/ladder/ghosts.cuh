// SPDX-License-Identifier: MIT
// Ghost rows and columns: a world of bytes has a frame one cell wide that holds the cells of the opposite
// edge, or dead ones, and is refilled before each generation by three kernels: rows above and below, columns
// left and right, the four corners. Each reads only cells of the world, so none depends on the others.
// Include inside an unnamed namespace, after cuda/ladder/cells.cuh.
#ifndef MOOREA_KERNELS_STEP_GHOSTS_CUDA_H
#define MOOREA_KERNELS_STEP_GHOSTS_CUDA_H

constexpr unsigned ghost_threads = 256;  // per block, for rows and columns

struct FramedWorld {
  std::uint8_t* first;  // the first cell of the first row
  std::ptrdiff_t pitch;
  std::int64_t width, height;
  bool torus;
};

// One thread per column fills the ghost cells at both ends.
__global__ void fill_ghost_rows(FramedWorld world) {
  const std::int64_t x = first_column() + threadIdx.x;
  if (x >= world.width) return;
  std::uint8_t* top = world.first + x;
  std::uint8_t* bottom = top + (world.height - 1) * world.pitch;

  top[-world.pitch] = world.torus ? *bottom : 0;
  bottom[world.pitch] = world.torus ? *top : 0;
}

// One thread per row fills the ghost cells at both ends.
__global__ void fill_ghost_columns(FramedWorld world) {
  const std::int64_t y = first_column() + threadIdx.x;
  if (y >= world.height) return;
  std::uint8_t* left = world.first + y * world.pitch;
  std::uint8_t* right = left + world.width - 1;

  left[-1] = world.torus ? *right : 0;
  right[1] = world.torus ? *left : 0;
}

// Four threads, one per corner.
__global__ void fill_ghost_corners(FramedWorld world) {
  const bool at_right = threadIdx.x % 2 == 1, at_bottom = threadIdx.x / 2 == 1;
  const std::int64_t x = at_right ? world.width : -1, opposite_x = at_right ? 0 : world.width - 1;
  const std::int64_t y = at_bottom ? world.height : -1, opposite_y = at_bottom ? 0 : world.height - 1;

  world.first[y * world.pitch + x] = world.torus ? world.first[opposite_y * world.pitch + opposite_x] : 0;
}

// For kernels with CudaContract::fills_own_halo, which may write around the cells that they read.
static void fill_ghosts(const Block& block, cudaStream_t stream) {
  const FramedWorld world{static_cast<std::uint8_t*>(const_cast<void*>(block.from)), block.pitch, block.width,
                          block.height, block.world.torus};
  const dim3 threads(ghost_threads);
  fill_ghost_rows<<<grid_of(block.width, 1, threads), threads, 0, stream>>>(world);
  fill_ghost_columns<<<grid_of(block.height, 1, threads), threads, 0, stream>>>(world);
  fill_ghost_corners<<<1, 4, 0, stream>>>(world);
}

#endif
