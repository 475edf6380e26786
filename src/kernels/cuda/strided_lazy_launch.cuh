// SPDX-License-Identifier: MIT
// Planning kernel and host code of cuda/strided_lazy and cuda/strided_two_lazy. Include after
// cuda/strided_call.h and cuda/strided_launch.h, in an unnamed namespace of moorea::kernels.
#ifndef MOOREA_KERNELS_STEP_STRIDED_LAZY_LAUNCH_H
#define MOOREA_KERNELS_STEP_STRIDED_LAZY_LAUNCH_H

constexpr int planning_threads = 128;
constexpr unsigned all_lanes = 0xFFFFFFFF;
// A run starts with redundant halo rows, so shorter runs cost more than they save
constexpr int fewest_groups = 4;

std::int64_t groups_of(std::int64_t height) { return (height + rows_a_group - 1) / rows_a_group; }

std::int64_t strips_of(std::int64_t width) {
  const std::int64_t stride = (width + 31) / 32;
  return (stride - strip_begins - halo + useful - 1) / useful;
}

// Scratch memory: the queue, the change records, the runs.
constexpr std::int64_t notes_at = 256;
std::int64_t runs_at(std::int64_t notes) { return notes_at + (4 * notes + 255) / 256 * 256; }

std::int64_t scratch_bytes(const World& world) {
  const std::int64_t notes = strips_of(world.width) * groups_of(world.height);
  return runs_at(notes) + notes * static_cast<std::int64_t>(sizeof(StridedRun));
}

// Lanes of a strip that hold cells read by the adjacent strips, for the planning kernel.
__device__ word left_lanes() { return 0xF; }
__device__ word right_lanes(const StridedLazyCall& lazy, int which) {
  const int stride = lazy.strided.stride, first_lane_at = strip_begin(which, lazy.strips, stride) - depth;
  const int end = strip_begin(which + 1, lazy.strips, stride);
  // The last cell of a row may be some vectors before the last vector
  const int read_from = end < stride ? end - depth : lazy.strided.width - 31 * stride - depth;
  return read_from <= first_lane_at ? all_lanes : all_lanes << (read_from - first_lane_at) / vectors_a_lane;
}

// Lists the runs of active groups; each warp examines a chunk of one strip, 32 groups at a time.
__global__ void plan(StridedLazyCall lazy, int warps_at_once) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  // Consecutive warps examine adjacent strips, so that runs computed at the same time are adjacent in memory
  const int which = warp % lazy.strips, begin = warp / lazy.strips * lazy.chunk;
  if (begin >= lazy.groups) return;
  const int end = min(begin + lazy.chunk, lazy.groups);
  const int before = which == 0 ? lazy.strips - 1 : which - 1,
            after = which == lazy.strips - 1 ? 0 : which + 1;
  const auto notes_of = [&](int strip) { return lazy.changed + static_cast<long long>(strip) * lazy.groups; };
  const word* const own = notes_of(which);
  const word* const left = notes_of(before);
  const word* const right = notes_of(after);
  const word of_left = right_lanes(lazy, before), of_right = left_lanes();
  // If the last group has fewer rows than `depth`, changes reach across it
  const int last_rows = lazy.strided.height % rows_a_group;
  const int reach = last_rows != 0 && last_rows < depth ? 2 : 1;
  // With few active groups, their runs are divided among more warps
  const int max_groups = max(fewest_groups, lazy.queue->awake_before / warps_at_once);

  int awake = 0, open = 0, first = 0;  // active groups in total; length and first group of the open run
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
    mask |= mask << 1 & mask >> 1;  // a single inactive group is computed, which costs less than a new run
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

// Groups per chunk: if all are active, every warp has one run, or two if these are long.
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

// Arguments of a call, whose activity data lie in the scratch memory.
StridedLazyCall lazy_call(const Block& block, const Launch& how) {
  StridedLazyCall lazy;
  lazy.strided = strided_call(block);
  lazy.strips = static_cast<int>(strips_of(block.width));
  lazy.groups = static_cast<int>(groups_of(block.height));
  lazy.chunk = chunk_of(lazy, how.multiprocessors * warps_a_multiprocessor);
  auto* const scratch = static_cast<unsigned char*>(how.scratch);
  const std::int64_t notes = std::int64_t{lazy.strips} * lazy.groups;
  lazy.queue = reinterpret_cast<StridedQueue*>(scratch);
  lazy.changed = reinterpret_cast<word*>(scratch + notes_at);
  lazy.runs = reinterpret_cast<StridedRun*>(scratch + runs_at(notes));
  return lazy;
}

// Marks the groups of the replaced rows as changed in all strips. Proof that this suffices: let F be the
// buffer of the present cells and T the other one, and N(g) the cells that a pass of a group g reads:
// those of the groups within `reach` of it, in its strip and in the near lanes of the two adjacent strips,
// across the edges of a torus. Before each pass,
//   1. F holds the present cells;
//   2. F and T hold the same cells where the record of a group and lane is clear;
//   3. if the records of N(g) are clear, F on g is one pass after T on N(g).
// plan() skips g exactly if the records of N(g) are clear. Then T on g is already what the pass would write:
// one pass after F on N(g), which by 2. equals T on N(g), comes to F on g by 3., hence to T on g by 2.
// A group that is computed is compared with F, not with the previous content of T, so that the three facts
// hold again after the pass, with F and T exchanged.
// Replaced rows of F leave 1. true by definition. They can violate 2. and 3. only where N(g) contains one of
// them, and the marks make both true again, because the records of such an N(g) are no longer clear. No other
// group is affected, and no content of T has to be restored. Marks are whole groups of all strips since
// plan() reads no finer ones; on a plane it also wakes the groups at the opposite edge, which is harmless.
void wake_rows(const Block& block, const Launch& how, const ReplacedRows& rows) {
  const StridedLazyCall lazy = lazy_call(block, how);
  const std::int64_t first = rows.first / rows_a_group, end = groups_of(rows.end);
  const std::size_t strip_bytes = sizeof(word) * static_cast<std::size_t>(lazy.groups);
  cudaMemset2DAsync(lazy.changed + first, strip_bytes, 0xFF,
                    sizeof(word) * static_cast<std::size_t>(end - first),
                    static_cast<std::size_t>(lazy.strips), static_cast<cudaStream_t>(how.stream));
}

void launch(const Block& block, const Launch& how) {
  const auto stream = static_cast<cudaStream_t>(how.stream);
  const int warps_at_once = how.multiprocessors * warps_a_multiprocessor;
  StridedLazyCall lazy = lazy_call(block, how);
  const std::int64_t notes = std::int64_t{lazy.strips} * lazy.groups;

  // A shorter pass or a replaced world gives no information about the next pass
  const auto wake_all = [&] {
    cudaMemsetAsync(lazy.changed, 0xFF, static_cast<std::size_t>(4 * notes), stream);
    cudaMemsetAsync(&lazy.queue->awake_before, 0x7F, sizeof lazy.queue->awake_before, stream);
  };
  if (how.input_replaced || block.steps != depth) wake_all();
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

#endif
