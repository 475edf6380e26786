// SPDX-License-Identifier: MIT
// Launch of a CUDA kernel from a user's file: one thread per item, in blocks of the requested shape.
#include <cstdint>

#include "devices/cuda.h"
#include "devices/cuda/runtime.h"

namespace moorea {
namespace {

// Maximum of a grid's y, in blocks; taller worlds use the layers of z.
constexpr std::int64_t max_block_rows = 65535;

std::int64_t parts(std::int64_t all, std::int64_t part) { return (all + part - 1) / part; }

kernels::DeviceFunction function(const kernels::Block&, const kernels::Launch& how) {
  return {how.functions[0], how.block.width * how.block.height, 0};
}

void launch(const kernels::Block& block, const kernels::Launch& how) {
  const std::int64_t across = parts(block.width, std::int64_t{how.block.width} * how.item.width),
                     down = parts(block.height, std::int64_t{how.block.height} * how.item.height),
                     layers = parts(down, max_block_rows);
  kernels::Block argument = block;
  void* arguments[] = {&argument};
  // Errors are checked by the caller after every launch
  cudaLaunchKernel(how.functions[0],
                   dim3(static_cast<unsigned>(across), static_cast<unsigned>(parts(down, layers)),
                        static_cast<unsigned>(layers)),
                   dim3(static_cast<unsigned>(how.block.width), static_cast<unsigned>(how.block.height)),
                   arguments, 0, static_cast<cudaStream_t>(how.stream));
}

}  // namespace

kernels::LaunchStep gpu_launch_from_file() { return launch; }
GpuFunctionOf gpu_function_from_file() { return function; }

}  // namespace moorea
