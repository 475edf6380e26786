// SPDX-License-Identifier: MIT
#include "devices/cuda/board.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "boards/state_rows.h"
#include "devices/cuda.h"
#include "model/bits.h"
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

CudaBoard::Shape CudaBoard::shape_of(const kernels::Kernel& kernel, const WorldSpec& world) {
  const auto [width, height] = world.box().size();
  const bool is_strided = kernel.layout == Layout::strided || kernel.layout == Layout::digits;
  Shape shape;
  if (kernel.layout == Layout::digits) shape.digits = digits_of(world.rule.states());
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
  if (is_strided) {
    const std::ptrdiff_t halo = std::max<std::ptrdiff_t>(4 * world.rule.reach(), alignment);
    shape.left = aligned(halo);
    row = (width + 31) / 32 * 4 + halo;
  }
  if (kernel.layout == Layout::patches) row = ((width + 3) / 4 + 1) * 2;
  shape.pitch = aligned(shape.left + row);
  const bool reads_halo = !is_strided && !contract_of(kernel).wraps;
  shape.depth = reads_halo ? kernel.max_steps : 0;
  if (kernel.layout == Layout::patches) shape.depth = 1;
  shape.rows = (kernel.layout == Layout::patches ? (height + 3) / 4 : height) + 2 * shape.depth + 1;
  shape.rows *= shape.digits;
  shape.bytes = static_cast<std::size_t>(shape.rows * shape.pitch);
  return shape;
}

double CudaBoard::bytes(const kernels::Kernel& kernel, const WorldSpec& world) {
  const Size size = world.box().size();
  const Shape shape = shape_of(kernel, world);
  const auto scratch_bytes = contract_of(kernel).scratch_bytes;
  const std::int64_t scratch = scratch_bytes == nullptr ? 0 : scratch_bytes({size.width, size.height});
  const double faces = static_cast<double>(size.width) * static_cast<double>(size.height);
  const double table = contract_of(kernel).mesh != kernels::MeshTable::none ? table_bytes * faces : 0;
  return table + 2 * static_cast<double>(shape.rows) * static_cast<double>(shape.pitch) +
         (shape.digits > 1 ? 3 : 2) * static_cast<double>(staging_bytes) + static_cast<double>(scratch);
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
      shape_(shape_of(*kernels.busy.kernel, world)),
      words_per_row_(packed_words(world.width)),
      rows_at_once_(std::clamp<std::int64_t>(static_cast<std::int64_t>(staging_bytes) / (4 * words_per_row_),
                                             1, world.height)),
      stages_{Stage(row_bytes(rows_at_once_)), Stage(row_bytes(rows_at_once_))},
      answer_(sizeof(Bounds)) {
  lay_out_mesh(kernels.numbering);
  if (kernels.urgent) visiting_ = DeviceMemory(row_bytes(world.height));
  prepare(engine_);
  if (quiet_.kernel != nullptr) prepare(quiet_);
  if (shape_.digits > 1) merging_ = DeviceMemory(row_bytes(rows_at_once_));
  const Layout layout = kernels.busy.kernel->layout;
  for (std::size_t i = 0; i < 2; ++i) {
    buffers_[i] = DeviceMemory(shape_.bytes);
    fields_[i] = {layout == Layout::digits ? Layout::strided : layout,
                  buffers_[i].data() + shape_.depth * shape_.pitch + shape_.left,
                  shape_.pitch * shape_.digits,
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

// The cells of a buffer, or a digit of their states.
DeviceField CudaBoard::field(int buffer, std::int64_t digit) const {
  DeviceField field = fields_[static_cast<std::size_t>(buffer)];
  field.first += digit * shape_.pitch;
  return field;
}

PackedRows CudaBoard::pack_digit(int buffer, std::int64_t digit, std::int64_t y, std::int64_t end,
                                 const Stage& stage) const {
  const PackedRows rows = rows_at(y, end, stage);
  to_packed(field(buffer, digit), rows, stream_);
  MOOREA_CUDA(cudaGetLastError());
  return rows;
}

// The live cells.
PackedRows CudaBoard::pack(int buffer, std::int64_t y, std::int64_t end, const Stage& stage) const {
  const PackedRows rows = pack_digit(buffer, 0, y, end, stage);
  for (std::int64_t digit = 1; digit < shape_.digits; ++digit) {
    PackedRows others = rows;
    others.words = merging_.as<std::uint32_t>();
    to_packed(field(buffer, digit), others, stream_);
    paste(rows, others, {0, world_.width, 0, PasteMode::bitwise_or}, stream_);
    MOOREA_CUDA(cudaGetLastError());
  }
  return rows;
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
    DeviceField rows_of_digits = from;
    rows_of_digits.pitch = shape_.pitch;
    rows_of_digits.height *= shape_.digits;
    if (fills == nullptr || !fills(world, steps))
      fill_halo_columns(rows_of_digits, world.torus, std::max(engine.kernel->max_steps, world_.rule.reach()),
                        stream_);
  } else if (!engine.contract->wraps && !engine.contract->fills_own_halo) {
    fill_halo(from, world.torus, steps, stream_);
  }
  engine.launch.odd = is_odd_;
  engine.binding.launch(block, engine.launch);
  MOOREA_CUDA(cudaGetLastError());
  current_ = 1 - current_;
  is_odd_ = is_odd_ != (steps % 2 != 0);
  for (Engine* each : {&engine_, &quiet_, &counting_}) each->launch.input_replaced = each != &engine;
}

void CudaBoard::advance(std::uint64_t generations) {
  use();
  const auto pass_steps = static_cast<std::uint64_t>(engine_.kernel->max_steps);
  const std::uint64_t interval = std::max<std::uint64_t>(1, look_interval / pass_steps) * pass_steps;
  const bool skips = quiet_.kernel != nullptr || engine_.contract->activity == kernels::Activity::skipped;
  while (generations > 0) {
    // Without birth from 0 neighbours, an empty world stays empty
    if (!skips && !world_.rule.births_from_nothing() && generations >= interval && population() == 0) {
      is_odd_ = is_odd_ != (generations % 2 != 0);
      return;
    }
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

std::optional<DeviceView> CudaBoard::device_cells() const {
  if (shape_.digits > 1) return std::nullopt;
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
  try {
    return std::make_unique<cuda::CudaBoard>(world, device, kernels, launch);
  } catch (const Error& error) {
    // Other worlds are never out of core
    const bool has_bands = world.rule.has_nine_cells() && !world.is_surface();
    if (error.kind() != ErrorKind::memory || !has_bands) throw;
    throw Error(fmt::format("the world is too large: {}; out of core it is computed in bands, which are "
                            "transferred to the GPU and back every 4 to 128 generations",
                            error.what()),
                ErrorKind::memory);
  }
}

const char* gpu_refusal(int device, const kernels::Kernel& kernel, const kernels::World& world) {
  const auto refuses = std::get<kernels::CudaContract>(kernel.contract).refuses;
  if (refuses == nullptr) return nullptr;
  int multiprocessors = 0;
  MOOREA_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return refuses(world, multiprocessors);
}

double gpu_board_bytes(const WorldSpec& world, const kernels::Kernel& kernel) {
  return cuda::CudaBoard::bytes(kernel, world);
}

}  // namespace moorea
