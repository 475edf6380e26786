// SPDX-License-Identifier: MIT
// Arrays of values that the GPU makes, and whose sum the CPU knows because it makes the same.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace moorea::cuda {

/// Puts a kernel into the stream that makes n values, odd numbers up to 31 each.
void make_values(std::uint32_t* values, std::int64_t n, std::uint32_t seed, cudaStream_t stream);

/// Their sum, added up one by one on all CPU threads.
std::uint64_t sum_of_values(std::int64_t n, std::uint32_t seed);

}  // namespace moorea::cuda
