// SPDX-License-Identifier: MIT
// Rules by looking up: a thread makes 2 x 2 cells at once from the 4 x 4 around them, 16 x 16 threads a
// block. See cuda/ladder/lut_bytes.cuh. Expect it to win over counting by the fewer loads, the same for every
// rule; in a soup the threads of a warp ask for up to 32 places of the table at a time, and get them one
// after the other.
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

extern const Kernel cuda_ladder_05_lut_256 = {
    .summary = "ladder: 2 x 2 cells by one look-up in a table, 256 threads a block",
    .layout = Layout::bytes,
    .max_steps = 1,
    .bind = bind,
    .block = {16, 16},
};

}  // namespace moorea::kernels
