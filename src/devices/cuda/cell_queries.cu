// SPDX-License-Identifier: MIT
// Queries about cells in a GPU's memory: population, changes, bounds, density, levels.
#include "devices/cuda/cells.cuh"

namespace moorea::cuda {
namespace {

using kernels::Layout;

__device__ void add_of_block(unsigned long long value, unsigned long long* sum) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(all_lanes, value, lanes);
  if (threadIdx.x % 32 == 0 && value != 0) atomicAdd(sum, value);
}

// Counts the live cells, or the cells that differ between two.
template <bool two>
__global__ void count_words(PackedRows packed, PackedRows other, unsigned long long* cells) {
  const std::int64_t words = packed.rows * packed.words_per_row;
  unsigned long long sum = 0;
  for (std::int64_t i = global_thread(); i < words; i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
    sum += static_cast<unsigned>(__popc(two ? packed.words[i] ^ other.words[i] : packed.words[i]));
  add_of_block(sum, cells);
}

// Warps process rows in turn, 128 words at a time; reads after a row's last word stay within its memory.
template <bool strided, bool two>
__global__ void count_cells(DeviceField field, DeviceField other, unsigned long long* live) {
  const std::int64_t words = (field.width + 31) / 32, warps = gridDim.x * (blockDim.x / 32);
  const std::int64_t lane = threadIdx.x % 32;
  // Words before this one have 32 cells
  const std::int64_t whole = strided ? field.width - 31 * words : field.width / 32;
  unsigned long long sum = 0;
  for (std::int64_t y = global_thread() / 32; y < field.height; y += warps) {
    const auto* const row = reinterpret_cast<const uint4*>(field.first + y * field.pitch);
    const auto* const other_row = reinterpret_cast<const uint4*>(other.first + y * other.pitch);
    for (std::int64_t four = lane; four < (words + 3) / 4; four += 32) {
      const uint4 cells = row[four], unlike = two ? other_row[four] : make_uint4(0, 0, 0, 0);
      word some[4] = {cells.x ^ unlike.x, cells.y ^ unlike.y, cells.z ^ unlike.z, cells.w ^ unlike.w};
      if (4 * four + 4 > whole) {
        for (int i = 0; i < 4; ++i) {
          const std::int64_t at = 4 * four + i;
          if (at >= words) {
            some[i] = 0;
          } else if (at >= whole) {
            // Cells of a strided vector are columns `at`, `at` + words, ...
            some[i] &=
                strided ? tail_mask((field.width - at + words - 1) / words, 0) : tail_mask(field.width, at);
          }
        }
      }
      sum += static_cast<unsigned>(__popc(some[0]) + __popc(some[1]) + __popc(some[2]) + __popc(some[3]));
    }
  }
  add_of_block(sum, live);
}

__global__ void extend_bounds(PackedRows packed, Bounds* bounds) {
  const std::int64_t words = packed.rows * packed.words_per_row;
  long long left = bounds->left, right = bounds->right, top = bounds->top, bottom = bounds->bottom;
  for (std::int64_t i = global_thread(); i < words; i += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    const word cells = packed.words[i];
    if (cells == 0) continue;
    const std::int64_t y = packed.y + i / packed.words_per_row, x = i % packed.words_per_row * 32;
    left = min(left, static_cast<long long>(x + __ffs(static_cast<int>(cells)) - 1));
    right = max(right, static_cast<long long>(x + 31 - __clz(static_cast<int>(cells))));
    top = min(top, static_cast<long long>(y));
    bottom = max(bottom, static_cast<long long>(y));
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    left = min(left, __shfl_down_sync(all_lanes, left, lanes));
    right = max(right, __shfl_down_sync(all_lanes, right, lanes));
    top = min(top, __shfl_down_sync(all_lanes, top, lanes));
    bottom = max(bottom, __shfl_down_sync(all_lanes, bottom, lanes));
  }
  if (threadIdx.x % 32 != 0) return;
  // Few warps extend the bounds, and a read costs less than an atomic write
  const volatile Bounds& known = *bounds;
  if (left < known.left) atomicMin(&bounds->left, left);
  if (right > known.right) atomicMax(&bounds->right, right);
  if (top < known.top) atomicMin(&bounds->top, top);
  if (bottom > known.bottom) atomicMax(&bounds->bottom, bottom);
}

// Number of blocks of grid-stride loops.
unsigned strided_blocks(std::int64_t threads) {
  constexpr unsigned max_blocks = 2048;
  const unsigned blocks = blocks_for(threads);
  return blocks < max_blocks ? blocks : max_blocks;
}

// `lanes` threads of a warp per square in the raster's rows top to bottom.
__global__ void count_squares(PackedRows packed, std::int64_t width, Raster raster, std::int64_t top,
                              std::int64_t bottom, int lanes, std::uint32_t* squares) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t square = thread / lanes;
  const int lane = static_cast<int>(thread % lanes);
  const std::int64_t i = square % raster.columns, j = top + square / raster.columns;
  std::uint32_t sum = 0;
  if (j <= bottom) {
    const std::int64_t from_y = raster.y + j * raster.scale, from_x = raster.x + i * raster.scale;
    const std::int64_t first_y = from_y > packed.y ? from_y : packed.y, packed_end = packed.y + packed.rows,
                       end_y = from_y + raster.scale < packed_end ? from_y + raster.scale : packed_end;
    const std::int64_t left = from_x > 0 ? from_x : 0,
                       right = from_x + raster.scale < width ? from_x + raster.scale : width;
    for (std::int64_t y = first_y; left < right && y < end_y; ++y) {
      const word* row = packed.words + (y - packed.y) * packed.words_per_row;
      for (std::int64_t at = left / 32 + lane; at * 32 < right; at += lanes) {
        word cells = row[at];
        if (at * 32 < left) cells &= ~word{0} << (left - at * 32);
        if (right - at * 32 < 32) cells &= (word{1} << (right - at * 32)) - 1;
        sum += static_cast<std::uint32_t>(__popc(cells));
      }
    }
  }
  for (int apart = lanes / 2; apart > 0; apart /= 2) sum += __shfl_down_sync(~0u, sum, apart, lanes);
  if (lane == 0 && j <= bottom) squares[j * raster.columns + i] += sum;
}

// One thread per four levels.
__global__ void levels_of(const uint4* numbers, std::int64_t number, const std::uint32_t* limits,
                          int limit_count, uchar4* levels) {
  __shared__ std::uint32_t some[block_threads];
  const int lane = static_cast<int>(threadIdx.x);
  some[lane] = lane < limit_count ? limits[lane] : ~0u;  // more than any number
  __syncthreads();
  const std::int64_t four = global_thread();
  if (4 * four >= number) return;
  const auto level_of = [&](std::uint32_t alive) {
    int level = 0;
    for (int step = block_threads / 2; step > 0; step /= 2)
      level += some[level + step - 1] <= alive ? step : 0;
    return static_cast<unsigned char>(level);
  };
  const uint4 alive = numbers[four];
  levels[four] = make_uchar4(level_of(alive.x), level_of(alive.y), level_of(alive.z), level_of(alive.w));
}
static_assert(block_threads == 256);

}  // namespace

void count(const PackedRows& packed, unsigned long long* population, cudaStream_t stream) {
  count_words<false><<<strided_blocks(packed.rows * packed.words_per_row), block_threads, 0, stream>>>(
      packed, packed, population);
}

void count_changed(const PackedRows& a, const PackedRows& b, unsigned long long* changed,
                   cudaStream_t stream) {
  count_words<true><<<strided_blocks(a.rows * a.words_per_row), block_threads, 0, stream>>>(a, b, changed);
}

void count(const DeviceField& field, unsigned long long* population, cudaStream_t stream) {
  const auto kernel = field.layout == Layout::strided ? count_cells<true, false> : count_cells<false, false>;
  kernel<<<strided_blocks(field.height * 32), block_threads, 0, stream>>>(field, field, population);
}

void count_changed(const DeviceField& a, const DeviceField& b, unsigned long long* changed,
                   cudaStream_t stream) {
  const auto kernel = a.layout == Layout::strided ? count_cells<true, true> : count_cells<false, true>;
  kernel<<<strided_blocks(a.height * 32), block_threads, 0, stream>>>(a, b, changed);
}

void add_density(const PackedRows& packed, std::int64_t width, const Raster& raster, std::uint32_t* squares,
                 cudaStream_t stream) {
  const std::int64_t top = (packed.y - raster.y) / raster.scale,
                     bottom = (packed.y + packed.rows - 1 - raster.y) / raster.scale;
  // Adjacent lanes read adjacent words, also if a square has many
  const int lanes = raster.scale >= 512 ? 32 : raster.scale >= 128 ? 4 : 1;
  const std::int64_t threads = (bottom - top + 1) * raster.columns * lanes;
  count_squares<<<blocks_for(threads), block_threads, 0, stream>>>(packed, width, raster, top, bottom, lanes,
                                                                   squares);
}

void make_levels(const std::uint32_t* numbers, std::int64_t number, const std::uint32_t* limits,
                 int limit_count, std::uint8_t* levels, cudaStream_t stream) {
  levels_of<<<blocks_for((number + 3) / 4), block_threads, 0, stream>>>(
      reinterpret_cast<const uint4*>(numbers), number, limits, limit_count,
      reinterpret_cast<uchar4*>(levels));
}

void extend(const PackedRows& packed, Bounds* bounds, cudaStream_t stream) {
  extend_bounds<<<strided_blocks(packed.rows * packed.words_per_row), block_threads, 0, stream>>>(packed,
                                                                                                  bounds);
}

}  // namespace moorea::cuda
