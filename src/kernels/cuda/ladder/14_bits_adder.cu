// SPDX-License-Identifier: MIT
// 32 cells per word again, but four words per thread, loaded as one, and eight rows down: a row is read once
// for the three rows that need it, and its cells are added once. The adders are explicit three-input logic;
// for those in common/bits.h the compiler generates a fifth more instructions (CUDA 13.0, sm_90). Limited by
// memory in large worlds, and by the small number of threads in small ones.
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = std::uint32_t;
using Group = uint4;

__device__ inline void unpack(const uint4& group, word* words) {
  words[0] = group.x, words[1] = group.y, words[2] = group.z, words[3] = group.w;
}
__device__ inline uint4 pack(const word* words) { return make_uint4(words[0], words[1], words[2], words[3]); }

#define MOOREA_STEP static __device__ __forceinline__
MOOREA_STEP word spread(unsigned bit) { return word{0} - bit; }

template <int table>
__device__ __forceinline__ word lut3(word a, word b, word c) {
  word result;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(table));
  return result;
}

#include "kernels/common/bits.h"
#include "kernels/cuda/ladder/rows.cuh"

CudaBinding bind(RuleMask) { return {.launch = launch_columns, .device_function = function_of_columns}; }

}  // namespace

extern const Kernel cuda_ladder_14_bits_adder;
constexpr Kernel cuda_ladder_14_bits_adder = {
    .summary = "ladder: 32 cells per word, full adders, down columns",
    .layout = Layout::bits,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .operations_per_word = operations_per_word, .block = {128, 1}},
};

}  // namespace moorea::kernels
