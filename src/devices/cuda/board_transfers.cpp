// SPDX-License-Identifier: MIT
// Cells that pass between a CudaBoard and the host: packed rows through the staging buffers, or whole rows
// from and to page-locked memory without them, which the GPU transfers alone, while the CPU and other boards
// work.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "boards/packed_rows.h"
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

void CudaBoard::begin_load() {
  use();
  forget();
  handover_.start(Handover::Mode::quiet);
}

void CudaBoard::load(const Grid& cells, Position at) {
  begin_load();
  for (std::int64_t digit = 0; digit < shape_.digits; ++digit)
    load_digit(digit, digit == 0 ? &cells : nullptr, at);
}

// Replaces a digit of all cells, by 0 if there are no cells. Pipelined: the host fills one stage while the
// other is copied.
void CudaBoard::load_digit(std::int64_t digit, const Grid* cells, Position at) {
  const DeviceField to = field(current_, digit);
  std::size_t turn = 0;
  for (std::int64_t top = 0; top < world_.height; top += rows_at_once_, turn = 1 - turn) {
    const Stage& stage = stages_[turn];
    const PackedRows rows = rows_at(top, world_.height, stage);
    stage.done.wait();
    if (cells != nullptr && top + rows.rows > at.y && top < at.y + cells->height()) {
      pack_rows(*cells, at.x, at.y, world_.width, top, rows.rows, stage.host.words());
      MOOREA_CUDA(cudaMemcpyAsync(rows.words, stage.host.words(), row_bytes(rows.rows),
                                  cudaMemcpyHostToDevice, stream_));
    } else {
      MOOREA_CUDA(cudaMemsetAsync(rows.words, 0, row_bytes(rows.rows), stream_));
    }
    from_packed(rows, to, stream_);
    MOOREA_CUDA(cudaGetLastError());
    MOOREA_CUDA(cudaEventRecord(stage.done, stream_));
  }
  stream_.wait();
  if (cells != nullptr) count_moved(std::min(cells->height(), world_.height), words_per_row_ / 2);
}

void CudaBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  const Box part = intersect({at.x, at.y, cells.width, cells.height}, world_.box());
  if (part.empty()) return;
  if (shape_.digits > 1) return write_live(cells, at, mode);
  use();
  rows_replaced(part.y, part.height);
  if (mode == PasteMode::replace && at.x == 0 && is_direct(cells)) return write_directly(cells, at.y, part);
  write_digit(0, cells, at, mode);
}

// Only the rectangle's words cross to the device; its rows are packed and unpacked there.
void CudaBoard::write_digit(std::int64_t digit, const ConstGridView& cells, Position at, PasteMode mode) {
  const Box part = intersect({at.x, at.y, cells.width, cells.height}, world_.box());
  const std::int64_t first = part.x / 64, words = words_for(part.right()) - first;
  const Stage& pasting = stages_[1];
  for (std::int64_t y = part.y; y < part.bottom(); y += rows_at_once_) {
    const PackedRows rows = pack_digit(current_, digit, y, part.bottom(), stages_[0]);
    pasting.done.wait();
    for (std::int64_t row = 0; row < rows.rows; ++row) {
      for (std::int64_t j = 0; j < words; ++j) {
        pasting.host.words()[row * words + j] = cells_at(cells.words + (y + row - at.y) * cells.words_per_row,
                                                         words_for(cells.width), 64 * (first + j) - at.x);
      }
    }
    const PackedRows pasted = {pasting.device.as<std::uint32_t>(), 2 * words, y, rows.rows};
    MOOREA_CUDA(cudaMemcpyAsync(pasted.words, pasting.host.words(),
                                static_cast<std::size_t>(rows.rows * words) * 8, cudaMemcpyHostToDevice,
                                stream_));
    paste(rows, pasted, {part.x, part.right(), 2 * first, mode}, stream_);
    from_packed(rows, field(current_, digit), stream_);
    MOOREA_CUDA(cudaGetLastError());
    MOOREA_CUDA(cudaEventRecord(pasting.done, stream_));
  }
  stream_.wait();
  count_moved(part.height, words);
}

// Copies the cells of rows that pack(y, end, stage) packs. Pipelined: the host empties one stage while the
// other is copied.
template <class Pack>
void CudaBoard::read_packed(const Pack& pack, const Box& box, const GridView& to) const {
  clear_rows_outside(world_.box(), box, to);
  const Box part = intersect(box, world_.box());
  const auto unpack = [&](const PackedRows& rows, const Stage& stage) {
    stage.done.wait();
    unpack_rows(stage.host.words(), world_.width, rows.y, rows.rows, box, to);
  };
  PackedRows before;
  std::size_t turn = 0;
  for (std::int64_t y = part.y; y < part.bottom(); y += rows_at_once_, turn = 1 - turn) {
    const Stage& stage = stages_[turn];
    const PackedRows rows = pack(y, part.bottom(), stage);
    MOOREA_CUDA(cudaMemcpyAsync(stage.host.words(), rows.words, row_bytes(rows.rows), cudaMemcpyDeviceToHost,
                                stream_));
    MOOREA_CUDA(cudaEventRecord(stage.done, stream_));
    if (before.rows > 0) unpack(before, stages_[1 - turn]);
    before = rows;
  }
  if (before.rows > 0) unpack(before, stages_[1 - turn]);
  count_moved(part.height, words_per_row_ / 2);
}

void CudaBoard::read(const Box& box, const GridView& to) const {
  use();
  if (shape_.digits == 1 && box.x == 0 && is_direct(to)) {
    clear_rows_outside(world_.box(), box, to);
    return read_directly(intersect(box, world_.box()), box.y, to);
  }
  read_packed(
      [&](std::int64_t y, std::int64_t end, const Stage& stage) { return pack(current_, y, end, stage); },
      box, to);
}

void CudaBoard::load_states(const Cells& cells, Position at) {
  begin_load();
  for (std::int64_t digit = 0; digit < shape_.digits; ++digit)
    load_digit(digit, digit < cells.planes() ? &cells.plane(static_cast<int>(digit)) : nullptr, at);
}

void CudaBoard::write_states(const Cells& cells, Position at) {
  const Box part = intersect({at.x, at.y, cells.width(), cells.height()}, world_.box());
  if (part.empty()) return;
  use();
  rows_replaced(part.y, part.height);
  const Grid none(cells.width(), cells.height());  // digits that only larger states have
  for (std::int64_t digit = 0; digit < shape_.digits; ++digit) {
    const bool has_digit = digit < cells.planes();
    write_digit(digit, (has_digit ? cells.plane(static_cast<int>(digit)) : none).view(), at,
                PasteMode::replace);
  }
}

Cells CudaBoard::states(const Box& box) const {
  use();
  Cells cells(box.width, box.height, world_.rule.states());
  for (std::int64_t digit = 0; digit < shape_.digits; ++digit)
    read_packed([&](std::int64_t y, std::int64_t end,
                    const Stage& stage) { return pack_digit(current_, digit, y, end, stage); },
                box, cells.plane(static_cast<int>(digit)).view());
  return cells;
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
    throw Error(fmt::format("the system refused {} of page-locked memory ({})",
                            human_bytes(static_cast<double>(bytes)), cudaGetErrorName(result)),
                ErrorKind::memory);
  }
  std::memset(memory, 0, bytes);
  return {static_cast<std::uint64_t*>(memory), [](std::uint64_t* first) { cudaFreeHost(first); }};
}

}  // namespace moorea
