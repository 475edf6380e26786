// SPDX-License-Identifier: MIT
// Memory-bound by design: factors common to all lanes of a warp come from constant memory or are loaded once,
// products are accumulated in parts that need no intermediate reduction, and factors that differ between
// lanes are applied once at the end.
#include "devices/cuda/hash.h"
#include "model/hash.h"

namespace moorea::cuda {
namespace {

using word = std::uint32_t;
using number = unsigned long long;

constexpr int block_threads = 256, block_warps = block_threads / 32;
constexpr int part_bits = 21;
constexpr word part_mask = (1u << part_bits) - 1;

__device__ number modular(number a) {
  a = (a & hash_prime) + (a >> 61);
  return a >= hash_prime ? a - hash_prime : a;
}

__device__ number times(number a, number b) {
  const number low = a * b, high = __umul64hi(a, b);
  return modular((low & hash_prime) + (low >> 61 | high << 3));
}

__host__ __device__ HashFactor in_parts(std::uint64_t a) {
  return {static_cast<word>(a & part_mask), static_cast<word>(a >> part_bits & part_mask),
          static_cast<word>(a >> 2 * part_bits)};
}

// Sum of products of numbers below 2^61 and 2^32, in three parts that are reduced only at the end.
struct LazySum {
  static constexpr int maximum = 1 << (32 - part_bits);  // maximum number of products
  number low = 0, middle = 0, high = 0;
  __device__ void add(const HashFactor& a, word b) {
    low += static_cast<number>(a.low) * b;
    middle += static_cast<number>(a.middle) * b;
    high += static_cast<number>(a.high) * b;
  }
  __device__ number reduced() const {
    return modular(modular(modular(low) + times(middle, 1ull << part_bits)) +
                   times(high, 1ull << 2 * part_bits));
  }
};

// Adds a block's sum of numbers below the prime to two sums that cannot overflow for any number of blocks.
__device__ void add_of_block(number all, HashSum* sum) {
  __shared__ number parts[block_warps];
  for (int lanes = 16; lanes > 0; lanes /= 2) all = modular(all + __shfl_down_sync(0xFFFFFFFF, all, lanes));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = all;
  __syncthreads();  // parts are complete
  if (threadIdx.x != 0) return;
  for (int i = 1; i < block_warps; ++i) all = modular(all + parts[i]);
  if (all == 0) return;
  atomicAdd(&sum->low, all & 0xFFFFFFFF);
  atomicAdd(&sum->high, all >> 32);
}

__device__ std::int64_t global_warp() {
  return static_cast<std::int64_t>(blockIdx.x) * block_warps + threadIdx.x / 32;
}
__device__ std::int64_t all_warps() { return static_cast<std::int64_t>(gridDim.x) * block_warps; }

// Returns 32 cells from column x on, of a row of packed words; columns outside are dead.
__device__ word cells_at(const word* row, std::int64_t words, std::int64_t x) {
  const std::int64_t at = x >> 5;
  const word low = at >= 0 && at < words ? row[at] : 0;
  if ((x & 31) == 0) return low;
  const word high = at + 1 >= 0 && at + 1 < words ? row[at + 1] : 0;
  return __funnelshift_r(low, high, static_cast<unsigned>(x & 31));
}

// A lane processes one word of the raster in several rows.
constexpr int rows_a_task = 64;
static_assert(rows_a_task <= LazySum::maximum);

__global__ void hash_rows(PackedRows packed, int x0_in_raster, HashWeights weights, HashSum* sum) {
  const std::int64_t groups = (packed.words_per_row + 2 + 31) / 32;
  const std::int64_t tasks = (packed.rows + rows_a_task - 1) / rows_a_task * groups;
  number all = 0;
  for (std::int64_t task = global_warp(); task < tasks; task += all_warps()) {
    const std::int64_t j = task % groups * 32 + threadIdx.x % 32, begin = task / groups * rows_a_task;
    const std::int64_t end = min(begin + rows_a_task, packed.rows);
    LazySum products;
#pragma unroll 8
    for (std::int64_t y = begin; y < end; ++y) {
      const word cells =
          cells_at(packed.words + y * packed.words_per_row, packed.words_per_row, 32 * j - x0_in_raster);
      products.add(in_parts(weights.rows[packed.y + y]), cells);
    }
    if (j < packed.words_per_row + 2) all = modular(all + times(products.reduced(), weights.columns[j]));
  }
  add_of_block(all, sum);
}

// Returns a if the mask is set, otherwise b
__device__ word either(word mask, word a, word b) {
  word result;
  asm("lop3.b32 %0, %1, %2, %3, 0xCA;" : "=r"(result) : "r"(mask), "r"(a), "r"(b));
  return result;
}

// Transposes 32 x 32 bits: bit i of word k becomes bit k of word i.
__device__ void transpose(word (&rows)[32]) {
#pragma unroll
  for (int half = 16; half > 0; half /= 2) {
    const word low = half == 16  ? 0xFFFF
                     : half == 8 ? 0xFF00FF
                     : half == 4 ? 0xF0F0F0F
                     : half == 2 ? 0x33333333
                                 : 0x55555555;
#pragma unroll
    for (int k = 0; k < 32; ++k) {
      if ((k & half) != 0) continue;
      const word a = rows[k], b = rows[k + half];
      if (half >= 8) {
        rows[k] = __byte_perm(a, b, half == 16 ? 0x5410 : 0x6240);
        rows[k + half] = __byte_perm(a, b, half == 16 ? 0x7632 : 0x7351);
      } else {
        rows[k] = either(low, a, b << half);
        rows[k + half] = either(low, a >> half, b);
      }
    }
  }
}

// From 32 adjacent vectors, a lane computes the 32 words of their bits 0, 1, ...: their positions in the
// raster, and therefore their factors, are the same for all lanes. A warp's vectors pass through shared
// memory, so that its loads are coalesced.
constexpr int group_words = 36;  // 32, and four that avoid bank conflicts

// Clears bits of 32 vectors from `at` on that are not cells.
__device__ void keep_cells(word* vectors, int at, int stride, int width) {
#pragma unroll 1
  for (int i = 0; i < 32; ++i, ++at) {
    const int cells = at < stride ? (width - at + stride - 1) / stride : 0;
    if (cells < 32) vectors[i] &= (word{1} << cells) - 1;
  }
}

template <bool aligned>
__global__ void __launch_bounds__(block_threads, 2)
    hash_strided(DeviceField field, const __grid_constant__ StridedRaster raster, HashWeights weights,
                 int row_groups_log, HashSum* sum) {
  __shared__ __align__(16) word staged[block_warps][32 * group_words];
  word* const own = staged[threadIdx.x / 32];
  const int lane = static_cast<int>(threadIdx.x % 32);
  const auto width = static_cast<int>(field.width), height = static_cast<int>(field.height);
  const int stride = (width - 1) / 32 + 1, groups = (stride - 1) / 32 + 1;
  const int whole = width - 31 * stride;  // vectors before this one have 32 cells
  // A warp processes 32 groups of vectors of a row, or several rows that have fewer
  const int row_groups = 1 << row_groups_log, rows = 32 >> row_groups_log;
  const unsigned across = static_cast<unsigned>((groups - 1) / row_groups + 1);
  const unsigned tasks = static_cast<unsigned>((height - 1) / rows + 1) * across;
  number all = 0;
  for (auto task = static_cast<unsigned>(global_warp()); task < tasks; task += gridDim.x * block_warps) {
    const int first_group = static_cast<int>(task % across) * row_groups;
    const int first_row = static_cast<int>(task / across) * rows;
    uint4 loaded[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int group = 4 * i + lane / 8, y = first_row + (group >> row_groups_log);
      const int at = (first_group + (group & (row_groups - 1))) * 32 + lane % 8 * 4;
      loaded[i] = y < height && at < stride
                      ? *reinterpret_cast<const uint4*>(field.first + y * field.pitch + at * sizeof(word))
                      : make_uint4(0, 0, 0, 0);
    }
    __syncwarp();  // the previous vectors have been read
#pragma unroll
    for (int i = 0; i < 8; ++i)
      *reinterpret_cast<uint4*>(own + (4 * i + lane / 8) * group_words + lane % 8 * 4) = loaded[i];
    __syncwarp();  // all vectors have been written
    const int y = first_row + (lane >> row_groups_log), group = first_group + (lane & (row_groups - 1));
    if (32 * group + 32 > whole) keep_cells(own + lane * group_words, 32 * group, stride, width);
    word cells[32];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const uint4 four = *reinterpret_cast<const uint4*>(own + lane * group_words + 4 * i);
      cells[4 * i] = four.x, cells[4 * i + 1] = four.y, cells[4 * i + 2] = four.z, cells[4 * i + 3] = four.w;
    }
    transpose(cells);
    LazySum products;
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      if (aligned) {
        products.add(raster.here[i], cells[i]);
      } else {
        products.add(raster.here[i], cells[i] << raster.shift[i]);
        products.add(raster.next[i], __funnelshift_l(cells[i], 0, raster.shift[i]));
      }
    }
    if (y < height && group < groups)
      all = modular(all + times(times(products.reduced(), weights.rows[y]), weights.columns[group]));
  }
  add_of_block(all, sum);
}

// Number of blocks for tasks that warps process in a grid-stride loop
unsigned blocks_for(std::int64_t tasks) {
  constexpr std::int64_t max_blocks = 2048;
  const std::int64_t blocks = (tasks + block_warps - 1) / block_warps;
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks < max_blocks ? blocks : max_blocks);
}

}  // namespace

void hash(const PackedRows& packed, int x0_in_raster, const HashWeights& weights, HashSum* sum,
          cudaStream_t stream) {
  const std::int64_t tasks =
      (packed.rows + rows_a_task - 1) / rows_a_task * ((packed.words_per_row + 2 + 31) / 32);
  hash_rows<<<blocks_for(tasks), block_threads, 0, stream>>>(packed, x0_in_raster, weights, sum);
}

StridedRaster strided_raster(int x0_in_raster, std::int64_t stride) {
  StridedRaster raster{};
  raster.aligned = true;
  for (int i = 0; i < 32; ++i) {
    const std::int64_t column = x0_in_raster + i * stride;
    raster.shift[i] = static_cast<word>(column % 32);
    raster.here[i] = in_parts(hash_power(hash_column_base, column / 32));
    raster.next[i] = in_parts(hash_power(hash_column_base, column / 32 + 1));
    if (raster.shift[i] != 0) raster.aligned = false;
  }
  return raster;
}

void hash(const DeviceField& field, const StridedRaster& raster, const HashWeights& weights, HashSum* sum,
          cudaStream_t stream) {
  const std::int64_t groups = ((field.width + 31) / 32 + 31) / 32;
  int row_groups_log = 0;
  while (row_groups_log < 5 && (std::int64_t{1} << row_groups_log) < groups) ++row_groups_log;
  const std::int64_t tasks = field.height * groups / 32 + 1;  // approximately
  const auto kernel = raster.aligned ? hash_strided<true> : hash_strided<false>;
  kernel<<<blocks_for(tasks), block_threads, 0, stream>>>(field, raster, weights, row_groups_log, sum);
}

}  // namespace moorea::cuda
