// SPDX-License-Identifier: MIT
// State hash of cells in a GPU's memory. Every function enqueues its work into a stream and returns.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "devices/cuda/cells.h"

namespace moorea::cuda {

/// A hash as the sums of the lower 32 and of the upper bits of numbers below 2^61 - 1.
struct HashSum {
  unsigned long long low, high;
};

/// Weights of cells: powers of the column base for the 32-column raster from x0 rounded down to 64 on, three
/// more than a row has words, and powers of the row base for all rows of the world.
struct HashWeights {
  const std::uint64_t* columns;
  const std::uint64_t* rows;
};

/// Adds to *sum the hash of the rows, whose column 0 is column x0_in_raster of the raster.
void hash(const PackedRows& packed, int x0_in_raster, const HashWeights& weights, HashSum* sum,
          cudaStream_t stream);

/// A number below 2^61 in three parts.
struct HashFactor {
  std::uint32_t low, middle, high;
};

/// Positions of the 32 columns of a strided vector in the raster. Bit i of vector 32 k + r is column 32 (k +
/// word) + shift[i] + r of it; the power of the column base for that word is here[i], for the next one
/// next[i].
struct StridedRaster {
  std::uint32_t shift[32];
  HashFactor here[32], next[32];
  bool aligned;  ///< all shifts are 0
};
StridedRaster strided_raster(int x0_in_raster, std::int64_t stride);

/// Adds to *sum the hash of a whole field in the strided layout.
void hash(const DeviceField& field, const StridedRaster& raster, const HashWeights& weights, HashSum* sum,
          cudaStream_t stream);

}  // namespace moorea::cuda
