// SPDX-License-Identifier: MIT
#include "devices/cuda/cells.h"

namespace moorea::cuda {
namespace {

using kernels::Layout;
using word = std::uint32_t;
using patch = std::uint16_t;

constexpr int block_threads = 256;
constexpr unsigned all_lanes = 0xFFFFFFFF;

unsigned blocks_for(std::int64_t threads) {
  const std::int64_t blocks = (threads + block_threads - 1) / block_threads;
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks);
}

__device__ std::int64_t global_thread() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::int64_t modulo(std::int64_t a, std::int64_t n) { return (a % n + n) % n; }

// Returns 32 cells from column x on, of a row of packed words; columns outside are dead.
__device__ word cells_at(const word* row, std::int64_t words, std::int64_t x) {
  const std::int64_t at = x >> 5;
  const word low = at >= 0 && at < words ? row[at] : 0,
             high = at + 1 >= 0 && at + 1 < words ? row[at + 1] : 0;
  return __funnelshift_r(low, high, static_cast<unsigned>(x & 31));
}

__device__ word tail_mask(std::int64_t width, std::int64_t word_index) {
  const std::int64_t left = width - 32 * word_index;
  return left >= 32 ? ~word{0} : left <= 0 ? 0 : (word{1} << left) - 1;
}

// ---- halo

// Halo columns of bits: the words on both sides of a row and the bits after its last cell. One thread per
// word of 32 columns.
__global__ void sides_of_bits(DeviceField field, bool torus) {
  const std::int64_t words = (field.width + 31) / 32,
                     first_new = field.width / 32;  // first word with bits that are not cells
  constexpr std::int64_t margin = 2;                // words on either side
  const std::int64_t per_row = margin + (words - first_new) + margin + 1;
  const std::int64_t thread = global_thread();
  const std::int64_t y = thread / per_row, k = thread % per_row;
  if (y >= field.height) return;
  word* row = reinterpret_cast<word*>(field.first + y * field.pitch);
  const std::int64_t at = k < margin ? k - margin : first_new + k - margin;
  word cells = at >= 0 && at < words ? row[at] & tail_mask(field.width, at) : 0;
  if (torus) {
    for (int i = 0; i < 32; ++i) {
      const std::int64_t column = 32 * at + i;
      if (column >= 0 && column < field.width) continue;
      const std::int64_t from = modulo(column, field.width);
      cells |= (row[from >> 5] >> (from & 31) & 1) << i;
    }
  }
  // Concurrent readers of a word that also holds cells see these unchanged
  row[at] = cells;
}

// A cell is a byte or an integer.
template <class Cell>
__global__ void sides_of_cells(DeviceField field, bool torus, int depth) {
  const std::int64_t thread = global_thread();
  const std::int64_t y = thread / (2 * depth), k = thread % (2 * depth);
  if (y >= field.height) return;
  Cell* row = reinterpret_cast<Cell*>(field.first + y * field.pitch);
  const std::int64_t column = k < depth ? k - depth : field.width + k - depth;
  row[column] = torus ? row[modulo(column, field.width)] : Cell{0};
}

// Rows beyond the upper and lower edge, including their halo columns: `left` bytes before a row, `bytes` in
// total.
__global__ void rows_beyond(DeviceField field, bool torus, int depth, std::ptrdiff_t left,
                            std::int64_t bytes) {
  const std::int64_t per_row = bytes / 4, thread = global_thread();
  const std::int64_t k = thread / per_row, at = thread % per_row;
  if (k >= 2 * depth) return;
  const std::int64_t y = k < depth ? -1 - k : field.height + k - depth;
  word* to = reinterpret_cast<word*>(field.first + y * field.pitch - left);
  const word* from =
      reinterpret_cast<const word*>(field.first + modulo(y, field.height) * field.pitch - left);
  to[at] = torus ? from[at] : 0;
}

// Returns the cell of a strided row in a column of the world.
__device__ word strided_cell(const word* row, std::int64_t stride, std::int64_t column) {
  return row[column % stride] >> (column / stride) & 1;
}

// Halo columns of the strided layout; one thread per vector that holds a column beyond the edges.
__global__ void sides_of_strided(DeviceField field, bool torus, int depth) {
  const std::int64_t stride = (field.width + 31) / 32;
  const std::int64_t ragged = stride * 32 - field.width;  // columns after the last cell in vectors with cells
  const std::int64_t inside = ragged < stride ? ragged : stride;
  const std::int64_t per_row = 2 * depth + inside, thread = global_thread();
  const std::int64_t y = thread / per_row, k = thread % per_row;
  if (y >= field.height) return;
  word* row = reinterpret_cast<word*>(field.first + y * field.pitch);
  const std::int64_t at = k < depth ? k - depth : stride - inside + (k - depth);
  word cells = 0;
  for (int i = 0; i < 32; ++i) {
    const std::int64_t column = at + i * stride;
    if (column >= 0 && column < field.width) {
      cells |= strided_cell(row, stride, column) << i;
    } else if (torus) {
      cells |= strided_cell(row, stride, modulo(column, field.width)) << i;
    }
  }
  row[at] = cells;
}

// Variant for vectors whose bits are all cells, and a stride larger than the depth of the halo.
__global__ void sides_of_even_strided(DeviceField field, bool torus, int depth) {
  const std::int64_t stride = field.width / 32, thread = global_thread();
  const std::int64_t y = thread / (2 * depth), k = thread % (2 * depth);
  if (y >= field.height) return;
  word* row = reinterpret_cast<word*>(field.first + y * field.pitch);
  if (k < depth) {
    const word cells = row[stride + k - depth];
    row[k - depth] = torus ? __funnelshift_l(cells, cells, 1) : cells << 1;
  } else {
    const word cells = row[k - depth];
    row[stride + k - depth] = torus ? __funnelshift_r(cells, cells, 1) : cells >> 1;
  }
}

// Patches around the world, and its own that extend beyond an edge, one thread each. The rows of patches
// above, last and below come first, then the left, last and right columns of the others.
__global__ void sides_of_patches(DeviceField field, bool torus) {
  const std::int64_t columns = (field.width + 3) / 4, rows = (field.height + 3) / 4;
  const std::int64_t across = columns + 2, in_rows = 3 * across, thread = global_thread();
  const auto edge = [](std::int64_t k, std::int64_t size) { return k == 0 ? -1 : size - 2 + k; };
  std::int64_t px, py;
  if (thread < in_rows) {
    px = thread % across - 1;
    py = edge(thread / across, rows);
  } else {
    px = edge((thread - in_rows) % 3, columns);
    py = (thread - in_rows) / 3;
    if (py >= rows - 1) return;
  }
  const auto patch_at = [&](std::int64_t x, std::int64_t y) {
    return reinterpret_cast<patch*>(field.first + y * field.pitch) + x;
  };
  const bool own = px >= 0 && px < columns && py >= 0 && py < rows;
  const unsigned before = own ? *patch_at(px, py) : 0;
  unsigned cells = 0;
  for (int i = 0; i < 16; ++i) {
    const std::int64_t x = 4 * px + i % 4, y = 4 * py + i / 4;
    if (x >= 0 && x < field.width && y >= 0 && y < field.height) {
      cells |= before & 1u << i;
    } else if (torus) {
      const std::int64_t from_x = modulo(x, field.width), from_y = modulo(y, field.height);
      const unsigned from = *patch_at(from_x / 4, from_y / 4);
      cells |= (from >> (4 * (from_y % 4) + from_x % 4) & 1u) << i;
    }
  }
  // Concurrent readers of a patch that also holds cells see these unchanged
  *patch_at(px, py) = static_cast<patch>(cells);
}

// ---- conversion to and from packed rows

__global__ void bits_from_packed(PackedRows packed, DeviceField field) {
  const std::int64_t thread = global_thread(), y = thread / packed.words_per_row,
                     j = thread % packed.words_per_row;
  if (y >= packed.rows) return;
  reinterpret_cast<word*>(field.first + (packed.y + y) * field.pitch)[j] = packed.words[thread];
}

__global__ void packed_from_bits(DeviceField field, PackedRows packed) {
  const std::int64_t thread = global_thread(), y = thread / packed.words_per_row,
                     j = thread % packed.words_per_row;
  if (y >= packed.rows) return;
  const word* row = reinterpret_cast<const word*>(field.first + (packed.y + y) * field.pitch);
  const word mask = tail_mask(field.width, j);
  packed.words[thread] = mask == 0 ? 0 : row[j] & mask;
}

template <class Cell>
__global__ void cells_from_packed(PackedRows packed, DeviceField field) {
  const std::int64_t columns = packed.words_per_row * 32, thread = global_thread();
  const std::int64_t y = thread / columns, x = thread % columns;
  if (y >= packed.rows || x >= field.width) return;
  reinterpret_cast<Cell*>(field.first + (packed.y + y) * field.pitch)[x] =
      static_cast<Cell>(packed.words[y * packed.words_per_row + x / 32] >> (x % 32) & 1);
}

// One warp per word; the columns of a row are a multiple of 32.
template <class Cell>
__global__ void packed_from_cells(DeviceField field, PackedRows packed) {
  const std::int64_t columns = packed.words_per_row * 32, thread = global_thread();
  const std::int64_t y = thread / columns, x = thread % columns;
  if (y >= packed.rows) return;
  const bool alive = x < field.width &&
                     reinterpret_cast<const Cell*>(field.first + (packed.y + y) * field.pitch)[x] != Cell{0};
  const word cells = __ballot_sync(all_lanes, alive);
  if (x % 32 == 0) packed.words[y * packed.words_per_row + x / 32] = cells;
}

// Transposes 32 x 32 bits: bit k of lane i becomes bit i of lane k.
__device__ word transposed(word cells) {
  const unsigned lane = threadIdx.x % 32;
  word low = 0xFFFF;
  for (unsigned half = 16; half > 0; half /= 2, low ^= low << half) {
    const word others = __shfl_xor_sync(all_lanes, cells, half);
    cells = (lane & half) == 0 ? (cells & low) | (others & low) << half
                               : (cells & ~low) | (others & ~low) >> half;
  }
  return cells;
}

// One warp per 32 adjacent vectors: lane i reads the 32 columns that are their bits i.
__global__ void strided_from_packed(PackedRows packed, DeviceField field) {
  const std::int64_t stride = (field.width + 31) / 32, groups = (stride + 31) / 32;
  const std::int64_t warp = global_thread() / 32, y = warp / groups, j = warp % groups * 32;
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (y >= packed.rows) return;
  const word vector =
      transposed(cells_at(packed.words + y * packed.words_per_row, packed.words_per_row, j + lane * stride));
  if (j + lane < stride)
    reinterpret_cast<word*>(field.first + (packed.y + y) * field.pitch)[j + lane] = vector;
}

// Inverse for vectors j to j + 31 of a row: lane i receives the columns from j + i * stride on. All lanes of
// the warp must call it.
__device__ word columns_of_strided(const word* row, std::int64_t width, std::int64_t stride, std::int64_t j) {
  const std::int64_t lane = threadIdx.x % 32;
  const word cells = transposed(j + lane < stride ? row[j + lane] : 0);
  return cells & tail_mask(width - (j + lane * stride), 0);
}

// The packed words must be 0 before.
__global__ void packed_from_strided(DeviceField field, PackedRows packed) {
  const std::int64_t stride = (field.width + 31) / 32, groups = (stride + 31) / 32;
  const std::int64_t warp = global_thread() / 32, y = warp / groups, j = warp % groups * 32;
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (y >= packed.rows) return;
  const word cells = columns_of_strided(
      reinterpret_cast<const word*>(field.first + (packed.y + y) * field.pitch), field.width, stride, j);
  const std::int64_t column = j + lane * stride;
  if (cells == 0) return;
  word* at = packed.words + y * packed.words_per_row + column / 32;
  const int shift = static_cast<int>(column % 32);
  if (cells << shift) atomicOr(at, cells << shift);
  if (shift != 0 && cells >> (32 - shift)) atomicOr(at + 1, cells >> (32 - shift));
}

// One thread per patch; its rows that are not among the packed ones keep their cells.
__global__ void patches_from_packed(PackedRows packed, DeviceField field) {
  const std::int64_t columns = (field.width + 3) / 4, thread = global_thread();
  const std::int64_t px = thread % columns, py = packed.y / 4 + thread / columns;
  if (4 * py >= packed.y + packed.rows) return;
  patch* at = reinterpret_cast<patch*>(field.first + py * field.pitch) + px;
  unsigned cells = *at;
  for (int i = 0; i < 4; ++i) {
    const std::int64_t y = 4 * py + i - packed.y;
    if (y < 0 || y >= packed.rows) continue;
    const unsigned four = packed.words[y * packed.words_per_row + px / 8] >> (4 * (px % 8)) & 0xFu;
    cells = (cells & ~(0xFu << (4 * i))) | four << (4 * i);
  }
  *at = static_cast<patch>(cells);
}

__global__ void packed_from_patches(DeviceField field, PackedRows packed) {
  const std::int64_t thread = global_thread(), j = thread % packed.words_per_row;
  if (thread / packed.words_per_row >= packed.rows) return;
  const std::int64_t y = packed.y + thread / packed.words_per_row, columns = (field.width + 3) / 4;
  const auto* row = reinterpret_cast<const patch*>(field.first + y / 4 * field.pitch);
  word cells = 0;
  for (int i = 0; i < 8 && 8 * j + i < columns; ++i)
    cells |= (row[8 * j + i] >> (4 * (y % 4)) & word{0xF}) << (4 * i);
  packed.words[thread] = cells & tail_mask(field.width, j);
}

// Combines packed rows with others, whose word 0 is word `first` of the rows, in the columns left to right
// - 1.
__global__ void paste_words(PackedRows packed, PackedRows pasted, std::int64_t left, std::int64_t right,
                            std::int64_t first, PasteMode mode) {
  const std::int64_t thread = global_thread(), y = thread / pasted.words_per_row,
                     j = thread % pasted.words_per_row;
  if (y >= pasted.rows || first + j >= packed.words_per_row) return;
  const word mask = tail_mask(right, first + j) & ~tail_mask(left, first + j);
  const word added = pasted.words[thread] & mask;
  word& at = packed.words[y * packed.words_per_row + first + j];
  switch (mode) {
    case PasteMode::replace:
      at = (at & ~mask) | added;
      break;
    case PasteMode::bitwise_or:
      at |= added;
      break;
    case PasteMode::bitwise_xor:
      at ^= added;
      break;
    case PasteMode::bitwise_and_not:
      at &= ~added;
      break;
  }
}

// ---- queries

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

void fill_halo(const DeviceField& field, bool torus, int depth, cudaStream_t stream) {
  if (field.layout == Layout::patches) {
    const std::int64_t columns = (field.width + 3) / 4, rows = (field.height + 3) / 4;
    const std::int64_t patches = 3 * (columns + 2) + 3 * (rows - 1);
    sides_of_patches<<<blocks_for(patches), block_threads, 0, stream>>>(field, torus);
    return;
  }
  std::ptrdiff_t left;
  std::int64_t bytes;
  if (field.layout == Layout::bits) {
    const std::int64_t words = (field.width + 31) / 32, per_row = words - field.width / 32 + 5;
    sides_of_bits<<<blocks_for(field.height * per_row), block_threads, 0, stream>>>(field, torus);
    left = 8;
    bytes = (words + 5) * 4;
  } else {
    const auto blocks = blocks_for(field.height * 2 * depth);
    const std::int64_t cell = field.layout == Layout::ints ? 4 : 1;
    if (cell == 4) {
      sides_of_cells<word><<<blocks, block_threads, 0, stream>>>(field, torus, depth);
    } else {
      sides_of_cells<std::uint8_t><<<blocks, block_threads, 0, stream>>>(field, torus, depth);
    }
    left = 64 * cell;
    bytes = (64 * cell + field.width * cell + 64 * cell + 3) / 4 * 4;
  }
  rows_beyond<<<blocks_for(2 * depth * (bytes / 4)), block_threads, 0, stream>>>(field, torus, depth, left,
                                                                                 bytes);
}

void fill_sides(const DeviceField& field, bool torus, int depth, cudaStream_t stream) {
  const std::int64_t stride = (field.width + 31) / 32, ragged = stride * 32 - field.width;
  if (ragged == 0 && stride > depth) {
    sides_of_even_strided<<<blocks_for(field.height * 2 * depth), block_threads, 0, stream>>>(field, torus,
                                                                                              depth);
  } else {
    const std::int64_t per_row = 2 * depth + (ragged < stride ? ragged : stride);
    sides_of_strided<<<blocks_for(field.height * per_row), block_threads, 0, stream>>>(field, torus, depth);
  }
}

void from_packed(const PackedRows& packed, const DeviceField& field, cudaStream_t stream) {
  const std::int64_t words = packed.rows * packed.words_per_row;
  if (field.layout == Layout::bits) {
    bits_from_packed<<<blocks_for(words), block_threads, 0, stream>>>(packed, field);
  } else if (field.layout == Layout::bytes) {
    cells_from_packed<std::uint8_t><<<blocks_for(words * 32), block_threads, 0, stream>>>(packed, field);
  } else if (field.layout == Layout::ints) {
    cells_from_packed<word><<<blocks_for(words * 32), block_threads, 0, stream>>>(packed, field);
  } else if (field.layout == Layout::patches) {
    const std::int64_t rows = (packed.y + packed.rows - 1) / 4 - packed.y / 4 + 1;
    const std::int64_t patches = (field.width + 3) / 4 * rows;
    patches_from_packed<<<blocks_for(patches), block_threads, 0, stream>>>(packed, field);
  } else {
    const std::int64_t groups = ((field.width + 31) / 32 + 31) / 32;
    strided_from_packed<<<blocks_for(packed.rows * groups * 32), block_threads, 0, stream>>>(packed, field);
  }
}

void to_packed(const DeviceField& field, const PackedRows& packed, cudaStream_t stream) {
  const std::int64_t words = packed.rows * packed.words_per_row;
  if (field.layout == Layout::bits) {
    packed_from_bits<<<blocks_for(words), block_threads, 0, stream>>>(field, packed);
  } else if (field.layout == Layout::bytes) {
    packed_from_cells<std::uint8_t><<<blocks_for(words * 32), block_threads, 0, stream>>>(field, packed);
  } else if (field.layout == Layout::ints) {
    packed_from_cells<word><<<blocks_for(words * 32), block_threads, 0, stream>>>(field, packed);
  } else if (field.layout == Layout::patches) {
    packed_from_patches<<<blocks_for(words), block_threads, 0, stream>>>(field, packed);
  } else {
    cudaMemsetAsync(packed.words, 0, static_cast<std::size_t>(words) * 4, stream);
    const std::int64_t groups = ((field.width + 31) / 32 + 31) / 32;
    packed_from_strided<<<blocks_for(packed.rows * groups * 32), block_threads, 0, stream>>>(field, packed);
  }
}

void paste(const PackedRows& packed, const PackedRows& pasted, const Paste& paste, cudaStream_t stream) {
  paste_words<<<blocks_for(pasted.rows * pasted.words_per_row), block_threads, 0, stream>>>(
      packed, pasted, paste.left, paste.right, paste.first_word, paste.mode);
}

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
