// SPDX-License-Identifier: MIT
// The whole world in the registers of the chip for thousands of generations: blocks tell their neighbours the
// rows at their borders every few generations and read or write the rest of memory at a call's beginning and
// end. The fastest for worlds up to 8192 wide; compiled for the rule and the width when it is first used.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "kernels/kernel.h"

namespace moorea::kernels {

extern const char* const chip_source;  // made by cmake/Cuda.cmake: cuda/chip_call.h and cuda/chip.cuh

namespace {

using word = std::uint32_t;

#include "kernels/cuda/chip_call.h"

// How many vectors of a row a lane has, how many rows a warp, the generations between two barriers, and the
// most warps of a block: so much fits into the registers. The halo is as deep as makes computing it as dear
// as telling the neighbours.
struct Shape {
  int vectors, rows, at_once, max_warps, halo;
  const char* torus[2];  // definitions; the second where warps meet all others of their block
  const char* plane[2];
};

#define MOOREA_CHIP(plane, vectors, rows, at_once, warps, whole) \
  "#define MOOREA_CHIP_SHAPE " #plane ", " #vectors ", " #rows ", " #at_once ", " #warps ", " #whole "\n"
#define MOOREA_SHAPE(vectors, rows, at_once, warps, halo)          \
  Shape {                                                          \
    vectors, rows, at_once, warps, halo,                           \
        {MOOREA_CHIP(false, vectors, rows, at_once, warps, false), \
         MOOREA_CHIP(false, vectors, rows, at_once, warps, true)}, \
    {                                                              \
      MOOREA_CHIP(true, vectors, rows, at_once, warps, false),     \
          MOOREA_CHIP(true, vectors, rows, at_once, warps, true)   \
    }                                                              \
  }
// Of those with as many vectors the first that holds the rows is the fastest
constexpr Shape shapes[] = {MOOREA_SHAPE(1, 2, 2, 32, 8), MOOREA_SHAPE(2, 2, 2, 16, 8),
                            MOOREA_SHAPE(2, 4, 4, 16, 12), MOOREA_SHAPE(4, 4, 2, 16, 8),
                            MOOREA_SHAPE(8, 8, 1, 12, 16)};
#undef MOOREA_SHAPE
#undef MOOREA_CHIP

constexpr std::int64_t fewest_rows = 4;  // of a block: with fewer the halo is nearly all that it does

std::int64_t blocks_of(const World& world, int multiprocessors) {
  const std::int64_t blocks = world.height / fewest_rows;
  return blocks < 1 ? 1 : blocks < multiprocessors ? blocks : multiprocessors;
}

std::int64_t max_own_rows(const World& world, int multiprocessors) {
  const std::int64_t blocks = blocks_of(world, multiprocessors);
  return (world.height + blocks - 1) / blocks;
}

bool has_width(const Shape& shape, const World& world) {
  const std::int64_t stride = (world.width + 31) / 32;
  return stride % shape.vectors == 0 && stride / shape.vectors <= 32 &&
         (!world.torus || world.width % 32 == 0);
}

bool has_rows(const Shape& shape, std::int64_t own) {
  return own + 2 * shape.halo <= std::int64_t{shape.rows} * shape.max_warps;
}

// Null where none has the world.
const Shape* shape_of(const World& world, int multiprocessors) {
  const std::int64_t own = max_own_rows(world, multiprocessors);
  for (const Shape& shape : shapes) {
    if (has_width(shape, world) && has_rows(shape, own)) return &shape;
  }
  return nullptr;
}

const char* refuses(const World& world, int multiprocessors) {
  if (shape_of(world, multiprocessors) != nullptr) return nullptr;
  for (const Shape& shape : shapes) {
    if (has_width(shape, world))
      return "the world has more rows than the chip's registers hold at this width";
  }
  return world.torus
             ? "its torus worlds are 32 to 1024, or a multiple of 64, 128 or 256 up to 2048, 4096 or 8192 "
               "columns wide, and a multiple of 32"
             : "its worlds are up to 1024 columns wide, or fill groups of 64, 128 or 256 up to 8192";
}

// Two places for every vector, with the number of a pass.
std::int64_t scratch_bytes(const World& world) { return 2 * 8 * ((world.width + 31) / 32) * world.height; }

DeviceFunction device_function(const Block& block, const Launch& how) {
  const Shape& shape = *shape_of(block.world, how.multiprocessors);
  const std::int64_t rows = max_own_rows(block.world, how.multiprocessors) + 2 * shape.halo;
  const auto warps = static_cast<int>((rows + shape.rows - 1) / shape.rows);
  const int shown = std::min(shape.rows, 2 * shape.at_once);
  const int bytes = 4 * 2 * warps * shown * 32 * shape.vectors;
  return {how.functions[0], 32 * warps, static_cast<std::size_t>(bytes)};
}

void launch(const Block& block, const Launch& how) {
  const Shape& shape = *shape_of(block.world, how.multiprocessors);
  const DeviceFunction step = device_function(block, how);
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
  config.gridDim = dim3(static_cast<unsigned>(blocks_of(block.world, how.multiprocessors)));
  config.blockDim = dim3(static_cast<unsigned>(step.threads));
  config.dynamicSmemBytes = step.shared_bytes;
  config.stream = stream;
  config.attrs = &together;
  config.numAttrs = 1;
  void* arguments[] = {&call};
  cudaLaunchKernelExC(&config, step.function, arguments);
}

RuntimeSource source(const World& world, int multiprocessors) {
  const Shape& shape = *shape_of(world, multiprocessors);
  // For compute-sanitizer, which does not know barriers of a part of a block
  const int whole = std::getenv("MOOREA_WHOLE_BLOCK_BARRIERS") != nullptr ? 1 : 0;
  return {chip_source, world.torus ? shape.torus[whole] : shape.plane[whole], {"chip", nullptr}};
}

Binding bind(RuleMask, const DeviceTraits& device) {
  Binding binding;
  binding.refusal = device.no_cuda();
  if (binding.refusal == nullptr) binding.refusal = device.no_cuda_compiler();
  binding.launch = launch;
  binding.device_function = device_function;
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
