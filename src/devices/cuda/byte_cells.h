// SPDX-License-Identifier: MIT
// Conversion between packed cells and bytes in a GPU's memory. Every function enqueues its work into a stream
// and returns.
#pragma once

#include <cuda_runtime_api.h>

#include "moorea/device_cells.h"

namespace moorea::cuda {

/// Writes the cells inside `box`, in the coordinates of the view, as bytes without gaps; cells outside the
/// view are dead. `bytes` has room for a multiple of 16 bytes.
void unpack_bytes(const DeviceView& view, const Box& box, std::uint8_t* bytes, cudaStream_t stream);

/// Packs bytes into rows of `words_per_row` 32-bit words, all of which are written.
void pack_bytes(const DeviceBytes& bytes, std::uint32_t* words, std::int64_t words_per_row,
                cudaStream_t stream);

}  // namespace moorea::cuda
