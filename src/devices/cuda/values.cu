// SPDX-License-Identifier: MIT
#include "devices/cuda/values.h"

#include <numeric>
#include <vector>

#include "devices/cpu/threads.h"

namespace moorea::cuda {
namespace {

constexpr int block_threads = 256;

// Returns value i of the array, an odd number up to 31, so that a missing value always changes the sum: the
// upper bits of the finaliser of MurmurHash3 (Austin Appleby, public domain), which mixes all bits of its
// argument into each.
__host__ __device__ std::uint32_t value_at(std::int64_t i, std::uint32_t seed) {
  auto hash = static_cast<std::uint32_t>(i) + seed * 0x9E3779B9u;
  hash = (hash ^ hash >> 16) * 0x85EBCA6Bu;
  hash = (hash ^ hash >> 13) * 0xC2B2AE35u;
  return hash >> 27 | 1;
}

__global__ void write_values(std::uint32_t* values, std::int64_t n, std::uint32_t seed) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) values[i] = value_at(i, seed);
}

}  // namespace

void make_values(std::uint32_t* values, std::int64_t n, std::uint32_t seed, cudaStream_t stream) {
  if (n == 0) return;
  const std::int64_t blocks = (n + block_threads - 1) / block_threads;
  write_values<<<static_cast<unsigned>(blocks), block_threads, 0, stream>>>(values, n, seed);
}

std::uint64_t sum_of_values(std::int64_t n, std::uint32_t seed) {
  std::vector<std::uint64_t> parts(static_cast<std::size_t>(usable_threads()));
  team(usable_threads(), [&](int thread, int threads) {
    const std::int64_t end = n * (thread + 1) / threads;
    std::uint64_t part = 0;
    for (std::int64_t i = n * thread / threads; i < end; ++i) part += value_at(i, seed);
    parts[thread] = part;
  });
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
}

}  // namespace moorea::cuda
