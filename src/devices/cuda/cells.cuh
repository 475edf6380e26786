// SPDX-License-Identifier: MIT
// Device functions on packed words, shared by the kernels of cells.cu, halo.cu and cell_queries.cu.
#pragma once

#include "devices/cuda/cells.h"

namespace moorea::cuda {
namespace {

using word = std::uint32_t;
using patch = std::uint16_t;

constexpr int block_threads = 256;
constexpr unsigned all_lanes = 0xFFFFFFFF;

unsigned blocks_for(std::int64_t threads) {
  const std::int64_t blocks = (threads + block_threads - 1) / block_threads;
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks);
}

__device__ std::int64_t global_thread() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::int64_t modulo(std::int64_t a, std::int64_t n) { return (a % n + n) % n; }

// Returns 32 cells from column x on, of a row of packed words; columns outside are dead.
__device__ word cells_at(const word* row, std::int64_t words, std::int64_t x) {
  const std::int64_t at = x >> 5;
  const word low = at >= 0 && at < words ? row[at] : 0,
             high = at + 1 >= 0 && at + 1 < words ? row[at + 1] : 0;
  return __funnelshift_r(low, high, static_cast<unsigned>(x & 31));
}

__device__ word tail_mask(std::int64_t width, std::int64_t word_index) {
  const std::int64_t left = width - 32 * word_index;
  return left >= 32 ? ~word{0} : left <= 0 ? 0 : (word{1} << left) - 1;
}

}  // namespace
}  // namespace moorea::cuda
