// SPDX-License-Identifier: MIT
// Halos of cells in a GPU's memory.
#include "devices/cuda/cells.cuh"

namespace moorea::cuda {
namespace {

using kernels::Layout;

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

}  // namespace moorea::cuda
