// SPDX-License-Identifier: MIT
// Rung 9 with the family as a template parameter: the compiler generates a kernel for each, without the
// switch, and the launch selects one. The price is a copy of the code for each family. Expect fewer
// instructions, and a gain only if these and not the nine loads are the limit; `moorea bench` shows the
// registers of each.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/cells.cuh"
#include "kernels/cuda/ladder/families.cuh"

template <Family family>
__global__ void step_cells(Block block) {
  const std::int64_t x = first_column() + threadIdx.x, y = first_row() + threadIdx.y;
  if (x >= block.width || y >= block.height) return;
  const auto* at = static_cast<const std::uint8_t*>(block.from) + y * block.pitch + x;

  const unsigned next = next_of(family, *at, live_neighbours(at, block.pitch), block.rule);

  static_cast<std::uint8_t*>(block.to)[y * block.pitch + x] = static_cast<std::uint8_t>(next);
}

using StepCells = void (*)(Block);

StepCells step_for(const RuleMask& rule) {
  switch (family_of(rule)) {
    case Family::life:
      return step_cells<Family::life>;
    case Family::anneal:
      return step_cells<Family::anneal>;
    case Family::totalistic:
      return step_cells<Family::totalistic>;
    default:
      return step_cells<Family::outer_totalistic>;
  }
}

DeviceFunction device_function(const Block& block, const Launch& how) {
  return {reinterpret_cast<const void*>(step_for(block.rule)), how.block.width * how.block.height};
}

void launch(const Block& block, const Launch& how) {
  const dim3 threads = threads_of(how.block), grid = grid_of(block.width, block.height, threads);
  step_for(block.rule)<<<grid, threads, 0, static_cast<cudaStream_t>(how.stream)>>>(block);
}

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_ladder_10_template_rule;
constexpr Kernel cuda_ladder_10_template_rule = {
    .summary = "ladder: families of rules, each a kernel from a template",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {32, 8}},
};

}  // namespace moorea::kernels
