// SPDX-License-Identifier: MIT
// Test arrays generated on the GPU, whose sum the CPU computes independently.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace moorea::cuda {

/// Enqueues a kernel that generates n values, odd numbers up to 31 each.
void make_values(std::uint32_t* values, std::int64_t n, std::uint32_t seed, cudaStream_t stream);

/// Returns their sum, added up one by one on all CPU threads.
std::uint64_t sum_of_values(std::int64_t n, std::uint32_t seed);

}  // namespace moorea::cuda
