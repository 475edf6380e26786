// SPDX-License-Identifier: MIT
// Conversion of cells to and from packed rows, and pasting.
#include "devices/cuda/cells.cuh"

namespace moorea::cuda {
namespace {

using kernels::Layout;

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

// Rows of which each packed word has one bit of 32 adjacent vectors: then words are written by one thread
// each, whole, and next to each other, as another GPU's memory demands. A block converts 32 groups of 32
// vectors, also of different rows, and exchanges their words between its warps.
bool is_even(const DeviceField& field) { return field.width % (32 * 32) == 0; }

constexpr int block_groups = 32;

struct EvenGroup {
  std::int64_t y, number;  // of the packed rows, and in its row
  bool exists;
};

__device__ EvenGroup even_group(unsigned in_block, std::int64_t groups, std::int64_t rows) {
  const std::int64_t all = static_cast<std::int64_t>(blockIdx.x) * block_groups + in_block;
  return {all / groups, all % groups, all < groups * rows};
}

__global__ void packed_from_even_strided(DeviceField field, PackedRows packed) {
  __shared__ word exchanged[32][block_groups + 1];  // by bit and group
  const unsigned lane = threadIdx.x, warp = threadIdx.y;
  const std::int64_t groups = field.width / (32 * 32);
  if (const EvenGroup from = even_group(warp, groups, packed.rows); from.exists) {
    const word* row = reinterpret_cast<const word*>(field.first + (packed.y + from.y) * field.pitch);
    exchanged[lane][warp] = transposed(row[from.number * 32 + lane]);
  }
  __syncthreads();  // all groups of the block are there
  if (const EvenGroup to = even_group(lane, groups, packed.rows); to.exists)
    packed.words[to.y * packed.words_per_row + warp * groups + to.number] = exchanged[warp][lane];
}

__global__ void even_strided_from_packed(PackedRows packed, DeviceField field) {
  __shared__ word exchanged[32][block_groups + 1];
  const unsigned lane = threadIdx.x, warp = threadIdx.y;
  const std::int64_t groups = field.width / (32 * 32);
  if (const EvenGroup from = even_group(lane, groups, packed.rows); from.exists)
    exchanged[warp][lane] = packed.words[from.y * packed.words_per_row + warp * groups + from.number];
  __syncthreads();  // all words of the block's groups are there
  if (const EvenGroup to = even_group(warp, groups, packed.rows); to.exists) {
    word* row = reinterpret_cast<word*>(field.first + (packed.y + to.y) * field.pitch);
    row[to.number * 32 + lane] = transposed(exchanged[lane][warp]);
  }
}

unsigned even_blocks(const DeviceField& field, const PackedRows& packed) {
  const std::int64_t groups = packed.rows * (field.width / (32 * 32));
  return static_cast<unsigned>((groups + block_groups - 1) / block_groups);
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

}  // namespace

bool stores_whole_words(const DeviceField& field) {
  return field.layout != Layout::strided || is_even(field);
}

void from_packed(const PackedRows& packed, const DeviceField& field, cudaStream_t stream) {
  const std::int64_t words = packed.rows * packed.words_per_row;
  if (field.layout == Layout::bits) {
    bits_from_packed<<<blocks_for(words), block_threads, 0, stream>>>(packed, field);
  } else if (field.layout == Layout::bytes) {
    cells_from_packed<std::uint8_t><<<blocks_for(words * 32), block_threads, 0, stream>>>(packed, field);
  } else if (field.layout == Layout::ints) {
    cells_from_packed<word><<<blocks_for(words * 32), block_threads, 0, stream>>>(packed, field);
  } else if (is_mesh(field)) {
    faces_from_packed(packed, field, stream);
  } else if (field.layout == Layout::patches) {
    const std::int64_t rows = (packed.y + packed.rows - 1) / 4 - packed.y / 4 + 1;
    const std::int64_t patches = (field.width + 3) / 4 * rows;
    patches_from_packed<<<blocks_for(patches), block_threads, 0, stream>>>(packed, field);
  } else if (is_even(field)) {
    even_strided_from_packed<<<even_blocks(field, packed), dim3(32, block_groups), 0, stream>>>(packed,
                                                                                                field);
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
  } else if (is_mesh(field)) {
    packed_from_faces(field, packed, stream);
  } else if (field.layout == Layout::patches) {
    packed_from_patches<<<blocks_for(words), block_threads, 0, stream>>>(field, packed);
  } else if (is_even(field)) {
    packed_from_even_strided<<<even_blocks(field, packed), dim3(32, block_groups), 0, stream>>>(field,
                                                                                                packed);
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

}  // namespace moorea::cuda
