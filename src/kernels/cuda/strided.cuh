// SPDX-License-Identifier: MIT
// Kernels of cuda/strided and cuda/states, for nvcc and, as text, for NVRTC; hence no includes. Include after
// cuda/strided_walk.cuh. MOOREA_STRIDED(form) gives their names: `full` for torus worlds and `depth`
// generations, and `general`.
#ifndef MOOREA_KERNELS_STEP_STRIDED_CUDA_H
#define MOOREA_KERNELS_STEP_STRIDED_CUDA_H

// Lets the next pass be launched once all warps of this one run, and waits until the previous one has ended
// and its cells can be read. Neither has an effect in a launch that waits for the previous one anyway.
__device__ __forceinline__ void begin_pass() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
  asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
}

// Segments of rows are concatenated, each with its halo on both sides, and a strip may hold the end of one
// and the beginning of the next, so only the last warp has idle lanes.
template <class Form>
__device__ __forceinline__ void step_strided(const StridedCall& call) {
  __shared__ __align__(16) word shared[Form::shared_words];
  const int in_strip = static_cast<int>(threadIdx.x) * vectors_a_lane;
  const int at = static_cast<int>(blockIdx.x) * useful + in_strip;
  const int segment = min(at / call.segment_vectors, call.segments - 1);
  LanePlace place;
  place.vector = at - segment * call.segment_vectors + strip_begins;
  place.first_row = segment * call.segment_rows;
  place.rows = min(call.segment_rows, call.height - place.first_row);
  const bool stores = place.vector >= 0 && place.vector < call.stride;
  place.stores_first = stores && in_strip >= halo && in_strip + 2 <= strip - halo;
  place.stores_second = stores && in_strip + 2 >= halo && in_strip + 4 <= strip - halo;
  // The last segment may be shorter than the others
  const bool any_longer = __any_sync(0xFFFFFFFF, stores && place.rows == call.segment_rows);
  const int last_rows = call.height - (call.segments - 1) * call.segment_rows;
  begin_pass();
  walk<Form>(call, place, any_longer ? call.segment_rows : (last_rows + 1) & ~1, shared, nullptr);
}

#ifdef MOOREA_COUNTS
constexpr bool counts = true;
#else
constexpr bool counts = false;
#endif

extern "C" __global__ void __launch_bounds__(32, warps_a_multiprocessor)
    MOOREA_STRIDED(full)(StridedCall call) {
  step_strided<WalkForm<false, false, counts>>(call);
}

extern "C" __global__ void __launch_bounds__(32) MOOREA_STRIDED(general)(StridedCall call) {
  step_strided<WalkForm<true, false, counts>>(call);
}

#endif
