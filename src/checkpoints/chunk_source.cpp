// SPDX-License-Identifier: MIT
#include "checkpoints/chunk_source.h"

#include <algorithm>
#include <memory>

#include "devices/cuda_rows.h"

namespace moorea {

ChunkSources chunks_of(const DeviceView& copy, std::int64_t first_row) {
  return [copy, first_row] {
    const std::shared_ptr<GpuRows> rows = make_gpu_rows(copy);
    return [rows, first_row](std::int64_t first, const GridView& to) { rows->read(first - first_row, to); };
  };
}

ChunkSources chunks_of(const Grid& copy, std::int64_t first_row) {
  return [&copy, first_row] {
    return [&copy, first_row](std::int64_t first, const GridView& to) {
      for (std::int64_t y = 0; y < to.height; ++y)
        std::copy_n(copy.row(first - first_row + y), copy.words_per_row(), to.row(y).data());
    };
  };
}

}  // namespace moorea
