// SPDX-License-Identifier: MIT
// Cells in a GPU's memory: their halo, their way to and from packed rows, and what is asked about them. Every
// function puts its work into a stream and returns.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"
#include "moorea/grid.h"

namespace moorea::cuda {

/// As Field, in a GPU's memory. In the strided layout a vector is 32 cells.
struct DeviceField {
  kernels::Layout layout = kernels::Layout::bits;
  std::byte* first = nullptr;  ///< the first cell (word, vector, patch) of the first row
  std::ptrdiff_t pitch = 0;    ///< bytes from row to row, of patches in their layout
  std::int64_t width = 0, height = 0;
};

/// Packed rows: bit i of word j is column 32 * j + i; the bits beyond the width are 0.
struct PackedRows {
  std::uint32_t* words = nullptr;
  std::int64_t words_per_row = 0;  ///< an even number
  std::int64_t y = 0, rows = 0;    ///< which rows of the world they are
};

/// Fills what lies `depth` (1 to 64, 1 to 4 in patches) rows and cells beyond the edges: dead cells, or the
/// opposite edge's.
void fill_halo(const DeviceField& field, bool torus, int depth, cudaStream_t stream);

/// The vectors on both sides of each row of the strided layout and the bits of its vectors that are no cells,
/// `depth` columns beyond the edges. Rows above and below are the kernel's own affair.
void fill_sides(const DeviceField& field, bool torus, int depth, cudaStream_t stream);

void from_packed(const PackedRows& packed, const DeviceField& field, cudaStream_t stream);
void to_packed(const DeviceField& field, const PackedRows& packed, cudaStream_t stream);

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

/// The same for a whole field in the bits or strided layout, which need not be packed for that.
void count(const DeviceField& field, unsigned long long* population, cudaStream_t stream);
inline bool is_countable(const DeviceField& field) {
  return field.layout == kernels::Layout::strided || field.layout == kernels::Layout::bits;
}

/// Adds the number of cells in which two are unlike to *changed.
void count_changed(const PackedRows& a, const PackedRows& b, unsigned long long* changed,
                   cudaStream_t stream);
void count_changed(const DeviceField& a, const DeviceField& b, unsigned long long* changed,
                   cudaStream_t stream);

/// Adds to each square's number its live cells that are in these rows, which lie in the raster's; that is in
/// the world's cells.
void add_density(const PackedRows& packed, std::int64_t width, const Raster& raster, std::uint32_t* squares,
                 cudaStream_t stream);

/// How many of some limits, in rising order and 255 at most, each of some numbers reaches. All of it lies in
/// the device's memory; there may be up to three numbers and levels more than `number`.
void make_levels(const std::uint32_t* numbers, std::int64_t number, const std::uint32_t* limits,
                 int limit_count, std::uint8_t* levels, cudaStream_t stream);

/// The live cells' first and last column and row, in this order; smaller or larger than what is there
/// already.
struct Bounds {
  long long left, right, top, bottom;
};
void extend(const PackedRows& packed, Bounds* bounds, cudaStream_t stream);

}  // namespace moorea::cuda
