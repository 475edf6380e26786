// SPDX-License-Identifier: MIT
#include "devices/cuda/values.h"

#include <numeric>
#include <vector>

#include "devices/cpu/threads.h"

namespace moorea::cuda {
namespace {

constexpr int block_threads = 256;

// Finaliser of MurmurHash3 (Austin Appleby, public domain), which mixes all bits of its argument into each.
__host__ __device__ std::uint32_t hash_at(std::int64_t i, std::uint32_t seed) {
  auto hash = static_cast<std::uint32_t>(i) + seed * 0x9E3779B9u;
  hash = (hash ^ hash >> 16) * 0x85EBCA6Bu;
  hash = (hash ^ hash >> 13) * 0xC2B2AE35u;
  return hash;
}

// Value i of the array as a multiple of its unit: an odd number up to 31, so that a missing value always
// changes the sum.
__host__ __device__ std::uint32_t multiple_at(std::uint32_t, std::int64_t i, std::uint32_t seed) {
  return hash_at(i, seed) >> 27 | 1;
}

// 24 significant bits: most sums of two values must be rounded.
constexpr double float_unit = 1.0 / (1 << 24);
__host__ __device__ std::uint32_t multiple_at(float, std::int64_t i, std::uint32_t seed) {
  return hash_at(i, seed) >> 9 | 1u << 23;
}

__device__ void write(std::uint32_t* value, std::uint32_t multiple) { *value = multiple; }
__device__ void write(float* value, std::uint32_t multiple) {
  *value = static_cast<float>(multiple) * static_cast<float>(float_unit);
}

template <class Value>
__global__ void write_values(Value* values, std::int64_t n, std::uint32_t seed) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) write(values + i, multiple_at(Value{}, i, seed));
}

template <class Value>
void make(Value* values, std::int64_t n, std::uint32_t seed, cudaStream_t stream) {
  if (n == 0) return;
  const std::int64_t blocks = (n + block_threads - 1) / block_threads;
  write_values<<<static_cast<unsigned>(blocks), block_threads, 0, stream>>>(values, n, seed);
}

// At most 2^32 multiples below 2^24.
template <class Value>
std::uint64_t sum_of_multiples(std::int64_t n, std::uint32_t seed) {
  std::vector<std::uint64_t> parts(static_cast<std::size_t>(usable_threads()));
  team(usable_threads(), [&](int thread, int threads) {
    const std::int64_t end = n * (thread + 1) / threads;
    std::uint64_t part = 0;
    for (std::int64_t i = n * thread / threads; i < end; ++i) part += multiple_at(Value{}, i, seed);
    parts[thread] = part;
  });
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
}

}  // namespace

void make_values(std::uint32_t* values, std::int64_t n, std::uint32_t seed, cudaStream_t stream) {
  make(values, n, seed, stream);
}

void make_values(float* values, std::int64_t n, std::uint32_t seed, cudaStream_t stream) {
  make(values, n, seed, stream);
}

double sum_of_values(ReductionType type, std::int64_t n, std::uint32_t seed) {
  return type == ReductionType::integers ? static_cast<double>(sum_of_multiples<std::uint32_t>(n, seed))
                                         : static_cast<double>(sum_of_multiples<float>(n, seed)) * float_unit;
}

}  // namespace moorea::cuda
