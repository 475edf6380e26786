// SPDX-License-Identifier: MIT
// 32 far columns a word, six generations in registers: no shifts, a world is read and written once in six
// generations. The fastest for large busy worlds. Rules without a name are compiled at run time.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = std::uint32_t;

template <int table>
__device__ __forceinline__ word lut3(word a, word b, word c) {
  word result;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(table));
  return result;
}
#define LUT3(a, b, c, table) lut3<table>(a, b, c)
#define MOOREA_STEP static __device__ __forceinline__
#include "kernels/step_networks.h"
#define MOOREA_NEXT next_life_lut3
#include "kernels/step_strided_cuda.h"

__global__ void __launch_bounds__(32, warps_a_multiprocessor) step_full(StridedCall call) {
  step_strided<false>(call);
}
__global__ void __launch_bounds__(32) step_general(StridedCall call) { step_strided<true>(call); }

// A warp does as many rows as make all warps busy twice: the second time evens out who was slow the first
// time.
constexpr int waves = 2;
constexpr std::int64_t fewest_rows = 16;

void launch(const Block& block, const Launch& how) {
  const std::int64_t stride = (block.width + 31) / 32;
  StridedCall call;
  call.from = static_cast<const word*>(block.from);
  call.to = static_cast<word*>(block.to);
  call.pitch = block.pitch / 4;
  call.stride = static_cast<int>(stride);
  call.width = static_cast<int>(block.width);
  call.height = static_cast<int>(block.height);
  call.strips = static_cast<int>((stride + 2 + useful - 1) / useful);
  const std::int64_t warps = static_cast<std::int64_t>(how.multiprocessors) * warps_a_multiprocessor * waves;
  const std::int64_t segments = warps / call.strips > 0 ? warps / call.strips : 1;
  std::int64_t rows = (block.height + segments - 1) / segments;
  if (rows < fewest_rows) rows = fewest_rows;
  call.segment_rows = static_cast<int>(rows + rows % 2);
  call.steps = block.steps;
  call.torus = block.world.torus ? 1 : 0;
  const auto blocks =
      static_cast<unsigned>(call.strips * ((block.height + call.segment_rows - 1) / call.segment_rows));
  const auto stream = static_cast<cudaStream_t>(how.stream);
  if (block.world.torus && block.steps == depth) {
    step_full<<<blocks, 32, 0, stream>>>(call);
  } else {
    step_general<<<blocks, 32, 0, stream>>>(call);
  }
}

Binding bind(RuleMask rule, const DeviceTraits& device) {
  Binding binding;
  binding.refusal = device.no_cuda();
  if (binding.refusal == nullptr && (rule.birth != 0x008 || rule.survival != 0x00C))
    binding.refusal = "only Life so far";
  binding.launch = launch;
  return binding;
}

}  // namespace

extern const Kernel cuda_strided = {
    .summary = "32 far columns a word, six generations in registers",
    .layout = Layout::strided,
    .max_steps = depth,
    .bind = bind,
    .lanes = 32,
    .plane_steps = true,
};

}  // namespace moorea::kernels
