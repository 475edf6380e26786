// SPDX-License-Identifier: MIT
// Neighbour tables in main memory, in the forms that kernels read.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/kernel.h"
#include "meshes/neighbours.h"

namespace moorea {

/// Form of a kernel's neighbour table, and the bits of its words.
struct TableForm {
  kernels::MeshTable table = kernels::MeshTable::none;
  int word_bits = 64;  ///< of MeshTable::words, 32 or 64

  friend bool operator==(const TableForm&, const TableForm&) = default;
};

/// Owns the arrays of kernels::MeshTables.
struct TableArrays {
  kernels::MeshTables tables() const;

  /// Bytes of the table and of the cells that a pass reads and writes, each once; cells are bits for
  /// MeshTable::words, otherwise bytes.
  double bytes_per_pass(TableForm form) const;

  std::int64_t faces = 0, pitch = 0, words = 0, exceptions = 0;
  int most_neighbours = 0, most_of_exceptions = 0;
  std::vector<std::uint32_t> begins, neighbours;
  std::vector<std::uint32_t> patterns, run_ends, first_exceptions, exception_faces, exception_neighbours;
  std::vector<std::uint64_t> regular;
  std::vector<std::int32_t> distances;
};

/// Returns the table of faces whose numbers are numbers[i]; without numbers, face i has the number i. For
/// MeshTable::edges, `neighbours` are those of edges_of() or edges_of_flat(). Throws Error (run) if a table
/// does not fit in memory.
TableArrays make_tables(const FaceNeighbours& neighbours, const std::vector<std::uint32_t>& numbers,
                        TableForm form);

}  // namespace moorea
