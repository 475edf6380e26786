// SPDX-License-Identifier: MIT
// A CudaBoard as a part of a divided world: its stream is the queue. Rows pass between two GPUs through
// memory of the one that reads them, if the other can store to it, and through page-locked memory otherwise;
// the kernel that packs a row stores it there.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "devices/cuda.h"
#include "devices/cuda/board.h"
#include "devices/cuda/nccl.h"

namespace moorea::cuda {
namespace {

class StreamMark final : public QueueMark {
 public:
  void wait() const override { event_.wait(); }
  bool is_reached() const override { return event_.is_reached(); }
  double seconds_since(const QueueMark& earlier) const override {
    float milliseconds = 0;
    MOOREA_CUDA(cudaEventElapsedTime(&milliseconds, dynamic_cast<const StreamMark&>(earlier).event_, event_));
    return milliseconds * 1e-3;
  }
  cudaEvent_t event() const { return event_; }

 private:
  Event event_;
};

// Allows kernels on a GPU to store to memory of another one, if the machine can do that.
bool allow_stores(int from, int to) {
  int possible = 0;
  MOOREA_CUDA(cudaDeviceCanAccessPeer(&possible, from, to));
  if (possible == 0) return false;
  MOOREA_CUDA(cudaSetDevice(from));
  const cudaError_t result = cudaDeviceEnablePeerAccess(to, 0);
  if (result == cudaErrorPeerAccessAlreadyEnabled) {
    cudaGetLastError();  // by another library: clear the error, which is none here
    return true;
  }
  MOOREA_CUDA(result);
  return true;
}

// Whether kernels on a GPU can store to memory of another one. Asked once for a pair, because a second
// permission is an error.
bool reaches(int from, int to) {
  static std::mutex mutex;
  static std::map<std::pair<int, int>, bool> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find({from, to});
  if (found != known.end()) return found->second;
  return known[{from, to}] = allow_stores(from, to);
}

}  // namespace

// Under rules of two states and nine cells, a pass computes the rows on which the needed ones depend in the
// generations that are left. Beyond its rows it finds wrong cells, from where errors enter by a row per
// generation.
void CudaBoard::enqueue(std::uint64_t generations, RowRange needed) {
  use();
  const auto maximum = static_cast<std::uint64_t>(max_steps());
  while (generations > 0) {
    const auto steps = static_cast<int>(std::min(generations, maximum));
    Engine& engine = engine_for(steps);
    RowRange rows = all_rows();
    if (engine.kernel->layout == kernels::Layout::strided && world_.rule.has_nine_cells() &&
        engine.contract->activity == kernels::Activity::none) {
      const auto around = static_cast<std::int64_t>(
          std::min<std::uint64_t>(generations, static_cast<std::uint64_t>(world_.height)));
      rows = {std::max<std::int64_t>(0, needed.first - around), std::min(world_.height, needed.end + around)};
    }
    pass(engine, steps, rows);
    measure_activity(steps);
    generations -= static_cast<std::uint64_t>(steps);
  }
}

// Rows of a band that comes from main memory are copied as a whole, and converted by one kernel: each kernel
// waits until other boards' leave it a multiprocessor. Other rows are few, and the kernel reads and writes
// them where they are.
PackedRows CudaBoard::rows_in_transfer(std::int64_t y, std::int64_t rows, std::uint64_t* there) const {
  auto* words = reinterpret_cast<std::uint32_t*>(there);
  if (visiting_.data() != nullptr) words = visiting_.as<std::uint32_t>() + y * words_per_row_;
  return {words, words_per_row_, y, rows};
}

// Memory of this device for rows that are not packed where they go.
std::uint32_t* CudaBoard::leaving_rows(std::int64_t rows) {
  if (leaving_bytes_ < row_bytes(rows)) {
    finish();  // what it holds may still be on its way
    leaving_ = DeviceMemory(row_bytes(rows));
    leaving_bytes_ = row_bytes(rows);
  }
  return leaving_.as<std::uint32_t>();
}

void CudaBoard::read_rows(std::int64_t y, std::int64_t rows, std::uint64_t* to) {
  use();
  const std::int64_t words = rows * words_per_row_ / 2;  // of a digit
  for (std::int64_t digit = 0; digit < shape_.digits; ++digit, to += words) {
    const DeviceField from = field(current_, digit);
    PackedRows packed = rows_in_transfer(y, rows, to);
    const bool is_direct = visiting_.data() == nullptr && stores_whole_words(from);
    if (!is_direct && visiting_.data() == nullptr) packed.words = leaving_rows(rows);
    to_packed(from, packed, stream_);
    MOOREA_CUDA(cudaGetLastError());
    if (!is_direct)
      MOOREA_CUDA(cudaMemcpyAsync(to, packed.words, row_bytes(rows), cudaMemcpyDefault, stream_));
  }
  count_moved(rows * shape_.digits, words_per_row_ / 2);
}

void CudaBoard::write_rows(std::int64_t y, std::int64_t rows, const std::uint64_t* from) {
  use();
  rows_replaced(y, rows);
  const std::int64_t words = rows * words_per_row_ / 2;  // of a digit
  for (std::int64_t digit = 0; digit < shape_.digits; ++digit, from += words) {
    // The rows are only read
    const PackedRows packed = rows_in_transfer(y, rows, const_cast<std::uint64_t*>(from));
    if (visiting_.data() != nullptr)
      MOOREA_CUDA(cudaMemcpyAsync(packed.words, from, row_bytes(rows), cudaMemcpyDefault, stream_));
    from_packed(packed, field(current_, digit), stream_);
    MOOREA_CUDA(cudaGetLastError());
  }
  count_moved(rows * shape_.digits, words_per_row_ / 2);
}

std::unique_ptr<QueueMark> CudaBoard::make_mark() const {
  use();
  return std::make_unique<StreamMark>();
}

void CudaBoard::mark(QueueMark& mark) {
  use();
  MOOREA_CUDA(cudaEventRecord(dynamic_cast<StreamMark&>(mark).event(), stream_));
}

void CudaBoard::wait_for(const QueueMark& mark) {
  const auto* const own_kind = dynamic_cast<const StreamMark*>(&mark);
  if (own_kind == nullptr) return mark.wait();
  use();
  MOOREA_CUDA(cudaStreamWaitEvent(stream_, own_kind->event(), 0));
}

void CudaBoard::finish() {
  use();
  stream_.wait();
}

RowMemory CudaBoard::make_row_memory(std::size_t words, const BoardQueue* writer) {
  const auto* const gpu = dynamic_cast<const CudaBoard*>(writer);
  if (gpu == nullptr || (gpu->device_ != device_ && !reaches(gpu->device_, device_)))
    return {gpu_host_memory(device_, words), RowPath::page_locked};
  use();
  const auto memory = std::make_shared<DeviceMemory>(words * sizeof(std::uint64_t));
  return {{memory, memory->as<std::uint64_t>()},
          gpu->device_ == device_ ? RowPath::same_device : RowPath::peer};
}

std::optional<DeviceId> CudaBoard::link_device() const {
  if (nccl_missing() != nullptr) return std::nullopt;
  cudaDeviceProp properties = {};
  MOOREA_CUDA(cudaGetDeviceProperties(&properties, device_));
  DeviceId id;
  static_assert(sizeof id == sizeof properties.uuid);
  std::memcpy(id.data(), &properties.uuid, sizeof id);
  return id;
}

LinkId CudaBoard::make_link_id() const {
  use();
  return make_nccl_id();
}

std::unique_ptr<QueueLink> CudaBoard::make_link(const LinkId& id, RankLink& ranks) {
  use();
  return make_nccl_link(id, ranks, stream_);
}

}  // namespace moorea::cuda
