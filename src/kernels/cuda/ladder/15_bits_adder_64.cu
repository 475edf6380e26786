// SPDX-License-Identifier: MIT
// Rung 14 with words of 64 bits, two per thread: as many cells and as many bytes. Included because wider
// words make CPUs faster; a GPU's logic has 32 bits, so that each operation becomes two. Expect no
// difference.
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = unsigned long long;
using Group = ulonglong2;

__device__ inline void unpack(const ulonglong2& group, word* words) {
  words[0] = group.x, words[1] = group.y;
}
__device__ inline ulonglong2 pack(const word* words) { return make_ulonglong2(words[0], words[1]); }

#define MOOREA_STEP static __device__ __forceinline__
MOOREA_STEP word spread(unsigned bit) { return word{0} - bit; }

template <int table>
__device__ __forceinline__ unsigned half_lut3(unsigned a, unsigned b, unsigned c) {
  unsigned result;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(table));
  return result;
}
template <int table>
__device__ __forceinline__ word lut3(word a, word b, word c) {
  const unsigned low =
      half_lut3<table>(static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c));
  const unsigned high = half_lut3<table>(static_cast<unsigned>(a >> 32), static_cast<unsigned>(b >> 32),
                                         static_cast<unsigned>(c >> 32));
  return static_cast<word>(high) << 32 | low;
}

#include "kernels/common/bits.h"
#include "kernels/cuda/ladder/rows.cuh"

CudaBinding bind(RuleMask) { return {.launch = launch_columns, .device_function = function_of_columns}; }

}  // namespace

extern const Kernel cuda_ladder_15_bits_adder_64;
constexpr Kernel cuda_ladder_15_bits_adder_64 = {
    .summary = "ladder: 64 cells per word, full adders, down columns",
    .layout = Layout::bits,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .operations_per_word = operations_per_word, .block = {128, 1}},
};

}  // namespace moorea::kernels
