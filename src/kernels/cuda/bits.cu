// SPDX-License-Identifier: MIT
// 32 cells per word, one word per thread, full adders and the rule by masks: any rule, one generation per
// pass. The simplest packed kernel; it depends on the caches, because nine threads read each word.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = std::uint32_t;

#define MOOREA_STEP static __device__ inline
MOOREA_STEP word spread(unsigned bit) { return 0u - bit; }

#include "kernels/common/bits.h"

__global__ void step_words(Block block) {
  const std::int64_t words = (block.width + 31) / 32;
  const std::int64_t j = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t y =
      static_cast<std::int64_t>(blockIdx.y) + static_cast<std::int64_t>(gridDim.y) * blockIdx.z;
  if (j >= words || y >= block.height) return;
  const char* at = static_cast<const char*>(block.from) + y * block.pitch + j * 4;

  RowSum sums[3];
  word centre = 0;
  for (int row = -1; row <= 1; ++row) {
    const word* cells = reinterpret_cast<const word*>(at + row * block.pitch);
    const word own = cells[0];
    sums[row + 1] = row_sum(__funnelshift_l(cells[-1], own, 1), own, __funnelshift_r(own, cells[1], 1));
    if (row == 0) centre = own;
  }
  const RulePlanes planes = rule_planes(block.rule.birth, block.rule.survival);

  char* to = static_cast<char*>(block.to) + y * block.pitch + j * 4;
  *reinterpret_cast<word*>(to) = next_state(sums[0], sums[1], sums[2], centre, &planes);
}

DeviceFunction device_function(const Block&, const Launch& how) {
  return {reinterpret_cast<const void*>(step_words), how.block.width};
}

void launch(const Block& block, const Launch& how) {
  const auto threads = static_cast<unsigned>(how.block.width);
  constexpr std::int64_t max_rows = 65535;  // maximum of a grid's y
  const std::int64_t words = (block.width + 31) / 32;
  const dim3 grid(static_cast<unsigned>((words + threads - 1) / threads),
                  static_cast<unsigned>(block.height < max_rows ? block.height : max_rows),
                  static_cast<unsigned>((block.height + max_rows - 1) / max_rows));
  step_words<<<grid, threads, 0, static_cast<cudaStream_t>(how.stream)>>>(block);
}

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_bits;
constexpr Kernel cuda_bits = {
    .summary = "32 cells per word and thread, full adders, any rule",
    .layout = Layout::bits,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .operations_per_word = 68, .block = {256, 1}},
};

}  // namespace moorea::kernels
