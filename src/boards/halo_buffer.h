// SPDX-License-Identifier: MIT
// Cells in a kernel's layout with room for its halo, and the filling of that halo: one function for each
// layout.
#pragma once

#include <cstddef>
#include <cstdint>

#include "boards/zeroed_buffer.h"
#include "kernels/kernel.h"
#include "moorea/topology.h"

namespace moorea {

/// View of cells with a halo around them, as kernels receive them.
struct Field {
  kernels::Layout layout = kernels::Layout::bits;
  std::byte* first = nullptr;  ///< the first cell of the first row
  std::ptrdiff_t pitch = 0;    ///< bytes from row to row
  std::int64_t width = 0;      ///< cells
  std::int64_t height = 0;

  std::byte* row(std::int64_t y) const { return first + y * pitch; }
  std::uint64_t* words(std::int64_t y) const { return reinterpret_cast<std::uint64_t*>(row(y)); }
};

/// Bytes of a row's halo before its first cell: one word is needed, a cache line keeps rows aligned.
constexpr std::ptrdiff_t field_left_margin = 64;

/// Bytes from row to row: the row, 64 bytes of halo on its left and at least one word on its right, aligned
/// to 64.
std::ptrdiff_t field_pitch(kernels::Layout layout, std::int64_t width);

/// Bytes of a field with `depth` rows of halo above and below.
double field_bytes(kernels::Layout layout, std::int64_t width, std::int64_t height, int depth);

/// Fills `depth` (1 to 64) rows above and below and `depth` cells left and right: dead cells on a plane, the
/// opposite edge on a torus of any size.
void fill_halo(const Field& field, Topology topology, int depth);

/// Memory for a field, all dead; pages cost nothing until they are written.
class FieldBuffer {
 public:
  /// Throws Error (memory) with the figure when memory is short.
  FieldBuffer(kernels::Layout layout, std::int64_t width, std::int64_t height, int depth);
  const Field& field() const { return field_; }

 private:
  Zeroed memory_;
  Field field_;
};

}  // namespace moorea
