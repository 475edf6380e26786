// SPDX-License-Identifier: MIT
// Whole rows of a CudaBoard that are copied from and to page-locked memory without a staging buffer: the GPU
// transfers them alone, while the CPU and other boards work.
#include <fmt/core.h>

#include <cstring>

#include "devices/cuda/board.h"
#include "model/bits.h"
#include "model/memory.h"
#include "moorea/error.h"

namespace moorea::cuda {

// Whether a view has the rows of the world, whole words and one after the other, in page-locked memory.
bool CudaBoard::is_direct(const ConstGridView& cells) const {
  const bool is_whole = cells.width == world_.width && world_.width % 64 == 0 &&
                        cells.words_per_row == words_for(world_.width) && cells.height > 0;
  const auto is_page_locked = [](const std::uint64_t* word) {
    cudaPointerAttributes attributes = {};
    MOOREA_CUDA(cudaPointerGetAttributes(&attributes, word));
    return attributes.type == cudaMemoryTypeHost;
  };
  return is_whole && is_page_locked(cells.words) &&
         is_page_locked(cells.words + cells.height * cells.words_per_row - 1);
}

// Replaces the rows of `part`; the first row of `cells` is row y. The rows pass through the device buffers of
// the stages, which the stream uses in order.
void CudaBoard::write_directly(const ConstGridView& cells, std::int64_t y, const Box& part) {
  std::size_t turn = 0;
  for (std::int64_t top = part.y; top < part.bottom(); top += rows_at_once_, turn = 1 - turn) {
    const PackedRows rows = rows_at(top, part.bottom(), stages_[turn]);
    MOOREA_CUDA(cudaMemcpyAsync(rows.words, cells.words + (top - y) * cells.words_per_row,
                                row_bytes(rows.rows), cudaMemcpyHostToDevice, stream_));
    from_packed(rows, fields_[static_cast<std::size_t>(current_)], stream_);
    MOOREA_CUDA(cudaGetLastError());
  }
  stream_.wait();
  count_moved(part.height, words_per_row_ / 2);
}

// Copies the rows of `part`; the first row of `to` is row y.
void CudaBoard::read_directly(const Box& part, std::int64_t y, const GridView& to) const {
  std::size_t turn = 0;
  for (std::int64_t top = part.y; top < part.bottom(); top += rows_at_once_, turn = 1 - turn) {
    const PackedRows rows = pack(current_, top, part.bottom(), stages_[turn]);
    MOOREA_CUDA(cudaMemcpyAsync(to.words + (top - y) * to.words_per_row, rows.words, row_bytes(rows.rows),
                                cudaMemcpyDeviceToHost, stream_));
  }
  stream_.wait();
  count_moved(part.height, words_per_row_ / 2);
}

}  // namespace moorea::cuda

namespace moorea {

std::shared_ptr<std::uint64_t[]> gpu_host_memory(int device, std::size_t words) {
  MOOREA_CUDA(cudaSetDevice(device));
  const std::size_t bytes = words * sizeof(std::uint64_t);
  void* memory = nullptr;
  if (const cudaError_t result = cudaHostAlloc(&memory, bytes, cudaHostAllocPortable);
      result != cudaSuccess) {
    cudaGetLastError();  // clear the error, which is handled here
    throw Error(fmt::format("the system refused {} of page-locked memory for rows in transfer ({})",
                            human_bytes(static_cast<double>(bytes)), cudaGetErrorName(result)),
                ErrorKind::memory);
  }
  std::memset(memory, 0, bytes);
  return {static_cast<std::uint64_t*>(memory), [](std::uint64_t* first) { cudaFreeHost(first); }};
}

}  // namespace moorea
