// SPDX-License-Identifier: MIT
// 32 far columns a word, six generations in registers: no shifts, and a world is read and written once in six
// generations. The fastest for large busy worlds. Rules with a name are compiled in, a file each; others when
// they are first used.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {

// Made by cmake/Cuda.cmake: the functions of a rule with a name, or null; and the code for the others, which
// is step_strided_call.h and step_strided_cuda.h.
const void* const* strided_functions(RuleMask rule);
extern const char* const strided_source;

namespace {

using word = std::uint32_t;

#include "kernels/step_strided_call.h"

// A warp does as many rows as make all warps busy twice, where these are many: the second time evens out who
// was slow the first time; else once, for a warp begins with rows of its neighbours.
constexpr std::int64_t many_rows = 256, fewest_rows = 16;

// Rows that fill groups of vectors, at least a strip's, can be joined at their ends while they are read.
bool keeps_sides(const World& world, int steps) {
  return world.torus && steps == depth && world.width % (32 * vectors_a_lane) == 0 &&
         world.width >= 32 * strip;
}

DeviceFunction device_function(const Block& block, const Launch& how) {
  const void* const* const named = strided_functions(block.rule);
  const void* const* const functions = named != nullptr ? named : how.functions;
  return {functions[block.world.torus && block.steps == depth ? 0 : 1], 32};
}

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
  const auto rows_for = [&](std::int64_t waves) {
    const std::int64_t warps =
        static_cast<std::int64_t>(how.multiprocessors) * warps_a_multiprocessor * waves;
    const std::int64_t segments = warps / call.strips > 0 ? warps / call.strips : 1;
    return (block.height + segments - 1) / segments;
  };
  std::int64_t rows = rows_for(2);
  if (rows < many_rows) rows = rows_for(1);
  if (rows < fewest_rows) rows = fewest_rows;
  call.segment_rows = static_cast<int>(rows + rows % 2);
  call.steps = block.steps;
  call.torus = block.world.torus ? 1 : 0;
  call.wrapped = keeps_sides(block.world, block.steps) ? 1 : 0;

  const DeviceFunction step = device_function(block, how);
  const auto blocks =
      static_cast<unsigned>(call.strips * ((block.height + call.segment_rows - 1) / call.segment_rows));
  void* arguments[] = {&call};
  cudaLaunchKernel(step.function, dim3(blocks), dim3(static_cast<unsigned>(step.threads)), arguments, 0,
                   static_cast<cudaStream_t>(how.stream));
}

Binding bind(RuleMask rule, const DeviceTraits& device) {
  Binding binding;
  binding.refusal = device.no_cuda();
  binding.launch = launch;
  binding.device_function = device_function;
  if (binding.refusal == nullptr && strided_functions(rule) == nullptr) {
    binding.refusal = device.no_cuda_compiler();
    binding.source = [](const World&) {
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
    .keeps_sides = keeps_sides,
};

}  // namespace moorea::kernels
