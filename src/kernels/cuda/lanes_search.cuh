// SPDX-License-Identifier: MIT
// Search of the periods of worlds in registers: after each generation of an interval the cells are compared
// with those at its start, which are still in global memory, until each world has shown a difference. Follows
// the text of cuda/lanes.cuh.

static __device__ __forceinline__ word any_lane(word bits) {
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync(all_bits, bits);
#else
  for (int other = 16; other > 0; other /= 2) bits |= __shfl_xor_sync(all_bits, bits, other);
  return bits;
#endif
}

constexpr int rows_compared = columns < 8 ? 8 / columns : 1;  // before the result is looked at

// The worlds that differ from `start`; not necessarily all of them if those that are searched do.
static __device__ __forceinline__ word differing_worlds(const word (&cells)[columns][rows], const word* start,
                                                        const Place& place, bool is_short, word searched) {
  word differing = 0, result = 0;
#pragma unroll
  for (int y = 0; y < rows; ++y) {
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      word difference = cells[c][y] ^ start[(y * columns + c) * shape.lanes];
      if (y == rows - 1) difference &= long_segments;
      if (short_lanes > 0 && c == columns - 1) difference = is_short ? 0 : difference;
      differing |= difference;
    }
    if ((y + 1) % rows_compared != 0 && y + 1 < rows) continue;
    result = any_lane(place.is_used ? differing : 0);
#pragma unroll
    for (int segment = worlds; segment < 32; segment *= 2) result |= rotated(result, segment);
    if ((searched & ~result) == 0) return result;
  }
  return result;
}

extern "C" __global__ void __launch_bounds__(32 * warps_a_block, min_blocks) search_lanes(SearchCall call) {
  const Place place = place_of(0);
  if (place.group >= call.groups || call.active[place.group] == 0) return;  // whole warps
  const word* const start = call.start + offset_of(place);
  word cells[columns][rows];
  load(cells, start);
  const Neighbours lanes = neighbours_of(place.own);
  const word limited = call.limited[place.group];
  word searched = call.searched[place.group];
#pragma unroll 1
  for (int step = 1; step <= call.steps; ++step) {
    next_generation(cells, lanes);
    if (searched != 0 && step <= call.max_period) {
      const word differing = differing_worlds(cells, start, place, lanes.is_short, searched);
      if (place.lane < worlds && (searched & ~differing) >> place.lane & 1) {
        call.periods[place.group * worlds + place.lane] = static_cast<unsigned short>(step);
      }
      searched &= differing;
    }
    if (step == call.stop && limited != 0) {
      searched &= ~limited;
      if (place.is_used) store(cells, call.stopped + offset_of(place));
    }
  }
  if (place.is_used) store(cells, call.cells + offset_of(place));
}
