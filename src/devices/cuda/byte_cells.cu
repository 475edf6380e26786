// SPDX-License-Identifier: MIT
#include <algorithm>

#include "devices/cuda/byte_cells.h"

namespace moorea::cuda {
namespace {

constexpr int block_threads = 256, warp_lanes = 32, bytes_a_store = 16;

// Store k holds bytes 16 * k to 16 * k + 15 of the box, row by row.
__global__ void unpack(DeviceView view, Box box, std::uint8_t* bytes) {
  const std::int64_t count = box.width * box.height;
  const std::int64_t stores = (count + bytes_a_store - 1) / bytes_a_store;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const std::int64_t row_words = view.bytes_per_row / 4;
  for (std::int64_t store = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; store < stores;
       store += step) {
    std::int64_t y = box.y + store * bytes_a_store / box.width;
    std::int64_t x = box.x + store * bytes_a_store % box.width;
    std::uint32_t quarters[4] = {};
    for (int i = 0; i < bytes_a_store; ++i) {
      const bool inside = x >= 0 && x < view.size.width && y >= 0 && y < view.size.height;
      const std::uint32_t alive = inside ? view.words[y * row_words + x / 32] >> (x % 32) & 1u : 0u;
      quarters[i / 4] |= alive << 8 * (i % 4);
      if (++x == box.x + box.width) {
        x = box.x;
        ++y;
      }
    }
    reinterpret_cast<uint4*>(bytes)[store] = make_uint4(quarters[0], quarters[1], quarters[2], quarters[3]);
  }
}

// A warp makes a word.
__global__ void pack(DeviceBytes from, std::uint32_t* words, std::int64_t words_per_row) {
  const std::int64_t count = words_per_row * from.size.height;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x / warp_lanes;
  const std::int64_t first = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_lanes;
  const int lane = static_cast<int>(threadIdx.x) % warp_lanes;
  for (std::int64_t word = first; word < count; word += step) {
    const std::int64_t y = word / words_per_row, x = word % words_per_row * warp_lanes + lane;
    const bool alive = x < from.size.width && from.cells[y * from.row_stride + x * from.column_stride] != 0;
    const std::uint32_t bits = __ballot_sync(0xFFFFFFFFu, alive);
    if (lane == 0) words[word] = bits;
  }
}

// Blocks for `threads` threads, each of which may have several turns.
unsigned blocks_for(std::int64_t threads) {
  constexpr std::int64_t max_blocks = 1 << 20;
  return static_cast<unsigned>(std::min((threads + block_threads - 1) / block_threads, max_blocks));
}

}  // namespace

void unpack_bytes(const DeviceView& view, const Box& box, std::uint8_t* bytes, cudaStream_t stream) {
  const std::int64_t stores = (box.width * box.height + bytes_a_store - 1) / bytes_a_store;
  unpack<<<blocks_for(stores), block_threads, 0, stream>>>(view, box, bytes);
}

void pack_bytes(const DeviceBytes& bytes, std::uint32_t* words, std::int64_t words_per_row,
                cudaStream_t stream) {
  const std::int64_t threads = words_per_row * bytes.size.height * warp_lanes;
  pack<<<blocks_for(threads), block_threads, 0, stream>>>(bytes, words, words_per_row);
}

}  // namespace moorea::cuda
