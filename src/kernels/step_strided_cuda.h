// SPDX-License-Identifier: MIT
// Device code of cuda/strided, for nvcc and, as text, for NVRTC: no includes.
//
// A warp walks down a strip of 128 vectors of 32 columns, two rows at a time, with six generations in its
// registers: the rows that leave one generation enter the next one, which lies a row behind. A generation
// keeps of the rows above the sums of two and the centres of one. A lane has four vectors; of the strip's
// edge six are lost on either side, so strips overlap. Rows come by asynchronous copies through a ring in
// shared memory, six rows ahead, for the latency of memory is longer than a turn. No register moves: state
// changes places between two sets, by unrolling.
//
// Include it behind step_strided_call.h, `word` (32 bits), LUT3 and MOOREA_NEXT, a network for two rows as in
// step_networks.h. It makes the kernels MOOREA_STRIDED(full), for torus worlds and `depth` generations, and
// MOOREA_STRIDED(general).
#ifndef MOOREA_KERNELS_STEP_STRIDED_CUDA_H
#define MOOREA_KERNELS_STEP_STRIDED_CUDA_H

struct Sums {
  word ones[vectors_a_lane], twos[vectors_a_lane];
};

// What a generation keeps from one pair of rows to the next: the sums of the last two, and the last one's
// cells.
struct Kept {
  Sums above, at;
  word centre[vectors_a_lane];
};

__device__ __forceinline__ void add_row(const word* row, Sums& sums) {
  const word before = __shfl_up_sync(0xFFFFFFFF, row[vectors_a_lane - 1], 1);
  const word behind = __shfl_down_sync(0xFFFFFFFF, row[0], 1);
#pragma unroll
  for (int i = 0; i < vectors_a_lane; ++i) {
    const word left = i == 0 ? before : row[i - 1], right = i == vectors_a_lane - 1 ? behind : row[i + 1];
    sums.ones[i] = LUT3(left, row[i], right, 0x96);
    sums.twos[i] = LUT3(left, row[i], right, 0xE8);
  }
}

// Rows b and c come in; what leaves are the next states of the row before b, and of b.
__device__ __forceinline__ void advance_pair(const Kept& old, Kept& fresh, word* b, word* c) {
  add_row(b, fresh.above);
  add_row(c, fresh.at);
#pragma unroll
  for (int i = 0; i < vectors_a_lane; ++i) {
    word next_a, next_b;
    MOOREA_NEXT(old.above.ones[i], old.above.twos[i], old.at.ones[i], old.at.twos[i], fresh.above.ones[i],
                fresh.above.twos[i], fresh.at.ones[i], fresh.at.twos[i], old.centre[i], b[i], &next_a,
                &next_b);
    fresh.centre[i] = c[i];
    b[i] = next_a;
    c[i] = next_b;
  }
}

// Copies that go on beside the computation; GPUs before Ampere wait for them.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__device__ __forceinline__ void copy_ahead(word* to, const word* from) {
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(shared), "l"(from) : "memory");
}
__device__ __forceinline__ void end_group() { asm volatile("cp.async.commit_group;" : : : "memory"); }
template <int under_way>
__device__ __forceinline__ void await_groups() {
  asm volatile("cp.async.wait_group %0;" : : "n"(under_way) : "memory");
}
#else
__device__ __forceinline__ void copy_ahead(word* to, const word* from) {
  *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
}
__device__ __forceinline__ void end_group() {}
template <int under_way>
__device__ __forceinline__ void await_groups() {}
#endif

// `general`: any number of steps, and planes, whose outside is kept dead in every generation.
template <bool general>
__device__ __forceinline__ void step_strided(const StridedCall& call) {
  __shared__ __align__(16) word ring[ring_rows][strip];
  constexpr int pairs = ring_rows / 2;
  const int lane = static_cast<int>(threadIdx.x);
  const int in_strip = lane * vectors_a_lane;
  const int strip_at = static_cast<int>(blockIdx.x) % call.strips * useful + strip_begins;
  const int first_row = static_cast<int>(blockIdx.x) / call.strips * call.segment_rows;
  const int rows = min(call.segment_rows, call.height - first_row);
  const int steps = general ? call.steps : depth;
  int vector = strip_at + in_strip;
  const bool stores = vector >= 0 && vector < call.stride;
  // Vectors beyond a row's end are those of its other end, a bit further
  const bool at_end = !general && call.wrapped && (strip_at < 0 || strip_at + strip > call.stride);
  int turned = 0;
  if (at_end && vector < 0) {
    vector += call.stride;
    turned = 1;
  } else if (at_end && vector >= call.stride) {
    vector -= call.stride;
    turned = 31;
  } else {
    // Lanes far behind the row's end read something within its memory, which nobody uses
    vector = min(vector, (call.stride + 28) & ~3);
  }
  const bool stores_first = stores && in_strip >= depth && in_strip + 2 <= strip - depth;
  const bool stores_second = stores && in_strip + 2 >= depth && in_strip + 4 <= strip - depth;

  // Bits that may live, on a plane: all but those of columns outside
  word alive[vectors_a_lane];
  if (general) {
#pragma unroll
    for (int i = 0; i < vectors_a_lane; ++i) {
      alive[i] = ~word{0};
      if (call.torus) continue;
      alive[i] = 0;
      for (int bit = 0; bit < 32; ++bit) {
        const long long column = strip_at + in_strip + i + static_cast<long long>(bit) * call.stride;
        if (column >= 0 && column < call.width) alive[i] |= word{1} << bit;
      }
    }
  }
  // Kills what lies outside in a row of the world
  const auto confine = [&](word* row, int y) {
    const bool inside = call.torus || (y >= 0 && y < call.height);
#pragma unroll
    for (int i = 0; i < vectors_a_lane; ++i) row[i] = inside ? row[i] & alive[i] : 0;
  };

  int y = (first_row - steps) % call.height;
  if (y < 0) y += call.height;
  const word* in = call.from + y * call.pitch;
  const auto fetch = [&](int row) {
    copy_ahead(&ring[row][in_strip], in + vector);
    if (++y == call.height) {
      y = 0;
      in = call.from;
    } else {
      in += call.pitch;
    }
  };
  const auto fetch_pair = [&](int pair) {
    fetch(2 * pair);
    fetch(2 * pair + 1);
    end_group();
  };
  const auto take = [&](int row, word* cells) {
    const uint4 four = *reinterpret_cast<const uint4*>(&ring[row][in_strip]);
    cells[0] = four.x, cells[1] = four.y, cells[2] = four.z, cells[3] = four.w;
    if (at_end) {
#pragma unroll
      for (int i = 0; i < vectors_a_lane; ++i) cells[i] = __funnelshift_l(cells[i], cells[i], turned);
    }
  };
  word* out = call.to + first_row * call.pitch + vector;
  const auto store = [&](const word* cells) {
    if (stores_first) *reinterpret_cast<uint2*>(out) = make_uint2(cells[0], cells[1]);
    if (stores_second) *reinterpret_cast<uint2*>(out + 2) = make_uint2(cells[2], cells[3]);
    out += call.pitch;
  };

  Kept even[depth], odd[depth];
#pragma unroll
  for (int g = 0; g < depth; ++g) {
#pragma unroll
    for (int i = 0; i < vectors_a_lane; ++i) {
      even[g].above.ones[i] = even[g].above.twos[i] = even[g].at.ones[i] = even[g].at.twos[i] = 0;
      even[g].centre[i] = 0;
    }
  }
#pragma unroll
  for (int pair = 0; pair < pairs - 1; ++pair) fetch_pair(pair);
  const int turns = (rows + 1) / 2 + steps;
  for (int begin = 0; begin < turns; begin += pairs) {
#pragma unroll
    for (int pair = 0; pair < pairs; ++pair) {
      const int turn = begin + pair;
      await_groups<pairs - 2>();  // this pair has arrived
      word b[vectors_a_lane], c[vectors_a_lane];
      take(2 * pair, b);
      take(2 * pair + 1, c);
      fetch_pair((pair + pairs - 1) % pairs);
      if (general) {
        confine(b, first_row - steps + 2 * turn);
        confine(c, first_row - steps + 2 * turn + 1);
      }
#pragma unroll
      for (int g = 0; g < depth; ++g) {
        if (general && g >= steps) break;
        advance_pair(pair % 2 == 0 ? even[g] : odd[g], pair % 2 == 0 ? odd[g] : even[g], b, c);
        if (general) {
          confine(b, first_row - steps + 2 * turn - g - 1);
          confine(c, first_row - steps + 2 * turn - g);
        }
      }
      const int done = 2 * (turn - steps);  // b is this row of the segment
      if (done >= 0 && done < rows) store(b);
      if (done >= 0 && done + 1 < rows) store(c);
    }
  }
}

extern "C" __global__ void __launch_bounds__(32, warps_a_multiprocessor)
    MOOREA_STRIDED(full)(StridedCall call) {
  step_strided<false>(call);
}

extern "C" __global__ void __launch_bounds__(32) MOOREA_STRIDED(general)(StridedCall call) {
  step_strided<true>(call);
}

#endif
