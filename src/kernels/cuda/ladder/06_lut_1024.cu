// SPDX-License-Identifier: MIT
// The same with 32 x 32 threads a block, the most there can be: fewer blocks to begin and to end, but a
// multiprocessor gets its next one only when all 1024 threads of one have ended. See
// cuda/ladder/lut_bytes.cuh. Expect little difference to rung 5; both take any other shape.
#include <cstdint>
#include <map>
#include <mutex>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/lut_bytes.cuh"

Binding bind(RuleMask, const DeviceTraits& device) {
  Binding binding;
  binding.refusal = device.no_cuda();
  binding.launch = launch_by_table;
  binding.device_function = function_by_table;
  return binding;
}

}  // namespace

extern const Kernel cuda_ladder_06_lut_1024 = {
    .summary = "ladder: 2 x 2 cells by one look-up in a table, 1024 threads a block",
    .layout = Layout::bytes,
    .max_steps = 1,
    .bind = bind,
    .block = {32, 32},
};

}  // namespace moorea::kernels
