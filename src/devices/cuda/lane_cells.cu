// SPDX-License-Identifier: MIT
#include "devices/cuda/cells.cuh"
#include "devices/cuda/lane_cells.h"

namespace moorea::cuda {
namespace {

__host__ __device__ std::int64_t groups_of_array(const LanesShape& shape) { return 2 * shape.segments; }

__host__ __device__ std::int64_t words_of_group(const LanesShape& shape) {
  return static_cast<std::int64_t>(shape.rows) * shape.columns * shape.lanes;
}

// First row of a segment, or column of a part: of `parts` parts of `length` or, from part `shorter` on, one
// less.
struct Division {
  int parts, length, shorter;

  __device__ Division(int parts_, int length_, int whole)
      : parts(parts_), length(length_), shorter(parts_ - (parts_ * length_ - whole)) {}
  __device__ int first(int part) const { return part * length - (part > shorter ? part - shorter : 0); }
  __device__ int size(int part) const { return length - (part >= shorter ? 1 : 0); }
  __device__ int part_of(int position) const {
    const int in_long = shorter * length;
    return position < in_long ? position / length : shorter + (position - in_long) / (length - 1);
  }
};

__device__ word bits(int count) { return count == 32 ? 0xFFFFFFFFu : (1u << count) - 1; }

// One thread per word of the groups.
__global__ void to_groups(LanesShape shape, const std::uint64_t* arrays, std::int64_t words, word* cells) {
  const std::int64_t thread = global_thread();
  if (thread >= words) return;
  const std::int64_t per_group = words_of_group(shape), group = thread / per_group;
  const int at = static_cast<int>(thread % per_group), worlds = 32 / shape.segments;
  const int lane = at % shape.lanes, c = at / shape.lanes % shape.columns,
            y = at / shape.lanes / shape.columns;
  const Division across(shape.lanes, shape.columns, shape.width),
      down(shape.segments, shape.rows, shape.height);
  const std::int64_t array = group / groups_of_array(shape), offset = group % groups_of_array(shape) * worlds;
  const std::uint64_t* const from = arrays + array * shape.width * shape.height;
  word result = 0;
  for (int s = 0; s < shape.segments && c < across.size(lane); ++s) {
    if (y >= down.size(s)) break;
    const std::int64_t cell =
        static_cast<std::int64_t>(down.first(s) + y) * shape.width + across.first(lane) + c;
    result |= (static_cast<word>(from[cell] >> offset) & bits(worlds)) << s * worlds;
  }
  cells[thread] = result;
}

// One thread per word of the arrays.
__global__ void to_arrays(LanesShape shape, const word* cells, std::int64_t words, std::uint64_t* arrays) {
  const std::int64_t thread = global_thread();
  if (thread >= words) return;
  const std::int64_t area = static_cast<std::int64_t>(shape.width) * shape.height, array = thread / area;
  const int x = static_cast<int>(thread % area % shape.width),
            y = static_cast<int>(thread % area / shape.width), worlds = 32 / shape.segments;
  const Division across(shape.lanes, shape.columns, shape.width),
      down(shape.segments, shape.rows, shape.height);
  const int lane = across.part_of(x), segment = down.part_of(y);
  const std::int64_t at =
      (static_cast<std::int64_t>(y - down.first(segment)) * shape.columns + x - across.first(lane)) *
          shape.lanes +
      lane;
  const std::int64_t groups = groups_of_array(shape);
  std::uint64_t result = 0;
  for (std::int64_t g = 0; g < groups; ++g) {
    const word group = cells[(array * groups + g) * words_of_group(shape) + at];
    result |= static_cast<std::uint64_t>(group >> segment * worlds & bits(worlds)) << g * worlds;
  }
  arrays[thread] = result;
}

// One thread per word of the groups.
__global__ void fill_groups(LanesShape shape, PackedWorlds packed, const FilledGroup* groups,
                            std::int64_t words, word* cells) {
  const std::int64_t thread = global_thread();
  if (thread >= words) return;
  const std::int64_t per_group = words_of_group(shape);
  const FilledGroup filled = groups[thread / per_group];
  const int at = static_cast<int>(thread % per_group), worlds = 32 / shape.segments;
  const int lane = at % shape.lanes, c = at / shape.lanes % shape.columns,
            y = at / shape.lanes / shape.columns;
  const Division across(shape.lanes, shape.columns, shape.width),
      down(shape.segments, shape.rows, shape.height);
  if (c >= across.size(lane)) return;
  const int x = across.first(lane) + c;
  word* const to = cells + filled.group * per_group + at;
  word result = *to;
  std::int64_t world = filled.first;
  for (word left = filled.mask; left != 0; left &= left - 1, ++world) {
    const int bit = __ffs(static_cast<int>(left)) - 1;
    for (int s = 0; s < shape.segments && y < down.size(s); ++s) {
      const std::int64_t row = world * shape.height + down.first(s) + y;
      const word cell = static_cast<word>(packed.words[row * packed.words_per_row + x / 64] >> x % 64 & 1);
      const int position = s * worlds + bit;
      result = (result & ~(1u << position)) | cell << position;
    }
  }
  *to = result;
}

// One warp per packed word.
__global__ void gather_groups(LanesShape shape, const word* cells, const std::uint32_t* places,
                              std::int64_t words, PackedWorlds packed) {
  const std::int64_t at = global_thread() / 32;
  if (at >= words) return;  // whole warps
  const int lane = static_cast<int>(threadIdx.x) % 32, worlds = 32 / shape.segments;
  const int column = static_cast<int>(at % packed.words_per_row) * 64;
  const std::int64_t row = at / packed.words_per_row;
  const int y = static_cast<int>(row % shape.height);
  const std::uint32_t place = places[row / shape.height];
  const Division across(shape.lanes, shape.columns, shape.width),
      down(shape.segments, shape.rows, shape.height);
  const int segment = down.part_of(y);
  const int bit = segment * worlds + static_cast<int>(place % static_cast<unsigned>(worlds));
  const std::int64_t first = place / static_cast<unsigned>(worlds) * words_of_group(shape) +
                             static_cast<std::int64_t>(y - down.first(segment)) * shape.columns * shape.lanes;
  word halves[2];
  for (int half = 0; half < 2; ++half) {
    const int x = column + 32 * half + lane;
    word cell = 0;
    if (x < shape.width) {
      const int part = across.part_of(x);
      cell = cells[first + static_cast<std::int64_t>(x - across.first(part)) * shape.lanes + part] >> bit & 1;
    }
    halves[half] = __ballot_sync(all_lanes, cell != 0);
  }
  if (lane == 0) packed.words[at] = static_cast<std::uint64_t>(halves[1]) << 32 | halves[0];
}

}  // namespace

std::int64_t groups_an_array(const LanesShape& shape) { return groups_of_array(shape); }

std::int64_t group_words(const LanesShape& shape) { return words_of_group(shape); }

void pack_lanes(const LanesShape& shape, const std::uint64_t* arrays, std::int64_t count, word* cells,
                cudaStream_t stream) {
  const std::int64_t words = count * groups_of_array(shape) * words_of_group(shape);
  to_groups<<<blocks_for(words), block_threads, 0, stream>>>(shape, arrays, words, cells);
}

void unpack_lanes(const LanesShape& shape, const word* cells, std::int64_t count, std::uint64_t* arrays,
                  cudaStream_t stream) {
  const std::int64_t words = count * shape.width * shape.height;
  to_arrays<<<blocks_for(words), block_threads, 0, stream>>>(shape, cells, words, arrays);
}

void fill_lanes(const LanesShape& shape, const PackedWorlds& worlds, const FilledGroup* groups, int count,
                word* cells, cudaStream_t stream) {
  const std::int64_t words = count * words_of_group(shape);
  fill_groups<<<blocks_for(words), block_threads, 0, stream>>>(shape, worlds, groups, words, cells);
}

void gather_lanes(const LanesShape& shape, const word* cells, const std::uint32_t* places, int count,
                  const PackedWorlds& worlds, cudaStream_t stream) {
  const std::int64_t words = static_cast<std::int64_t>(count) * shape.height * worlds.words_per_row;
  gather_groups<<<blocks_for(32 * words), block_threads, 0, stream>>>(shape, cells, places, words, worlds);
}

}  // namespace moorea::cuda
