// SPDX-License-Identifier: MIT
// Cells in a GPU's memory: filling of halos, conversion from and to packed rows, and queries. Every function
// enqueues its work into a stream and returns.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"
#include "moorea/grid.h"

namespace moorea::cuda {

/// HaloBuffer in a GPU's memory. In the strided layout a vector is 32 cells.
struct DeviceField {
  kernels::Layout layout = kernels::Layout::bits;
  std::byte* first = nullptr;  ///< first cell (word, vector, patch) of the first row
  std::ptrdiff_t pitch = 0;    ///< bytes from row to row; of patches for their layout
  std::int64_t width = 0, height = 0;
  const std::uint32_t* numbers = nullptr;  ///< of a mesh's faces, see MeshLayout; null: in order
};

/// Packed rows: bit i of word j is column 32 * j + i; the bits beyond the width are 0.
struct PackedRows {
  std::uint32_t* words = nullptr;
  std::int64_t words_per_row = 0;  ///< an even number
  std::int64_t y = 0, rows = 0;    ///< position of the rows in the world
};

/// Fills `depth` (1 to 64, 1 to 4 in patches) rows and columns beyond the edges: dead cells, or those of the
/// opposite edge.
void fill_halo(const DeviceField& field, bool torus, int depth, cudaStream_t stream);

/// Fills the halo columns of the strided layout: `depth` vectors on both sides of each row, and the bits of
/// its vectors that are not cells. Rows above and below are filled by the kernel itself.
void fill_halo_columns(const DeviceField& field, bool torus, int depth, cudaStream_t stream);

/// The faces of a mesh, which from_packed() and to_packed() convert by these functions.
inline bool is_mesh(const DeviceField& field) {
  return field.layout == kernels::Layout::faces || field.layout == kernels::Layout::face_bits;
}
void faces_from_packed(const PackedRows& packed, const DeviceField& field, cudaStream_t stream);
void packed_from_faces(const DeviceField& field, const PackedRows& packed, cudaStream_t stream);

void from_packed(const PackedRows& packed, const DeviceField& field, cudaStream_t stream);
void to_packed(const DeviceField& field, const PackedRows& packed, cudaStream_t stream);

/// Whether to_packed() writes each word once. Otherwise it combines words by atomic operations, which another
/// device's and the machine's memory may not support.
bool stores_whole_words(const DeviceField& field);

/// Columns left to right - 1 of a world that are pasted, by words from the world's 32-bit word `first_word`
/// on.
struct Paste {
  std::int64_t left = 0, right = 0;
  std::int64_t first_word = 0;
  PasteMode mode = PasteMode::replace;
};

/// Combines packed rows with the rows of `pasted`, as many, which hold words from paste.first_word on.
void paste(const PackedRows& packed, const PackedRows& pasted, const Paste& paste, cudaStream_t stream);

/// Adds the number of live cells to *population.
void count(const PackedRows& packed, unsigned long long* population, cudaStream_t stream);

/// Adds the number of live cells of a whole field in the bits or strided layout to *population, without
/// packing.
void count(const DeviceField& field, unsigned long long* population, cudaStream_t stream);
inline bool is_countable(const DeviceField& field) {
  return field.layout == kernels::Layout::strided || field.layout == kernels::Layout::bits;
}

/// Adds the number of cells that differ between a and b to *changed.
void count_changed(const PackedRows& a, const PackedRows& b, unsigned long long* changed,
                   cudaStream_t stream);
void count_changed(const DeviceField& a, const DeviceField& b, unsigned long long* changed,
                   cudaStream_t stream);

/// Adds the live cells of these rows to the number of each square of the raster, which is in coordinates of
/// the world.
void add_density(const PackedRows& packed, std::int64_t width, const Raster& raster, std::uint32_t* squares,
                 cudaStream_t stream);

/// Computes the level of each number: how many of the limits, ascending and at most 255, it reaches. All
/// arrays are in the device's memory; up to three numbers and levels beyond `number` are accessed.
void make_levels(const std::uint32_t* numbers, std::int64_t number, const std::uint32_t* limits,
                 int limit_count, std::uint8_t* levels, cudaStream_t stream);

/// Extends the first and last column and row by those of the live cells.
struct Bounds {
  long long left, right, top, bottom;
};
void extend(const PackedRows& packed, Bounds* bounds, cudaStream_t stream);

}  // namespace moorea::cuda
