// SPDX-License-Identifier: MIT
// Kernels of cuda/strided_lazy that depend on the rule, as text for NVRTC; hence no includes. Include after
// cuda/strided_walk.cuh.
#ifndef MOOREA_KERNELS_STEP_STRIDED_LAZY_CUDA_H
#define MOOREA_KERNELS_STEP_STRIDED_LAZY_CUDA_H

// Warps take runs from the queue until it is empty; the last warp resets the queue for the next pass.
template <class Form>
__device__ __forceinline__ void step_lazily(const StridedLazyCall& lazy) {
  __shared__ __align__(16) word shared[Form::shared_words];
  const StridedCall& call = lazy.strided;
  StridedQueue& queue = *lazy.queue;
  const int lane = static_cast<int>(threadIdx.x), in_strip = lane * vectors_a_lane;
  for (;;) {
    const int taken = __shfl_sync(0xFFFFFFFF, lane == 0 ? atomicAdd(&queue.next, 1) : 0, 0);
    if (taken >= queue.runs) break;
    const StridedRun run = lazy.runs[taken];
    const int first = strip_begin(run.strip, lazy.strips, call.stride);
    const int end = min(strip_begin(run.strip + 1, lazy.strips, call.stride), call.stride);
    LanePlace place;
    place.vector = first - halo + in_strip;
    place.first_row = run.first * rows_a_group;
    place.rows = min(run.groups * rows_a_group, call.height - place.first_row);
    place.stores_first = place.vector >= max(first, 0) && place.vector < end;
    place.stores_second = place.vector + 2 >= max(first, 0) && place.vector + 2 < end;
    walk<Form>(call, place, run.groups * rows_a_group, shared,
               lazy.changed + static_cast<long long>(run.strip) * lazy.groups + run.first);
  }
  if (lane == 0 && atomicAdd(&queue.finished, 1) == static_cast<int>(gridDim.x) - 1) {
    queue.computed += static_cast<unsigned>(queue.awake);
    queue.skipped +=
        static_cast<unsigned long long>(lazy.strips) * lazy.groups - static_cast<unsigned>(queue.awake);
    queue.awake_before = queue.awake;
    queue.awake = queue.runs = queue.next = queue.finished = 0;
  }
}

extern "C" __global__ void __launch_bounds__(32, warps_a_multiprocessor) lazy_full(StridedLazyCall call) {
  step_lazily<WalkForm<false, true, false>>(call);
}

extern "C" __global__ void __launch_bounds__(32, warps_a_multiprocessor) lazy_general(StridedLazyCall call) {
  step_lazily<WalkForm<true, true, false>>(call);
}

#endif
