// SPDX-License-Identifier: MIT
// Device code of cuda/chip, for nvcc and, as text, for NVRTC; hence no includes.
//
// The world stays in the registers of all multiprocessors. A thread block holds a band of whole rows, a warp
// some of them: a lane has a few strided vectors of 32 columns in each row, so the ends of a row become
// neighbours by a rotation and no column is computed twice. Every few generations each warp stages its
// outermost rows in shared memory for the adjacent warps. A band is computed with a halo of rows on both
// sides, which is valid for as many generations; adjacent thread blocks then exchange boundary rows through
// global memory.
//
// Include after cuda/chip_call.h and cuda/row_logic.cuh. MOOREA_CHIP_SHAPE lists, separated by commas:
// whether the world is a plane, vectors per lane, rows per warp, generations between two barriers, the
// maximum number of warps per block, and whether every barrier is one of the whole block.
#ifndef MOOREA_KERNELS_STEP_CHIP_CUDA_H
#define MOOREA_KERNELS_STEP_CHIP_CUDA_H

// Copies a lane's vectors to and from shared memory, with the widest access that fits.
template <int vectors>
__device__ __forceinline__ void stage_row(word* to, const word* row) {
  if constexpr (vectors == 1) {
    *to = *row;
  } else if constexpr (vectors == 2) {
    *reinterpret_cast<uint2*>(to) = make_uint2(row[0], row[1]);
  } else {
#pragma unroll
    for (int k = 0; k < vectors; k += 4)
      *reinterpret_cast<uint4*>(to + k) = make_uint4(row[k], row[k + 1], row[k + 2], row[k + 3]);
  }
}
template <int vectors>
__device__ __forceinline__ void load_row(const word* from, word* row) {
  if constexpr (vectors == 1) {
    *row = *from;
  } else if constexpr (vectors == 2) {
    const uint2 two = *reinterpret_cast<const uint2*>(from);
    row[0] = two.x, row[1] = two.y;
  } else {
#pragma unroll
    for (int k = 0; k < vectors; k += 4) {
      const uint4 four = *reinterpret_cast<const uint4*>(from + k);
      row[k] = four.x, row[k + 1] = four.y, row[k + 2] = four.z, row[k + 3] = four.w;
    }
  }
}

template <bool plane, int vectors, int rows, int at_once, bool whole_block>
__device__ __forceinline__ void run_on_chip(const ChipCall& call, word* staged) {
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  const int warps = static_cast<int>(blockDim.x / 32), block = static_cast<int>(blockIdx.x);
  const int blocks = static_cast<int>(gridDim.x);
  const int lanes = call.stride / vectors;
  const bool works = lane < lanes;
  const int first = static_cast<int>(static_cast<long long>(block) * call.height / blocks);
  const int own = static_cast<int>(static_cast<long long>(block + 1) * call.height / blocks) - first;
  const int top = first - call.halo + warp * rows;  // first row of the warp, in the world
  const int lane_before = lane == 0 ? lanes - 1 : lane - 1, lane_after = lane >= lanes - 1 ? 0 : lane + 1;
  const int rotation_before = lane == 0 ? 1 : 0, rotation_after = lane == lanes - 1 ? 1 : 0;

  // Live mask of a lane's vectors, and of a warp's rows and the adjacent rows
  word alive[vectors];
  unsigned row_lives = 0;
  if (plane) {
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      alive[i] = 0;
      for (int bit = 0; bit < 32; ++bit) {
        const long long column = lane * vectors + i + static_cast<long long>(bit) * call.stride;
        if (column < call.width) alive[i] |= word{1} << bit;
      }
    }
    for (int i = 0; i < rows + 2 * at_once; ++i) {
      const int y = top + i - at_once;
      row_lives |= (y >= 0 && y < call.height ? 1u : 0u) << i;
    }
  }

  word all[rows + 2 * at_once][vectors];  // the warp's rows between those of the adjacent warps
  word(*const cells)[vectors] = all + at_once;
  const auto world_row = [&](int row) {
    const int y = row % call.height;
    return static_cast<long long>(y < 0 ? y + call.height : y);
  };
  const auto read = [&](const word* memory) {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const word* at = memory + world_row(top + i) * call.pitch + lane * vectors;
#pragma unroll
      for (int k = 0; k < vectors; ++k) cells[i][k] = works ? at[k] : 0;
      if (plane) {
#pragma unroll
        for (int k = 0; k < vectors; ++k)
          cells[i][k] = (row_lives >> (i + at_once) & 1) != 0 ? cells[i][k] & alive[k] : 0;
      }
    }
  };
  const auto is_own = [&](int row) { return row >= call.halo && row < call.halo + own; };
  const auto write = [&](word* memory) {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      if (!works || !is_own(warp * rows + i)) continue;
      word* at = memory + world_row(top + i) * call.pitch + lane * vectors;
#pragma unroll
      for (int k = 0; k < vectors; ++k) at[k] = cells[i][k];
    }
  };
  // Boundary rows are published with the number of the pass in one 64-bit store, so a reader needs no
  // separate flag. Double-buffered: no writer is two passes ahead of a reader. Vectors with the same index in
  // adjacent lanes are adjacent in memory, so accesses coalesce.
  const auto slot = [&](int pass, int i, int k) {
    const long long row = (pass & 1) * static_cast<long long>(call.height) + world_row(top + i);
    return static_cast<volatile unsigned long long*>(call.published) + (row * vectors + k) * lanes + lane;
  };
  const auto publish = [&](int pass) {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const int row = warp * rows + i;
      if (!works || !is_own(row) || (row >= 2 * call.halo && row < own)) continue;
#pragma unroll
      for (int k = 0; k < vectors; ++k)
        *slot(pass, i, k) = static_cast<unsigned long long>(pass) << 32 | cells[i][k];
    }
  };
  const auto receive = [&](int pass) {
    const auto is_received = [&](int i) {
      const int row = warp * rows + i;
      return !is_own(row) && row < own + 2 * call.halo;
    };
    // Poll the most recently published row first; when it has arrived, the others usually have
    int last = -1;
#pragma unroll
    for (int i = 0; i < rows; ++i) last = is_received(i) ? i : last;
    if (last >= 0 && works) {
      while (vectors > 2 && *slot(pass, last, vectors - 1) >> 32 != static_cast<unsigned long long>(pass)) {
      }
      for (bool complete = false; !complete;) {
        complete = true;
#pragma unroll
        for (int i = 0; i < rows; ++i) {
          if (!is_received(i)) continue;
#pragma unroll
          for (int k = 0; k < vectors; ++k) {
            const unsigned long long received = *slot(pass, i, k);
            complete = complete && received >> 32 == static_cast<unsigned long long>(pass);
            cells[i][k] = plane && (row_lives >> (i + at_once) & 1) == 0 ? 0 : static_cast<word>(received);
          }
        }
      }
    }
    __syncwarp();
  };
  const auto sum = [&](const word* row, RowSignals<vectors>& signals) {
    word before = __shfl_sync(0xFFFFFFFF, row[vectors - 1], lane_before);
    word after = __shfl_sync(0xFFFFFFFF, row[0], lane_after);
    before = __funnelshift_l(plane ? 0 : before, before, rotation_before);
    after = __funnelshift_r(after, plane ? 0 : after, rotation_after);
    make_signals(row, before, after, signals);
  };
  // Staging buffer of each warp's first and last rows, double-buffered
  static_assert(at_once <= rows, "a warp reads rows of the adjacent warps only");
  constexpr int staged_rows = rows < 2 * at_once ? rows : 2 * at_once;
  const auto place = [&](int turn, int whose, int row) {
    return staged + ((turn * warps + whose) * staged_rows + row) * 32 * vectors + lane * vectors;
  };
  // Warps synchronise with the adjacent warps only, if there are enough barriers, so that inner warps
  // continue while the outermost wait for other blocks: even warps first with the one below, then with the
  // one above
  const auto synchronise_pair = [&](int upper) {
    asm volatile("bar.sync %0, 64;" : : "r"(upper) : "memory");
  };
  const auto synchronise = [&] {
    if (whole_block) {
      __syncthreads();
      return;
    }
    if (warp % 2 == 1) synchronise_pair(warp - 1);
    if (warp + 1 < warps) synchronise_pair(warp);
    if (warp % 2 == 0 && warp > 0) synchronise_pair(warp - 1);
  };
  // Advances by `steps` generations, at most at_once. `reach`: rows beyond its own that the band needs
  // afterwards
  const auto generations = [&](int turn, int steps, int reach) {
#pragma unroll
    for (int i = 0; i < staged_rows; ++i)
      stage_row<vectors>(place(turn, warp, i), cells[i < at_once ? i : rows - staged_rows + i]);
    synchronise();  // the adjacent warps have staged their rows, and have read those staged two turns ago
    if (warp * rows + rows <= call.halo - reach || warp * rows >= call.halo + own + reach) return;
    // The outermost warps of the band read their own rows instead; the resulting errors stay in the halo
    const int above = warp == 0 ? warp : warp - 1, below = warp == warps - 1 ? warp : warp + 1;
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      load_row<vectors>(place(turn, above, staged_rows - at_once + i), all[i]);
      load_row<vectors>(place(turn, below, i), all[at_once + rows + i]);
    }
#pragma unroll
    for (int g = 0; g < at_once; ++g) {
      if (g >= steps) break;
      RowSignals<vectors> t, a, b, u;
      sum(all[g], t);
      sum(all[g + 1], a);
#pragma unroll
      for (int i = g + 1; i + 1 < rows + 2 * at_once - g; i += 2) {
        sum(all[i + 1], b);
        sum(all[i + 2], u);
#pragma unroll
        for (int k = 0; k < vectors; ++k) {
          word next_a, next_b;
          next_rows(t, a, b, u, k, &next_a, &next_b);
          if (plane) {
            next_a = (row_lives >> i & 1) != 0 ? next_a & alive[k] : 0;
            next_b = (row_lives >> (i + 1) & 1) != 0 ? next_b & alive[k] : 0;
          }
          all[i][k] = next_a;
          all[i + 1][k] = next_b;
        }
        t = b;
        a = u;
      }
    }
  };

  int turn = 0;
  read(call.from);
  for (int pass = 1;; ++pass) {
    const bool last = pass == call.passes;
    const int steps = last ? call.steps : call.halo;
    for (int done = 0; done < steps; done += at_once, turn ^= 1)
      generations(turn, min(at_once, steps - done), max(0, steps - done - at_once));
    if (last) break;
    publish(pass);
    receive(pass);
  }
  write(call.to);
}

// A block has 16 hardware barriers.
template <bool plane_, int vectors_, int rows_, int at_once_, int warps_, bool whole_>
struct ChipShape {
  static constexpr bool plane = plane_, whole_block = whole_ || warps_ > 16;
  static constexpr int vectors = vectors_, rows = rows_, at_once = at_once_, warps = warps_;
};

extern "C" __global__ void __launch_bounds__(32 * ChipShape<MOOREA_CHIP_SHAPE>::warps, 1)
    chip(ChipCall call) {
  extern __shared__ __align__(16) word staged[];
  using Shape = ChipShape<MOOREA_CHIP_SHAPE>;
  run_on_chip<Shape::plane, Shape::vectors, Shape::rows, Shape::at_once, Shape::whole_block>(call, staged);
}

#endif
