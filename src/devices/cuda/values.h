// SPDX-License-Identifier: MIT
// Test arrays generated on the GPU, whose sum the CPU computes independently.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "moorea/lab/reduction.h"

namespace moorea::cuda {

/// Enqueues a kernel that generates n values, as ReductionType describes them.
void make_values(std::uint32_t* values, std::int64_t n, std::uint32_t seed, cudaStream_t stream);
void make_values(float* values, std::int64_t n, std::uint32_t seed, cudaStream_t stream);

/// Returns their sum, added up one by one on all CPU threads as integers: floats as multiples of 2^-24.
double sum_of_values(ReductionType type, std::int64_t n, std::uint32_t seed);

}  // namespace moorea::cuda
