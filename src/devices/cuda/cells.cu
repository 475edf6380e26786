// SPDX-License-Identifier: MIT
#include "devices/cuda/cells.cuh"

namespace moorea::cuda {
namespace {

using kernels::Layout;
using patch = std::uint16_t;

// ---- halo

// Halo columns of bits: the words on both sides of a row and the bits after its last cell. One thread per
// word of 32 columns.
__global__ void halo_columns_of_bits(DeviceField field, bool torus) {
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
__global__ void halo_columns_of_cells(DeviceField field, bool torus, int depth) {
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
__global__ void halo_columns_of_strided(DeviceField field, bool torus, int depth) {
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
__global__ void halo_columns_of_even_strided(DeviceField field, bool torus, int depth) {
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
__global__ void halo_columns_of_patches(DeviceField field, bool torus) {
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

}  // namespace

void fill_halo(const DeviceField& field, bool torus, int depth, cudaStream_t stream) {
  if (field.layout == Layout::patches) {
    const std::int64_t columns = (field.width + 3) / 4, rows = (field.height + 3) / 4;
    const std::int64_t patches = 3 * (columns + 2) + 3 * (rows - 1);
    halo_columns_of_patches<<<blocks_for(patches), block_threads, 0, stream>>>(field, torus);
    return;
  }
  std::ptrdiff_t left;
  std::int64_t bytes;
  if (field.layout == Layout::bits) {
    const std::int64_t words = (field.width + 31) / 32, per_row = words - field.width / 32 + 5;
    halo_columns_of_bits<<<blocks_for(field.height * per_row), block_threads, 0, stream>>>(field, torus);
    left = 8;
    bytes = (words + 5) * 4;
  } else {
    const auto blocks = blocks_for(field.height * 2 * depth);
    const std::int64_t cell = field.layout == Layout::ints ? 4 : 1;
    if (cell == 4) {
      halo_columns_of_cells<word><<<blocks, block_threads, 0, stream>>>(field, torus, depth);
    } else {
      halo_columns_of_cells<std::uint8_t><<<blocks, block_threads, 0, stream>>>(field, torus, depth);
    }
    left = 64 * cell;
    bytes = (64 * cell + field.width * cell + 64 * cell + 3) / 4 * 4;
  }
  rows_beyond<<<blocks_for(2 * depth * (bytes / 4)), block_threads, 0, stream>>>(field, torus, depth, left,
                                                                                 bytes);
}

void fill_halo_columns(const DeviceField& field, bool torus, int depth, cudaStream_t stream) {
  const std::int64_t stride = (field.width + 31) / 32, ragged = stride * 32 - field.width;
  if (ragged == 0 && stride > depth) {
    halo_columns_of_even_strided<<<blocks_for(field.height * 2 * depth), block_threads, 0, stream>>>(
        field, torus, depth);
  } else {
    const std::int64_t per_row = 2 * depth + (ragged < stride ? ragged : stride);
    halo_columns_of_strided<<<blocks_for(field.height * per_row), block_threads, 0, stream>>>(field, torus,
                                                                                              depth);
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
  } else if (is_mesh(field)) {
    faces_from_packed(packed, field, stream);
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
  } else if (is_mesh(field)) {
    packed_from_faces(field, packed, stream);
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

}  // namespace moorea::cuda
