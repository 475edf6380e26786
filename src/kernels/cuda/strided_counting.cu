// SPDX-License-Identifier: MIT
// As cuda/strided, and the live cells of each generation are counted while they are in registers: who asks
// for the population of every generation pays for a bit count a word, dispatched like one of the eight logic
// operations beside it, and for no other pass over the world. Compiled for each rule when it is first used.
#include <cstdint>

#include "kernels/common/segments.h"
#include "kernels/kernel.h"

namespace moorea::kernels {

extern const char* const strided_source;  // made by cmake/Cuda.cmake

namespace {

using word = std::uint32_t;

#include "kernels/cuda/strided_call.h"
#include "kernels/cuda/strided_launch.h"

DeviceFunction device_function(const Block& block, const Launch& how) {
  return strided_function(block, how.functions, true);
}

void launch(const Block& block, const Launch& how) {
  launch_strided(block, how, device_function(block, how));
}

Binding bind(RuleMask, const DeviceTraits& device) {
  Binding binding;
  binding.refusal = device.no_cuda();
  if (binding.refusal == nullptr) binding.refusal = device.no_cuda_compiler();
  binding.launch = launch;
  binding.device_function = device_function;
  binding.source = [](const World&, int) {
    return RuntimeSource{strided_source,
                         "#define MOOREA_STRIDED(form) counting_##form\n#define MOOREA_COUNTS\n",
                         {"counting_full", "counting_general"}};
  };
  return binding;
}

}  // namespace

extern const Kernel cuda_strided_counting;
const Kernel cuda_strided_counting = {
    .summary = "the same, and counts the live cells of each generation on the way",
    .layout = Layout::strided,
    .max_steps = depth,
    .bind = bind,
    .lanes = 32,
    .plane_steps = true,
    .keeps_sides = joins_rows,
    .counts = true,
    .refuses = too_large,
};

}  // namespace moorea::kernels
