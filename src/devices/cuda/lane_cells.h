// SPDX-License-Identifier: MIT
// Conversion of an ensemble's cells in a GPU's memory between arrays of 64 worlds, as the host has them, and
// the groups that the kernels advance.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace moorea::cuda {

using word = std::uint32_t;

#include "kernels/cuda/lanes_call.h"

/// Groups that have the worlds of an array.
std::int64_t groups_an_array(const LanesShape& shape);

std::int64_t group_words(const LanesShape& shape);

/// Enqueues the conversion of `count` arrays (bit i of word y * width + x is the cell of world i in column x
/// and row y) to the groups from `cells` on.
void pack_lanes(const LanesShape& shape, const std::uint64_t* arrays, std::int64_t count, word* cells,
                cudaStream_t stream);

/// Enqueues the conversion of groups to `count` arrays.
void unpack_lanes(const LanesShape& shape, const word* cells, std::int64_t count, std::uint64_t* arrays,
                  cudaStream_t stream);

/// Cells of worlds one after the other: bit i of word j of row y is column 64 * j + i; the bits beyond the
/// width are 0.
struct PackedWorlds {
  std::uint64_t* words = nullptr;
  std::int64_t words_per_row = 0;
};

/// Places of a group that receive worlds: those of `mask`, the worlds from number `first` on, in ascending
/// order.
struct FilledGroup {
  int group;
  word mask;
  int first;
};

/// Enqueues the replacement of the worlds in these groups' places.
void fill_lanes(const LanesShape& shape, const PackedWorlds& worlds, const FilledGroup* groups, int count,
                word* cells, cudaStream_t stream);

/// Enqueues the conversion of the worlds of `count` places.
void gather_lanes(const LanesShape& shape, const word* cells, const std::uint32_t* places, int count,
                  const PackedWorlds& worlds, cudaStream_t stream);

}  // namespace moorea::cuda
