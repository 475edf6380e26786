// SPDX-License-Identifier: MIT
// Host code shared by cuda/strided and its variants. Include after cuda/strided_call.h, in an unnamed
// namespace of moorea::kernels, and common/segments.h outside it.
#ifndef MOOREA_KERNELS_STEP_STRIDED_LAUNCH_H
#define MOOREA_KERNELS_STEP_STRIDED_LAUNCH_H

// Rows that are a multiple of a lane's vectors, and at least a strip long, can be joined at their ends while
// they are read.
inline bool joins_rows(const World& world, int steps) {
  return world.torus && steps == depth && world.width % (32 * vectors_a_lane) == 0 &&
         world.width >= 32 * strip;
}

// Columns and rows are counted in 32 bits.
inline const char* too_large(const World& world, int) {
  constexpr std::int64_t maximum = (std::int64_t{1} << 31) - 256;
  return world.width <= maximum && world.height <= maximum
             ? nullptr
             : "its worlds have less than 2^31 columns and rows";
}

inline bool is_general(const Block& block) { return !block.world.torus || block.steps != depth; }

// Arguments without the partition of the world.
inline StridedCall strided_call(const Block& block) {
  StridedCall call = {};
  call.from = static_cast<const word*>(block.from);
  call.to = static_cast<word*>(block.to);
  call.pitch = block.pitch / 4;
  call.stride = static_cast<int>((block.width + 31) / 32);
  call.width = static_cast<int>(block.width);
  call.height = static_cast<int>(block.height);
  call.steps = block.steps;
  call.torus = block.world.torus ? 1 : 0;
  call.wrapped = joins_rows(block.world, block.steps) ? 1 : 0;
  return call;
}

// Partitions the world into segments and returns the number of warps.
inline unsigned cut_for_warps(const Launch& how, StridedCall& call) {
  SegmentedWorld world;
  world.height = call.height;
  world.vectors = (call.stride - strip_begins + halo + segment_granularity - 1) / segment_granularity *
                  segment_granularity;
  world.needed = call.stride - strip_begins - halo;
  world.useful = useful;
  const Segments partition =
      cut_into_segments(world, std::int64_t{how.multiprocessors} * warps_a_multiprocessor);
  call.segments = static_cast<int>(partition.number);
  call.segment_rows = static_cast<int>(partition.rows);
  call.segment_vectors = static_cast<int>(world.vectors);
  return static_cast<unsigned>(partition.strips);
}

// Selects the function `full` or `general`. Rows that are not joined may have bits that are not cells, which
// only the general form excludes from counts.
inline DeviceFunction strided_function(const Block& block, const void* const* functions, bool counts) {
  const bool general = is_general(block) || (counts && !joins_rows(block.world, block.steps));
  return {functions[general ? 1 : 0], 32};
}

inline void launch_strided(const Block& block, const Launch& how, const DeviceFunction& step) {
  StridedCall call = strided_call(block);
  call.populations = how.populations;
  call.odd = how.odd ? 1 : 0;
  const unsigned warps = cut_for_warps(how, call);
  void* arguments[] = {&call};
  // Programmatic dependent launch: warps of this pass wait on the device for the end of the one before it
  // (begin_pass), which hides the microseconds between two passes. The launch itself takes longer, which
  // shorter passes would have to wait for.
  constexpr std::int64_t min_words = 1 << 21;
  const bool is_early = how.launches_early && std::int64_t{call.stride} * call.height >= min_words;
  cudaLaunchAttribute early;
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(warps);
  config.blockDim = dim3(static_cast<unsigned>(step.threads));
  config.stream = static_cast<cudaStream_t>(how.stream);
  config.attrs = &early;
  config.numAttrs = is_early ? 1 : 0;
  cudaLaunchKernelExC(&config, step.function, arguments);
}

#endif
