// SPDX-License-Identifier: MIT
// The launch of strips whose family is selected at run time, for kernels that know the first `families` of
// them. Include inside an unnamed namespace, after cuda/ladder/strips.cuh.
#ifndef MOOREA_KERNELS_STEP_RUNTIME_STRIPS_CUDA_H
#define MOOREA_KERNELS_STEP_RUNTIME_STRIPS_CUDA_H

template <int families>
__global__ void __launch_bounds__(max_block_threads) step_strips(Block block, Family family) {
  step_strip<families>(block, family);
}

template <int families>
static DeviceFunction function_of_strips(const Block&, const Launch& how) {
  return {reinterpret_cast<const void*>(step_strips<families>), how.block.width * how.block.height};
}

template <int families>
static void launch_strips(const Block& block, const Launch& how) {
  const dim3 threads = threads_of(how.block), grid = grid_of_strips(block, threads);
  step_strips<families>
      <<<grid, threads, 0, static_cast<cudaStream_t>(how.stream)>>>(block, family_of(block.rule));
}

template <int families>
static CudaBinding bind_strips(RuleMask) {
  return {.launch = launch_strips<families>, .device_function = function_of_strips<families>};
}

#endif
