// SPDX-License-Identifier: MIT
// As cuda/strided, where something changes: a warp notes for every eight rows of its strip which lanes' cells
// differ from what they were a pass, six generations, before. Where nothing did, in a group of rows and all
// around it, nothing will, and both buffers hold the same: so still lifes and periods of two, three and six
// sleep. Before each pass a small kernel makes a list of the runs of rows that are awake.
#include <cstdint>

#include "kernels/common/segments.h"
#include "kernels/kernel.h"

namespace moorea::kernels {

extern const char* const strided_lazy_source;  // made by cmake/Cuda.cmake

namespace {

using word = std::uint32_t;

#include "kernels/cuda/strided_call.h"
#include "kernels/cuda/strided_launch.h"

constexpr int planning_threads = 128;
constexpr unsigned all_lanes = 0xFFFFFFFF;
// A run begins with rows of its neighbours, so that shorter ones cost more than they gain
constexpr int fewest_groups = 4;

std::int64_t groups_of(std::int64_t height) { return (height + rows_a_group - 1) / rows_a_group; }

std::int64_t strips_of(std::int64_t width) {
  const std::int64_t stride = (width + 31) / 32;
  return (stride - strip_begins - depth + useful - 1) / useful;
}

// The scratch memory: the queue, the notes, the runs.
constexpr std::int64_t notes_at = 256;
std::int64_t runs_at(std::int64_t notes) { return notes_at + (4 * notes + 255) / 256 * 256; }

std::int64_t scratch_bytes(const World& world) {
  const std::int64_t notes = strips_of(world.width) * groups_of(world.height);
  return runs_at(notes) + notes * static_cast<std::int64_t>(sizeof(StridedRun));
}

// What the planning kernel needs to know about a strip: which lanes hold what its neighbours read.
__device__ word left_lanes() { return 0xF; }
__device__ word right_lanes(const StridedLazyCall& lazy, int which) {
  const int stride = lazy.strided.stride, first_lane_at = strip_begin(which, lazy.strips, stride) - depth;
  const int end = strip_begin(which + 1, lazy.strips, stride);
  // A row's last cell may stand some vectors before the last
  const int read_from = end < stride ? end - depth : lazy.strided.width - 31 * stride - depth;
  return read_from <= first_lane_at ? all_lanes : all_lanes << (read_from - first_lane_at) / vectors_a_lane;
}

// A warp looks at a chunk of one strip, 32 groups at a time, and lists the runs of those that are awake.
__global__ void plan(StridedLazyCall lazy, int warps_at_once) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  // Strips beside each other come one after the other, so that runs that are made together lie together
  const int which = warp % lazy.strips, begin = warp / lazy.strips * lazy.chunk;
  if (begin >= lazy.groups) return;
  const int end = min(begin + lazy.chunk, lazy.groups);
  const int before = which == 0 ? lazy.strips - 1 : which - 1,
            behind = which == lazy.strips - 1 ? 0 : which + 1;
  const auto notes_of = [&](int strip) { return lazy.changed + static_cast<long long>(strip) * lazy.groups; };
  const word* const own = notes_of(which);
  const word* const left = notes_of(before);
  const word* const right = notes_of(behind);
  const word of_left = right_lanes(lazy, before), of_right = left_lanes();
  // Where the last group has few rows, its neighbours reach across it
  const int last_rows = lazy.strided.height % rows_a_group;
  const int reach = last_rows != 0 && last_rows < depth ? 2 : 1;
  // With few groups awake their runs are shared among more warps
  const int max_groups = max(fewest_groups, lazy.queue->awake_before / warps_at_once);

  int awake = 0, open = 0, first = 0;  // groups in all, in the run that is not closed yet, and its first
  const auto close = [&] {
    if (open == 0) return;
    const int parts = max(1, open / max_groups);
    int at = lane == 0 ? atomicAdd(&lazy.queue->runs, parts) : 0;
    at = __shfl_sync(all_lanes, at, 0);
    for (int part = lane; part < parts; part += 32) {
      const int from = static_cast<int>(static_cast<long long>(part) * open / parts);
      const int to = static_cast<int>(static_cast<long long>(part + 1) * open / parts);
      lazy.runs[at + part] = {which, first + from, to - from};
    }
    awake += open;
    open = 0;
  };
  for (int piece = begin; piece < end; piece += 32) {
    const int group = piece + lane;
    word changes = 0;
    if (group < end) {
      for (int near = -reach; near <= reach; ++near) {
        int at = (group + near) % lazy.groups;
        if (at < 0) at += lazy.groups;
        changes |= own[at] | (left[at] & of_left) | (right[at] & of_right);
      }
    }
    word mask = __ballot_sync(all_lanes, changes != 0);
    mask |= mask << 1 & mask >> 1;  // one group asleep between two that are not is cheaper done
    const int looked_at = min(32, end - piece);
    for (int at = 0; at < looked_at;) {
      const word rest = mask >> at;
      int same = __ffs(static_cast<int>((rest & 1) != 0 ? ~rest : rest)) - 1;  // -1: to the end
      if (same < 0 || same > looked_at - at) same = looked_at - at;
      if ((rest & 1) != 0) {
        if (open == 0) first = piece + at;
        open += same;
      } else {
        close();
      }
      at += same;
    }
  }
  close();
  if (lane == 0 && awake != 0) atomicAdd(&lazy.queue->awake, awake);
}

// Groups of a chunk: where all are awake, all warps have one run each, or two where these are long.
int chunk_of(const StridedLazyCall& lazy, int warps) {
  const auto for_waves = [&](int waves) {
    const int chunks = waves * warps / lazy.strips;
    return chunks < 1 ? lazy.groups : (lazy.groups + chunks - 1) / chunks;
  };
  const int twice = for_waves(2);
  const int chunk = twice * rows_a_group < many_rows ? for_waves(1) : twice;
  return chunk < fewest_groups ? fewest_groups : chunk;
}

DeviceFunction device_function(const Block& block, const Launch& how) {
  return strided_function(block, how.functions, false);
}

void launch(const Block& block, const Launch& how) {
  const auto stream = static_cast<cudaStream_t>(how.stream);
  const int warps_at_once = how.multiprocessors * warps_a_multiprocessor;
  StridedLazyCall lazy;
  lazy.strided = strided_call(block);
  lazy.strips = static_cast<int>(strips_of(block.width));
  lazy.groups = static_cast<int>(groups_of(block.height));
  lazy.chunk = chunk_of(lazy, warps_at_once);
  auto* const scratch = static_cast<unsigned char*>(how.scratch);
  const std::int64_t notes = std::int64_t{lazy.strips} * lazy.groups;
  lazy.queue = reinterpret_cast<StridedQueue*>(scratch);
  lazy.changed = reinterpret_cast<word*>(scratch + notes_at);
  lazy.runs = reinterpret_cast<StridedRun*>(scratch + runs_at(notes));

  // A pass that is shorter says nothing about the next one, nor does a world that came from elsewhere
  const auto wake_all = [&] {
    cudaMemsetAsync(lazy.changed, 0xFF, static_cast<std::size_t>(4 * notes), stream);
    cudaMemsetAsync(&lazy.queue->awake_before, 0x7F, sizeof lazy.queue->awake_before, stream);
  };
  if (how.afresh || block.steps != depth) wake_all();
  const int chunks = (lazy.groups + lazy.chunk - 1) / lazy.chunk;
  const int planners = lazy.strips * chunks * 32;
  plan<<<(planners + planning_threads - 1) / planning_threads, planning_threads, 0, stream>>>(lazy,
                                                                                              warps_at_once);
  void* arguments[] = {&lazy};
  const DeviceFunction step = device_function(block, how);
  cudaLaunchKernel(step.function, dim3(static_cast<unsigned>(warps_at_once)),
                   dim3(static_cast<unsigned>(step.threads)), arguments, 0, stream);
  if (block.steps != depth) wake_all();
}

Binding bind(RuleMask, const DeviceTraits& device) {
  Binding binding;
  binding.refusal = device.no_cuda();
  if (binding.refusal == nullptr) binding.refusal = device.no_cuda_compiler();
  binding.launch = launch;
  binding.device_function = device_function;
  binding.source = [](const World&, int) {
    return RuntimeSource{strided_lazy_source, "", {"lazy_full", "lazy_general"}};
  };
  return binding;
}

}  // namespace

extern const Kernel cuda_strided_lazy;
const Kernel cuda_strided_lazy = {
    .summary = "the same, and leaves out rows of strips where nothing changes",
    .layout = Layout::strided,
    .max_steps = depth,
    .bind = bind,
    .lanes = 32,
    .plane_steps = true,
    .activity = Activity::skipped,
    .keeps_sides = joins_rows,
    .scratch_bytes = scratch_bytes,
    .refuses = too_large,
};

}  // namespace moorea::kernels
