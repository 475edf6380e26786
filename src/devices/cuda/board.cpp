// SPDX-License-Identifier: MIT
#include "devices/cuda/board.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "boards/packed_rows.h"
#include "devices/cuda.h"
#include "model/bits.h"
#include "model/hash.h"
#include "moorea/error.h"

namespace moorea::cuda {
namespace {

using kernels::Layout;

constexpr std::size_t staging_bytes = 16 << 20;  // of each of two staging buffers
constexpr std::ptrdiff_t alignment = 128;        // of rows: the width of a warp's access
constexpr double table_bytes = 4 * (8 + 1);      // of a face with eight neighbours, and its number
constexpr std::uint64_t look_interval = 4096;    // generations between two checks whether any cell is alive

const kernels::CudaContract& contract_of(const kernels::Kernel& kernel) {
  return std::get<kernels::CudaContract>(kernel.contract);
}

std::int64_t packed_words(std::int64_t width) { return 2 * words_for(width); }

std::ptrdiff_t aligned(std::ptrdiff_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

CudaBoard::Pinned::Pinned(std::size_t bytes) {
  void* memory = nullptr;
  MOOREA_CUDA(cudaMallocHost(&memory, bytes));
  words_ = static_cast<std::uint64_t*>(memory);
}
CudaBoard::Pinned::~Pinned() { cudaFreeHost(words_); }

CudaBoard::Stage::Stage(std::size_t bytes) : device(bytes), host(bytes) {}

std::size_t CudaBoard::row_bytes(std::int64_t rows) const {
  return static_cast<std::size_t>(4 * words_per_row_ * rows);
}

CudaBoard::Shape CudaBoard::shape_of(const kernels::Kernel& kernel, Size size) {
  const auto [width, height] = size;
  Shape shape;
  if (contract_of(kernel).mesh != kernels::MeshTable::none) {
    // All faces in one row, with a margin on both sides
    const std::ptrdiff_t cells = width * height, row = kernel.layout == Layout::faces ? cells : cells / 8;
    shape.left = alignment;
    shape.pitch = aligned(shape.left + row + alignment);
    shape.rows = 1;
    shape.bytes = static_cast<std::size_t>(shape.pitch);
    return shape;
  }
  shape.left = kernel.layout == Layout::ints ? 2 * alignment : alignment;
  std::int64_t row = (width + 128) * (kernel.layout == Layout::ints ? 4 : 1);
  if (kernel.layout == Layout::bits) row = packed_words(width) * 4 + 16;
  if (kernel.layout == Layout::strided) row = (width + 31) / 32 * 4 + alignment;
  if (kernel.layout == Layout::patches) row = ((width + 3) / 4 + 1) * 2;
  shape.pitch = aligned(shape.left + row);
  const bool reads_halo = kernel.layout != Layout::strided && !contract_of(kernel).wraps;
  shape.depth = reads_halo ? kernel.max_steps : 0;
  if (kernel.layout == Layout::patches) shape.depth = 1;
  shape.rows = (kernel.layout == Layout::patches ? (height + 3) / 4 : height) + 2 * shape.depth + 1;
  shape.bytes = static_cast<std::size_t>(shape.rows * shape.pitch);
  return shape;
}

double CudaBoard::bytes(const kernels::Kernel& kernel, Size size) {
  const Shape shape = shape_of(kernel, size);
  const auto scratch_bytes = contract_of(kernel).scratch_bytes;
  const std::int64_t scratch = scratch_bytes == nullptr ? 0 : scratch_bytes({size.width, size.height});
  const double faces = static_cast<double>(size.width) * static_cast<double>(size.height);
  const double table = contract_of(kernel).mesh != kernels::MeshTable::none ? table_bytes * faces : 0;
  return table + 2 * static_cast<double>(shape.rows) * static_cast<double>(shape.pitch) +
         2 * static_cast<double>(staging_bytes) + static_cast<double>(scratch);
}

CudaBoard::CudaBoard(const WorldSpec& world, int device, const GpuKernels& kernels,
                     const kernels::Launch& launch)
    : PartwiseBoard(world),
      device_((MOOREA_CUDA(cudaSetDevice(device)), device)),
      engine_(kernels.busy, launch),
      quiet_(kernels.quiet ? Engine(*kernels.quiet, launch) : Engine()),
      counting_(kernels.counting ? Engine(*kernels.counting, launch) : Engine()),
      handover_(handover_times),
      rule_(mask_of(world.rule)),
      stream_(kernels.urgent),
      words_per_row_(packed_words(world.width)),
      rows_at_once_(std::clamp<std::int64_t>(static_cast<std::int64_t>(staging_bytes) / (4 * words_per_row_),
                                             1, world.height)),
      stages_{Stage(row_bytes(rows_at_once_)), Stage(row_bytes(rows_at_once_))},
      answer_(sizeof(Bounds)) {
  lay_out_mesh(kernels.numbering);
  if (kernels.urgent) visiting_ = DeviceMemory(row_bytes(world.height));
  prepare(engine_);
  if (quiet_.kernel != nullptr) prepare(quiet_);
  const Shape shape = shape_of(*kernels.busy.kernel, world.box().size());
  for (std::size_t i = 0; i < 2; ++i) {
    buffers_[i] = DeviceMemory(shape.bytes);
    fields_[i] = {kernels.busy.kernel->layout,
                  buffers_[i].data() + shape.depth * shape.pitch + shape.left,
                  shape.pitch,
                  world.width,
                  world.height,
                  mesh_ ? mesh_->numbers() : nullptr};
  }
}

// The current device is a property of the calling thread, which may change between calls.
void CudaBoard::use() const { MOOREA_CUDA(cudaSetDevice(device_)); }

// Rows from y on that pass through a stage at once.
PackedRows CudaBoard::rows_at(std::int64_t y, std::int64_t end, const Stage& stage) const {
  return {stage.device.as<std::uint32_t>(), words_per_row_, y, std::min(rows_at_once_, end - y)};
}

PackedRows CudaBoard::pack(int buffer, std::int64_t y, std::int64_t end, const Stage& stage) const {
  const PackedRows rows = rows_at(y, end, stage);
  to_packed(fields_[static_cast<std::size_t>(buffer)], rows, stream_);
  MOOREA_CUDA(cudaGetLastError());
  return rows;
}

// Pipelined: the host fills one stage while the other is copied.
void CudaBoard::load(const Grid& cells, Position at) {
  use();
  forget();
  handover_.start(Handover::Mode::quiet);
  std::size_t turn = 0;
  for (std::int64_t top = 0; top < world_.height; top += rows_at_once_, turn = 1 - turn) {
    const Stage& stage = stages_[turn];
    const PackedRows rows = rows_at(top, world_.height, stage);
    stage.done.wait();
    if (top + rows.rows > at.y && top < at.y + cells.height()) {
      pack_rows(cells, at.x, at.y, world_.width, top, rows.rows, stage.host.words());
      MOOREA_CUDA(cudaMemcpyAsync(rows.words, stage.host.words(), row_bytes(rows.rows),
                                  cudaMemcpyHostToDevice, stream_));
    } else {
      MOOREA_CUDA(cudaMemsetAsync(rows.words, 0, row_bytes(rows.rows), stream_));
    }
    from_packed(rows, fields_[static_cast<std::size_t>(current_)], stream_);
    MOOREA_CUDA(cudaGetLastError());
    MOOREA_CUDA(cudaEventRecord(stage.done, stream_));
  }
  stream_.wait();
  count_moved(std::min(cells.height(), world_.height), words_per_row_ / 2);
}

// Only the rectangle's words cross to the device; its rows are packed and unpacked there.
void CudaBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  const Box part = intersect({at.x, at.y, cells.width, cells.height}, world_.box());
  if (part.empty()) return;
  use();
  rows_replaced(part.y, part.height);
  if (mode == PasteMode::replace && at.x == 0 && is_direct(cells)) return write_directly(cells, at.y, part);
  const std::int64_t first = part.x / 64, words = words_for(part.right()) - first;
  const Stage& pasting = stages_[1];
  for (std::int64_t y = part.y; y < part.bottom(); y += rows_at_once_) {
    const PackedRows rows = pack(current_, y, part.bottom(), stages_[0]);
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
    from_packed(rows, fields_[static_cast<std::size_t>(current_)], stream_);
    MOOREA_CUDA(cudaGetLastError());
    MOOREA_CUDA(cudaEventRecord(pasting.done, stream_));
  }
  stream_.wait();
  count_moved(part.height, words);
}

// Maximum number of generations per call.
int CudaBoard::max_steps() const {
  const bool several = world_.is_torus() || engine_.contract->plane_steps;
  return several ? std::max(engine_.kernel->max_steps, engine_.contract->longest_call) : 1;
}

// The rows are a world of their own: what lies beyond them is dead, or the rows at their other end.
kernels::Block CudaBoard::call(int steps, RowRange rows) const {
  const DeviceField& from = fields_[static_cast<std::size_t>(current_)];
  const DeviceField& to = fields_[static_cast<std::size_t>(1 - current_)];
  const std::ptrdiff_t before = rows.first * from.pitch;
  kernels::World world = kernel_world(world_);
  world.height = rows.end - rows.first;
  return {
      from.first + before, to.first + before, from.pitch, world_.width, world.height, steps, rule_, world};
}

// One pass; other engines' knowledge about the cells becomes invalid. Fewer than all rows are for kernels of
// the strided layout that keep no activity data.
void CudaBoard::pass(Engine& engine, int steps, RowRange rows) {
  const DeviceField& from = fields_[static_cast<std::size_t>(current_)];
  const kernels::Block block = call(steps, rows);
  const kernels::World& world = block.world;
  if (from.layout == Layout::strided) {
    const auto fills = engine.contract->fills_halo_columns;
    if (fills == nullptr || !fills(world, steps))
      fill_halo_columns(from, world.torus, engine.kernel->max_steps, stream_);
  } else if (!engine.contract->wraps && !engine.contract->fills_own_halo) {
    fill_halo(from, world.torus, steps, stream_);
  }
  engine.binding.launch(block, engine.launch);
  MOOREA_CUDA(cudaGetLastError());
  current_ = 1 - current_;
  for (Engine* each : {&engine_, &quiet_, &counting_}) each->launch.input_replaced = each != &engine;
}

void CudaBoard::advance(std::uint64_t generations) {
  use();
  const auto pass_steps = static_cast<std::uint64_t>(engine_.kernel->max_steps);
  const std::uint64_t interval = std::max<std::uint64_t>(1, look_interval / pass_steps) * pass_steps;
  const bool skips = quiet_.kernel != nullptr || engine_.contract->activity == kernels::Activity::skipped;
  while (generations > 0) {
    // Without birth from 0 neighbours, an empty world stays empty
    if (!skips && !world_.rule.births_from_nothing() && generations >= interval && population() == 0) return;
    const std::uint64_t part = std::min(generations, interval);
    const TileCounts before = skips && part == interval ? tile_counts() : TileCounts();
    generations -= part;
    enqueue(part, all_rows());
    stream_.wait();
    if (!skips || part != interval) continue;
    // If nothing changes in a pass, no later pass changes anything
    const TileCounts after = tile_counts();
    if (after.computed == before.computed && after.skipped != before.skipped) generations %= pass_steps;
  }
}

void CudaBoard::advance_counting(std::uint64_t generations, std::uint64_t* populations) {
  use();
  if (!engine_.contract->counts && counting_.kernel == nullptr) {
    Board::advance_counting(generations, populations);
    return;
  }
  Engine& engine = engine_.contract->counts ? engine_ : counting_;
  if (!engine.ready) prepare(engine);
  auto* const counts = populations_.as<unsigned long long>();
  const auto maximum = static_cast<std::uint64_t>(engine.kernel->max_steps);
  while (generations > 0) {
    // Whole passes except for the last
    const std::uint64_t part = std::min(generations, counts_at_once / maximum * maximum);
    MOOREA_CUDA(cudaMemsetAsync(counts, 0, part * 8, stream_));
    for (std::uint64_t done = 0; done < part;) {
      const std::uint64_t steps = std::min(part - done, maximum);
      engine.launch.populations = counts + done;
      pass(engine, static_cast<int>(steps), all_rows());
      done += steps;
    }
    engine.launch.populations = counts;
    MOOREA_CUDA(cudaMemcpyAsync(populations, counts, part * 8, cudaMemcpyDeviceToHost, stream_));
    stream_.wait();
    populations += part;
    generations -= part;
  }
}

// Pipelined: the host empties one stage while the other is copied.
void CudaBoard::read(const Box& box, const GridView& to) const {
  use();
  clear_rows_outside(world_.box(), box, to);
  const auto unpack = [&](const PackedRows& rows, const Stage& stage) {
    stage.done.wait();
    unpack_rows(stage.host.words(), world_.width, rows.y, rows.rows, box, to);
  };
  const Box part = intersect(box, world_.box());
  if (box.x == 0 && is_direct(to)) return read_directly(part, box.y, to);
  PackedRows before;
  std::size_t turn = 0;
  for (std::int64_t y = part.y; y < part.bottom(); y += rows_at_once_, turn = 1 - turn) {
    const Stage& stage = stages_[turn];
    const PackedRows rows = pack(current_, y, part.bottom(), stage);
    MOOREA_CUDA(cudaMemcpyAsync(stage.host.words(), rows.words, row_bytes(rows.rows), cudaMemcpyDeviceToHost,
                                stream_));
    MOOREA_CUDA(cudaEventRecord(stage.done, stream_));
    if (before.rows > 0) unpack(before, stages_[1 - turn]);
    before = rows;
  }
  if (before.rows > 0) unpack(before, stages_[1 - turn]);
  count_moved(part.height, words_per_row_ / 2);
}

std::optional<DeviceView> CudaBoard::device_cells() const {
  use();
  if (packed_world_.data() == nullptr) packed_world_ = DeviceMemory(row_bytes(world_.height));
  const PackedRows rows = {packed_world_.as<std::uint32_t>(), words_per_row_, 0, world_.height};
  to_packed(fields_[static_cast<std::size_t>(current_)], rows, stream_);
  MOOREA_CUDA(cudaGetLastError());
  stream_.wait();
  DeviceView view;
  view.words = rows.words;
  view.bytes_per_row = 4 * words_per_row_;
  view.size = world_.box().size();
  view.stream = static_cast<cudaStream_t>(stream_);
  return view;
}

}  // namespace moorea::cuda

namespace moorea {

std::unique_ptr<Board> make_gpu_board(const WorldSpec& world, int device, const GpuKernels& kernels,
                                      const kernels::Launch& launch) {
  return std::make_unique<cuda::CudaBoard>(world, device, kernels, launch);
}

const char* gpu_refusal(int device, const kernels::Kernel& kernel, const kernels::World& world) {
  const auto refuses = std::get<kernels::CudaContract>(kernel.contract).refuses;
  if (refuses == nullptr) return nullptr;
  int multiprocessors = 0;
  MOOREA_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return refuses(world, multiprocessors);
}

double gpu_board_bytes(const WorldSpec& world, const kernels::Kernel& kernel) {
  return cuda::CudaBoard::bytes(kernel, world.box().size());
}

}  // namespace moorea
