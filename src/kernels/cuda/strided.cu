// SPDX-License-Identifier: MIT
// 32 far columns a word, six generations in registers: no shifts, and a world is read and written once in six
// generations. The fastest for large busy worlds. Rules with a name are compiled in, a file each; others when
// they are first used.
#include <cstdint>

#include "kernels/common/segments.h"
#include "kernels/kernel.h"

namespace moorea::kernels {

// Made by cmake/Cuda.cmake: the functions of a rule with a name, or null; and the code for the others.
const void* const* strided_functions(RuleMask rule);
extern const char* const strided_source;

namespace {

using word = std::uint32_t;

#include "kernels/cuda/strided_call.h"
#include "kernels/cuda/strided_launch.h"

DeviceFunction device_function(const Block& block, const Launch& how) {
  const void* const* const named = strided_functions(block.rule);
  return strided_function(block, named != nullptr ? named : how.functions, false);
}

void launch(const Block& block, const Launch& how) {
  launch_strided(block, how, device_function(block, how));
}

Binding bind(RuleMask rule, const DeviceTraits& device) {
  Binding binding;
  binding.refusal = device.no_cuda();
  binding.launch = launch;
  binding.device_function = device_function;
  if (binding.refusal == nullptr && strided_functions(rule) == nullptr) {
    binding.refusal = device.no_cuda_compiler();
    binding.source = [](const World&, int) {
      return RuntimeSource{strided_source,
                           "#define MOOREA_STRIDED(form) strided_##form\n",
                           {"strided_full", "strided_general"}};
    };
  }
  return binding;
}

}  // namespace

extern const Kernel cuda_strided;
const Kernel cuda_strided = {
    .summary = "32 far columns a word, six generations in registers",
    .layout = Layout::strided,
    .max_steps = depth,
    .bind = bind,
    .lanes = 32,
    .plane_steps = true,
    .keeps_sides = joins_rows,
    .refuses = too_large,
};

}  // namespace moorea::kernels
