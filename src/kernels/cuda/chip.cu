// SPDX-License-Identifier: MIT
// The whole world in the registers of the chip for thousands of generations: blocks tell their neighbours the
// rows at their borders every few generations and read or write the rest of memory at a call's beginning and
// end. The fastest for worlds up to 8192 wide; compiled for the rule and the width when it is first used.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {

extern const char* const chip_source;  // made by cmake/Cuda.cmake: step_chip_call.h and step_chip_cuda.h

namespace {

using word = std::uint32_t;

#include "kernels/step_chip_call.h"

// How many vectors of a row a lane has, how many rows a warp, and the most warps of a block: so much fits
// into the registers. The halo is as deep as makes computing it as dear as telling the neighbours.
struct Shape {
  int vectors, rows, most_warps, halo;
  const char* torus;
  const char* plane;
};

#define MOOREA_SHAPE(vectors, rows, warps, halo)                                                          \
  Shape {                                                                                                 \
    vectors, rows, warps, halo, "#define MOOREA_CHIP_SHAPE false, " #vectors ", " #rows ", " #warps "\n", \
        "#define MOOREA_CHIP_SHAPE true, " #vectors ", " #rows ", " #warps "\n"                           \
  }
constexpr Shape shapes[] = {MOOREA_SHAPE(1, 4, 16, 12), MOOREA_SHAPE(2, 2, 32, 8), MOOREA_SHAPE(4, 4, 16, 12),
                            MOOREA_SHAPE(8, 12, 8, 16)};
#undef MOOREA_SHAPE

constexpr std::int64_t fewest_rows = 4;  // of a block: with fewer the halo is nearly all that it does

const Shape* shape_of(const World& world) {
  const std::int64_t stride = (world.width + 31) / 32;
  if (world.torus && world.width % 32 != 0) return nullptr;
  for (const Shape& shape : shapes) {
    if (stride % shape.vectors == 0 && stride / shape.vectors <= 32) return &shape;
  }
  return nullptr;
}

std::int64_t blocks_of(const World& world, int multiprocessors) {
  const std::int64_t blocks = world.height / fewest_rows;
  return blocks < 1 ? 1 : blocks < multiprocessors ? blocks : multiprocessors;
}

const char* refuses(const World& world, int multiprocessors) {
  const Shape* shape = shape_of(world);
  if (shape == nullptr) {
    return world.torus
               ? "its torus worlds are 32 to 1024, or a multiple of 64, 128 or 256 up to 2048, 4096 or 8192 "
                 "columns wide, and a multiple of 32"
               : "its worlds are up to 1024 columns wide, or fill groups of 64, 128 or 256 up to 8192";
  }
  const std::int64_t blocks = blocks_of(world, multiprocessors);
  const std::int64_t rows = (world.height + blocks - 1) / blocks + 2 * shape->halo;
  return rows <= static_cast<std::int64_t>(shape->rows) * shape->most_warps
             ? nullptr
             : "the world has more rows than the chip's registers hold at this width";
}

// Two places for every vector, with the number of a pass.
std::int64_t scratch_bytes(const World& world) { return 2 * 8 * ((world.width + 31) / 32) * world.height; }

void launch(const Block& block, const Launch& how) {
  const Shape& shape = *shape_of(block.world);
  const std::int64_t blocks = blocks_of(block.world, how.multiprocessors);
  const std::int64_t most_own = (block.height + blocks - 1) / blocks;
  const auto warps = static_cast<unsigned>((most_own + 2 * shape.halo + shape.rows - 1) / shape.rows);
  ChipCall call;
  call.from = static_cast<const word*>(block.from);
  call.to = static_cast<word*>(block.to);
  call.told = static_cast<unsigned long long*>(how.scratch);
  call.pitch = block.pitch / 4;
  call.stride = static_cast<int>((block.width + 31) / 32);
  call.width = static_cast<int>(block.width);
  call.height = static_cast<int>(block.height);
  call.halo = shape.halo;
  call.passes = (block.steps + shape.halo - 1) / shape.halo;
  call.steps = block.steps - (call.passes - 1) * shape.halo;
  call.torus = block.world.torus ? 1 : 0;

  const auto stream = static_cast<cudaStream_t>(how.stream);
  if (call.passes > 1)
    cudaMemsetAsync(how.scratch, 0, static_cast<std::size_t>(scratch_bytes(block.world)), stream);
  // All blocks wait for others, so all must be at work at once
  cudaLaunchAttribute together;
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(32 * warps);
  config.dynamicSmemBytes = std::size_t{4} * 2 * warps * 2 * 32 * static_cast<unsigned>(shape.vectors);
  config.stream = stream;
  config.attrs = &together;
  config.numAttrs = 1;
  void* arguments[] = {&call};
  cudaLaunchKernelExC(&config, how.functions[0], arguments);
}

RuntimeSource source(const World& world) {
  const Shape& shape = *shape_of(world);
  return {chip_source, world.torus ? shape.torus : shape.plane, {"chip", nullptr}};
}

Binding bind(RuleMask, const DeviceTraits& device) {
  Binding binding;
  binding.refusal = device.no_cuda();
  if (binding.refusal == nullptr) binding.refusal = device.no_cuda_compiler();
  binding.launch = launch;
  binding.source = source;
  return binding;
}

}  // namespace

extern const Kernel cuda_chip;
const Kernel cuda_chip = {
    .summary = "the world in the registers of all multiprocessors, up to 8192 columns",
    .layout = Layout::strided,
    .max_steps = 16,
    .bind = bind,
    .lanes = 32,
    .plane_steps = true,
    .longest_call = 4096,
    .keeps_sides = [](const World&, int) { return true; },
    .scratch_bytes = scratch_bytes,
    .refuses = refuses,
};

}  // namespace moorea::kernels
