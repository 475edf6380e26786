// SPDX-License-Identifier: MIT
// Device code of cuda/chip, for nvcc and, as text, for NVRTC: no includes.
//
// The world stays in the registers of all multiprocessors. A thread block has a band of whole rows, a warp
// some of them: a lane has a few vectors of 32 far columns in each row, so the ends of a row are neighbours
// by a rotation and no column is computed twice. Every few generations warps show each other their outermost
// rows, one for each, through shared memory. A band is computed with a halo of rows on both sides, which
// lasts for as many generations; then blocks tell the blocks beside them their outer rows through memory, and
// wait for theirs.
//
// Include it behind cuda/chip_call.h, `word` (32 bits), LUT3 and MOOREA_NEXT, a network for two rows as in
// common/networks.h. MOOREA_CHIP_SHAPE is, with commas, whether the world is a plane, the vectors of a lane,
// the rows of a warp, the generations between two barriers, the most warps of a block, and whether a
// barrier is always one of the whole block.
#ifndef MOOREA_KERNELS_STEP_CHIP_CUDA_H
#define MOOREA_KERNELS_STEP_CHIP_CUDA_H

template <int vectors>
struct ChipSums {
  word ones[vectors], twos[vectors];
};

// A lane's vectors to and from shared memory, as many at once as there are.
template <int vectors>
__device__ __forceinline__ void show_row(word* to, const word* row) {
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
__device__ __forceinline__ void see_row(const word* from, word* row) {
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
__device__ __forceinline__ void run_on_chip(const ChipCall& call, word* shown) {
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  const int warps = static_cast<int>(blockDim.x / 32), block = static_cast<int>(blockIdx.x);
  const int blocks = static_cast<int>(gridDim.x);
  const int lanes = call.stride / vectors;
  const bool works = lane < lanes;
  const int first = static_cast<int>(static_cast<long long>(block) * call.height / blocks);
  const int own = static_cast<int>(static_cast<long long>(block + 1) * call.height / blocks) - first;
  const int top = first - call.halo + warp * rows;  // the world's row that is the warp's first
  const int lane_before = lane == 0 ? lanes - 1 : lane - 1, lane_behind = lane >= lanes - 1 ? 0 : lane + 1;
  const int turn_before = lane == 0 ? 1 : 0, turn_behind = lane == lanes - 1 ? 1 : 0;

  // Which cells of a lane's vectors may live, and which of a warp's rows and those beside
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

  word all[rows + 2 * at_once][vectors];  // the warp's rows between those that it sees
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
  // Rows that others read are told together with the number of the pass, in one store of 64 bits, so whoever
  // waits for them needs nothing else to look at. In two places by turns: nobody is two passes ahead of a
  // reader. Vectors that the lanes have at the same place lie beside each other.
  const auto told = [&](int pass, int i, int k) {
    const long long row = (pass & 1) * static_cast<long long>(call.height) + world_row(top + i);
    return static_cast<volatile unsigned long long*>(call.told) + (row * vectors + k) * lanes + lane;
  };
  const auto tell = [&](int pass) {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const int row = warp * rows + i;
      if (!works || !is_own(row) || (row >= 2 * call.halo && row < own)) continue;
#pragma unroll
      for (int k = 0; k < vectors; ++k)
        *told(pass, i, k) = static_cast<unsigned long long>(pass) << 32 | cells[i][k];
    }
  };
  const auto hear = [&](int pass) {
    const auto is_heard = [&](int i) {
      const int row = warp * rows + i;
      return !is_own(row) && row < own + 2 * call.halo;
    };
    // Where a warp hears much, what was told last is waited for first: mostly the rest is there, too
    int last = -1;
#pragma unroll
    for (int i = 0; i < rows; ++i) last = is_heard(i) ? i : last;
    if (last >= 0 && works) {
      while (vectors > 2 && *told(pass, last, vectors - 1) >> 32 != static_cast<unsigned long long>(pass)) {
      }
      for (bool complete = false; !complete;) {
        complete = true;
#pragma unroll
        for (int i = 0; i < rows; ++i) {
          if (!is_heard(i)) continue;
#pragma unroll
          for (int k = 0; k < vectors; ++k) {
            const unsigned long long heard = *told(pass, i, k);
            complete = complete && heard >> 32 == static_cast<unsigned long long>(pass);
            cells[i][k] = plane && (row_lives >> (i + at_once) & 1) == 0 ? 0 : static_cast<word>(heard);
          }
        }
      }
    }
    __syncwarp();
  };
  const auto sum = [&](const word* row, ChipSums<vectors>& sums) {
    word before = __shfl_sync(0xFFFFFFFF, row[vectors - 1], lane_before);
    word behind = __shfl_sync(0xFFFFFFFF, row[0], lane_behind);
    before = __funnelshift_l(plane ? 0 : before, before, turn_before);
    behind = __funnelshift_r(behind, plane ? 0 : behind, turn_behind);
#pragma unroll
    for (int k = 0; k < vectors; ++k) {
      const word left = k == 0 ? before : row[k - 1], right = k == vectors - 1 ? behind : row[k + 1];
      sums.ones[k] = LUT3(left, row[k], right, 0x96);
      sums.twos[k] = LUT3(left, row[k], right, 0xE8);
    }
  };
  // Where a warp shows its first and its last rows, in two places by turns
  static_assert(at_once <= rows, "a warp sees no further than the warps beside it");
  constexpr int shown_rows = rows < 2 * at_once ? rows : 2 * at_once;
  const auto place = [&](int turn, int whose, int row) {
    return shown + ((turn * warps + whose) * shown_rows + row) * 32 * vectors + lane * vectors;
  };
  // Warps meet those beside them and no others, where there are barriers enough, so that some go on while the
  // outermost wait for other blocks: first even ones those below, then those above
  const auto meet_pair = [&](int upper) { asm volatile("bar.sync %0, 64;" : : "r"(upper) : "memory"); };
  const auto meet = [&] {
    if (whole_block) {
      __syncthreads();
      return;
    }
    if (warp % 2 == 1) meet_pair(warp - 1);
    if (warp + 1 < warps) meet_pair(warp);
    if (warp % 2 == 0 && warp > 0) meet_pair(warp - 1);
  };
  // Does `steps` generations, at_once at most. `reach`: how many rows beyond its own the band needs
  // afterwards
  const auto generations = [&](int turn, int steps, int reach) {
#pragma unroll
    for (int i = 0; i < shown_rows; ++i)
      show_row<vectors>(place(turn, warp, i), cells[i < at_once ? i : rows - shown_rows + i]);
    meet();  // the warps beside show their rows, and have read what was shown two turns ago
    if (warp * rows + rows <= call.halo - reach || warp * rows >= call.halo + own + reach) return;
    // The band's outermost warps have nobody beyond; what they make of themselves there is in the halo
    const int above = warp == 0 ? warp : warp - 1, below = warp == warps - 1 ? warp : warp + 1;
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      see_row<vectors>(place(turn, above, shown_rows - at_once + i), all[i]);
      see_row<vectors>(place(turn, below, i), all[at_once + rows + i]);
    }
#pragma unroll
    for (int g = 0; g < at_once; ++g) {
      if (g >= steps) break;
      ChipSums<vectors> t, a, b, u;
      sum(all[g], t);
      sum(all[g + 1], a);
#pragma unroll
      for (int i = g + 1; i + 1 < rows + 2 * at_once - g; i += 2) {
        sum(all[i + 1], b);
        sum(all[i + 2], u);
#pragma unroll
        for (int k = 0; k < vectors; ++k) {
          word next_a, next_b;
          MOOREA_NEXT(t.ones[k], t.twos[k], a.ones[k], a.twos[k], b.ones[k], b.twos[k], u.ones[k], u.twos[k],
                      all[i][k], all[i + 1][k], &next_a, &next_b);
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
    tell(pass);
    hear(pass);
  }
  write(call.to);
}

// There are 16 barriers.
template <bool plane_, int vectors_, int rows_, int at_once_, int warps_, bool whole_>
struct ChipShape {
  static constexpr bool plane = plane_, whole_block = whole_ || warps_ > 16;
  static constexpr int vectors = vectors_, rows = rows_, at_once = at_once_, warps = warps_;
};

extern "C" __global__ void __launch_bounds__(32 * ChipShape<MOOREA_CHIP_SHAPE>::warps, 1)
    chip(ChipCall call) {
  extern __shared__ __align__(16) word shown[];
  using Shape = ChipShape<MOOREA_CHIP_SHAPE>;
  run_on_chip<Shape::plane, Shape::vectors, Shape::rows, Shape::at_once, Shape::whole_block>(call, shown);
}

#endif
