// SPDX-License-Identifier: MIT
#include "devices/opencl/board.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "boards/packed_rows.h"
#include "boards/state_rows.h"
#include "devices/opencl.h"
#include "devices/opencl/board_kernels.h"
#include "devices/opencl/source.h"
#include "logic/transition_text.h"
#include "model/bits.h"
#include "model/hash.h"
#include "moorea/error.h"

namespace moorea {
namespace opencl {
namespace {

using kernels::Layout;

constexpr std::int64_t packed_bytes = 32 << 20;
constexpr std::int64_t alignment = 128;        // of rows, and minimum margin on both sides of a row's cells
constexpr std::uint64_t look_interval = 4096;  // generations between two checks whether any cell is alive

// Columns and rows are counted in 32 bits, also by the idle work-items of the last work-group
constexpr std::int64_t max_side = (std::int64_t{1} << 31) - (std::int64_t{1} << 16);

std::int64_t packed_words(std::int64_t width) { return 2 * words_for(width); }

const kernels::OpenClContract& contract_of(const kernels::Kernel& kernel) {
  return std::get<kernels::OpenClContract>(kernel.contract);
}

bool is_mesh(const kernels::OpenClContract& contract) { return contract.mesh != kernels::MeshTable::none; }

bool is_strided(const kernels::Kernel& kernel) {
  return kernel.layout == Layout::strided || kernel.layout == Layout::digits;
}

bool sleeps(const kernels::OpenClContract& contract) {
  return contract.activity == kernels::Activity::skipped;
}

// The work-group that was asked for, or the kernel's own.
kernels::BlockShape group_of(const OpenClKernel& kernel) {
  return kernel.group.width != 0 ? kernel.group : kernel.binding.group;
}

// PoCL 3.1 miscompiles kernels with several barriers in work-groups of one row or column of 2 to 10
// work-items: the process ends by SIGSEGV. Which of these depends on the vectors of the machine: with AVX-512
// rows of 2 to 7 and columns of 2 to 6, with AVX2 up to 10 and 9, too. Oclgrind finds no fault in them; 1 x 1
// and larger ones work.
void refuse_crashing_group(const Device& device, const kernels::OpenClContract& contract,
                           kernels::BlockShape group) {
  if (!sleeps(contract) || device.names.find("PoCL 3.1") == std::string::npos) return;
  const std::int64_t width = group.width, height = group.height;
  if (std::min(width, height) != 1 || width * height < 2 || width * height > 10) return;
  throw Error(
      fmt::format("PoCL 3.1 crashes in work-groups of {} x {} of this kernel: name a larger one, such "
                  "as 8x8, or use another version",
                  width, height),
      ErrorKind::unavailable);
}

}  // namespace

OpenClBoard::Shape OpenClBoard::shape_of(const kernels::Kernel& kernel, const WorldSpec& world) {
  const std::int64_t width = world.width, height = world.height;
  if (width > max_side || height > max_side)
    throw Error("OpenCL kernels support worlds of less than 2^31 - 2^16 columns and rows",
                ErrorKind::unavailable);
  Shape shape;
  if (is_mesh(contract_of(kernel))) {
    // All faces in one row
    const std::int64_t faces = width * height, cells = kernel.layout == Layout::faces ? faces : faces / 8;
    shape.first = alignment;
    shape.pitch = rounded_up(alignment + cells + alignment, alignment);
    shape.bytes = static_cast<std::size_t>(shape.pitch);
    return shape;
  }
  std::int64_t row = 0, above = 0, below = 1;
  if (is_strided(kernel)) {
    const int lanes = contract_of(kernel).lanes;
    row = (width + lanes - 1) / lanes * (lanes / 8);
    above = 2;  // see opencl/opencl.h
  } else {
    row = kernel.layout == Layout::bits ? packed_words(width) * 4 : width;
    above = 1;
    below += above;
  }
  if (kernel.layout == Layout::digits) shape.digits = digits_of(world.rule.states());
  // Cells of halo columns are words in the strided layout
  const std::int64_t margin =
      rounded_up(std::max<std::int64_t>(alignment, 4 * (world.rule.reach() + 1)), alignment);
  shape.pitch = shape.digits * rounded_up(margin + row + margin, alignment);
  shape.first = above * shape.pitch + margin;
  shape.bytes = static_cast<std::size_t>((above + height + below) * shape.pitch);
  return shape;
}

kernels::OpenClPartition OpenClBoard::partition_of(int device, const OpenClKernel& kernel,
                                                   const WorldSpec& world) {
  if (kernel.binding.partition == nullptr) return {};
  const kernels::BlockShape group = group_of(kernel);
  const kernels::OpenClPartition partition = kernel.binding.partition(
      kernel_world(world), traits_of(devices()[static_cast<std::size_t>(device)]), group);
  if (partition.groups == 0)
    throw Error(fmt::format("this kernel's work-groups cannot be {} wide", group.width),
                ErrorKind::unavailable);
  return partition;
}

double OpenClBoard::bytes(const WorldSpec& world, int device, const OpenClKernel& kernel) {
  return 2 * static_cast<double>(shape_of(*kernel.kernel, world).bytes) +
         static_cast<double>(partition_of(device, kernel, world).scratch_bytes) +
         static_cast<double>(packed_bytes);
}

OpenClBoard::OpenClBoard(const WorldSpec& world, int device, const OpenClKernel& kernel)
    : PartwiseBoard(world),
      device_(&devices()[static_cast<std::size_t>(device)]),
      kernel_(kernel.kernel),
      contract_(&contract_of(*kernel.kernel)),
      binding_(kernel.binding),
      group_(group_of(kernel)),
      shape_(shape_of(*kernel.kernel, world)),
      partition_(partition_of(device, kernel, world)),
      words_per_row_(packed_words(world.width)),
      rows_at_once_(std::clamp<std::int64_t>(packed_bytes / (4 * words_per_row_), 1, world.height)) {
  refuse_crashing_group(*device_, *contract_, group_);
  require_memory();
  queue_ = make_queue(*device_);

  cells_program_ = program_for(*device_, cells_text());
  const char* const name = kernel_->layout == Layout::bits        ? "bits"
                           : kernel_->layout == Layout::bytes     ? "bytes"
                           : kernel_->layout == Layout::faces     ? "faces"
                           : kernel_->layout == Layout::face_bits ? "face_bits"
                           : is_wide()                            ? "wide_strided"
                                                                  : "strided";
  if (!is_mesh(*contract_))
    halo_columns_ = function(*cells_program_, fmt::format("halo_columns_of_{}", name));
  from_packed_ = function(*cells_program_, fmt::format("{}_from_packed", name));
  to_packed_ = function(*cells_program_, fmt::format("packed_from_{}", name));
  rows_beyond_ = function(*cells_program_, "rows_beyond");
  keep_unlike_ = function(*cells_program_, "keep_unlike");
  count_ = function(*cells_program_, "count");
  paste_ = function(*cells_program_, "paste");
  add_density_ = function(*cells_program_, "add_density");
  levels_of_ = function(*cells_program_, "levels_of");
  extend_ = function(*cells_program_, "extend");
  hash_ = function(*cells_program_, "hash");

  program_ = program_for(*device_, kernel_text(binding_, *kernel_, world_.rule, group_, traits_of(*device_)),
                         kernel_->file != nullptr ? kernel_->file->path : nullptr);
  step_ = function(*program_, "advance");
  if (binding_.steps > 1) some_steps_ = function(*program_, "advance_some");
  require_group();

  for (Memory& each : buffers_) each = buffer(shape_.bytes);
  lay_out_mesh(kernel.numbering);
  if (partition_.scratch_bytes > 0) scratch_ = buffer(static_cast<std::size_t>(partition_.scratch_bytes));
  packed_ = buffer(static_cast<std::size_t>(4 * words_per_row_ * rows_at_once_));
  if (kernel_->supports.transition_form == kernels::TransitionForm::gpu_text) {
    std::vector<std::uint8_t> tables = table_bytes(gpu_transitions(world_.rule));
    if (tables.empty()) tables.resize(1);  // of a rule that is gates alone
    tables_ = buffer_of(tables.data(), tables.size());
  }
  if (shape_.digits > 1) merging_ = buffer(static_cast<std::size_t>(4 * words_per_row_ * rows_at_once_));
  answers_ = buffer(static_cast<std::size_t>(query_groups) * sizeof(cl_long) * 4);
  if (sleeps(*contract_)) {
    for (Memory& each : flags_) each = buffer(rounded_up(groups(), 4));
  }
  wake_all();
  if (is_strided(*kernel_) && !binding_.fills_halo_columns) write_alive_row();
}

void OpenClBoard::require_memory() const {
  constexpr double gib = 1 << 30;
  const auto whole = static_cast<double>(device_info<cl_ulong>(device_->id, CL_DEVICE_GLOBAL_MEM_SIZE));
  const auto maximum = static_cast<double>(device_info<cl_ulong>(device_->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  const double needed = 2 * static_cast<double>(shape_.bytes) +
                        static_cast<double>(partition_.scratch_bytes) + static_cast<double>(packed_bytes);
  const double one =
      std::max(static_cast<double>(shape_.bytes), static_cast<double>(partition_.scratch_bytes));
  if (needed <= whole && one <= maximum) return;
  throw Error(
      fmt::format(
          "a world of {} x {} cells takes {:.3g} GiB, in pieces of up to {:.3g} GiB; {} has {:.3g} "
          "GiB, and pieces of {:.3g} GiB at most; out of core it is computed in bands, which are transferred "
          "to the device and back every 4 to 128 generations",
          world_.width, world_.height, needed / gib, one / gib, device_->name, whole / gib, maximum / gib),
      ErrorKind::unavailable);
}

void OpenClBoard::require_group() const {
  for (const Kernel* each : {&step_, &some_steps_}) {
    if (each->get() == nullptr) continue;
    std::size_t maximum = 0;
    MOOREA_CL(clGetKernelWorkGroupInfo, each->get(), device_->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof maximum,
              &maximum, nullptr);
    cl_ulong local = 0;
    MOOREA_CL(clGetKernelWorkGroupInfo, each->get(), device_->id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local,
              &local, nullptr);
    const auto local_there = device_info<cl_ulong>(device_->id, CL_DEVICE_LOCAL_MEM_SIZE);
    if (local > local_there) {
      throw Error(
          fmt::format("{} has {} bytes of local memory, in work-groups of {} x {} this kernel needs {}",
                      device_->name, local_there, group_.width, group_.height, local),
          ErrorKind::unavailable);
    }
    if (static_cast<std::size_t>(group_.width * group_.height) > maximum) {
      throw Error(
          fmt::format("{} runs this kernel in work-groups of at most {} work-items, {} x {} were asked for",
                      device_->name, maximum, group_.width, group_.height),
          ErrorKind::unavailable);
    }
  }
}

// Returns a buffer filled with zeros.
Memory OpenClBoard::buffer(std::size_t bytes) const {
  cl_int error = CL_SUCCESS;
  Memory memory(functions().clCreateBuffer(context_of(*device_), CL_MEM_READ_WRITE, bytes, nullptr, &error));
  check(error, "clCreateBuffer", __FILE__, __LINE__);
  const cl_uint zero = 0;
  MOOREA_CL(clEnqueueFillBuffer, queue_.get(), memory.get(), &zero, sizeof zero, 0, bytes, 0, nullptr,
            nullptr);
  return memory;
}

Memory OpenClBoard::buffer_of(const void* data, std::size_t bytes) const {
  Memory memory = buffer(static_cast<std::size_t>(rounded_up(static_cast<std::int64_t>(bytes), 4)));
  MOOREA_CL(clEnqueueWriteBuffer, queue_.get(), memory.get(), CL_TRUE, 0, bytes, data, 0, nullptr, nullptr);
  return memory;
}

void OpenClBoard::lay_out_mesh(Numbering numbering) {
  if (!is_mesh(*contract_)) return;
  mesh_.emplace(lay_out(world_, {contract_->mesh, 32}, numbering), contract_->mesh,
                [&](const void* data, std::size_t bytes) { return buffer_of(data, bytes); });
}

Kernel OpenClBoard::function(const Program& program, const std::string& name) const {
  cl_int error = CL_SUCCESS;
  Kernel kernel(functions().clCreateKernel(program.get(), name.c_str(), &error));
  if (error == CL_INVALID_KERNEL_NAME && kernel_->file != nullptr)
    throw Error(fmt::format("{} has no kernel function {}", kernel_->file->path, name));
  check(error, "clCreateKernel", __FILE__, __LINE__);
  return kernel;
}

// Mask of the bits that are cells of the world.
void OpenClBoard::write_alive_row() {
  const std::int64_t lanes = contract_->lanes, stride = (world_.width + lanes - 1) / lanes;
  const std::int64_t margin = (shape_.first - 2 * shape_.pitch) / (lanes / 8);
  std::vector<std::uint32_t> row(static_cast<std::size_t>((stride + 2 * margin) * (lanes / 32)));
  for (std::int64_t j = -margin; j < stride + margin; ++j) {
    for (std::int64_t i = 0; i < lanes; ++i) {
      const std::int64_t column = j + stride * i;
      if (column >= 0 && column < world_.width)
        row[static_cast<std::size_t>((j + margin) * (lanes / 32) + i / 32)] |= std::uint32_t{1} << i % 32;
    }
  }
  for (const Memory& each : buffers_) {
    MOOREA_CL(clEnqueueWriteBuffer, queue_.get(), each.get(), CL_TRUE, 0, row.size() * 4, row.data(), 0,
              nullptr, nullptr);
  }
}

void OpenClBoard::fill_strided_halo_columns(const Rows& rows) {
  const cl_int torus = world_.is_torus() ? 1 : 0, lanes = contract_->lanes,
               depth = binding_.fills_halo_columns ? 1 : std::max(binding_.steps, world_.rule.reach());
  const cl_long rows_of_digits = rows.rows * shape_.digits;
  run(halo_columns_, is_wide() ? rows_of_digits : rows_of_digits * group_items, current(),
      shape_.first + rows.y * shape_.pitch, shape_.digit_pitch(), cl_long{world_.width}, rows_of_digits,
      torus, depth, lanes);
}

// Fills the halo columns, and the rows beyond the first and the last.
void OpenClBoard::fill_halo() {
  if (mesh_) return;
  if (is_strided(*kernel_)) return fill_strided_halo_columns({0, world_.height});
  const cl_mem cells = current();
  const cl_int torus = world_.is_torus() ? 1 : 0;
  const cl_long width = world_.width, height = world_.height;
  const bool bits = kernel_->layout == Layout::bits;
  run(halo_columns_, world_.height, cells, shape_.first, shape_.pitch, width, height, torus);
  const cl_long across = bits ? world_.width / 32 * 4 + 8 : (world_.width + 11) / 4 * 4;
  run(rows_beyond_, across / 2, cells, shape_.first, shape_.pitch, height, torus, across);
}

// Work-items of a pass, in whole work-groups.
std::array<std::size_t, 2> OpenClBoard::items() const {
  if (mesh_) {
    const std::int64_t units =
        mesh_->table == kernels::MeshTable::words ? mesh_->tables.words.words : mesh_->tables.faces;
    return {static_cast<std::size_t>(rounded_up(units, group_.width)), 1};
  }
  if (binding_.partition != nullptr)
    return {static_cast<std::size_t>(partition_.groups * group_.width),
            static_cast<std::size_t>(group_.height)};
  return {static_cast<std::size_t>(
              rounded_up((world_.width + binding_.item.width - 1) / binding_.item.width, group_.width)),
          static_cast<std::size_t>(
              rounded_up((world_.height + binding_.item.height - 1) / binding_.item.height, group_.height))};
}

std::size_t OpenClBoard::groups() const {
  return items()[0] / static_cast<std::size_t>(group_.width) *
         (items()[1] / static_cast<std::size_t>(group_.height));
}

// Disables skipping in the next two passes, for which the buffers do not hold the generations to compare
// with.
void OpenClBoard::wake_all() {
  const cl_uchar awake = 1;
  for (const Memory& each : flags_) {
    if (each.get() != nullptr)
      MOOREA_CL(clEnqueueFillBuffer, queue_.get(), each.get(), &awake, 1, 0, groups(), 0, nullptr, nullptr);
  }
}

void OpenClBoard::pass(int steps) {
  if (!(binding_.fills_halo_columns && halo_columns_valid_)) fill_halo();
  const bool torus = world_.is_torus();
  const Kernel& step = binding_.steps == 1 || (torus && steps == binding_.steps) ? step_ : some_steps_;
  const cl_mem from = current(), to = buffers_[static_cast<std::size_t>(1 - current_)].get();
  const auto with = [&](const auto&... more) {
    set_arguments(step, static_cast<cl_int>(world_.width), static_cast<cl_int>(world_.height), cl_int{torus},
                  shape_.first, shape_.pitch, cl_int{steps}, static_cast<cl_int>(partition_.rows), from, to,
                  more...);
  };
  if (sleeps(*contract_)) {
    with(flags_[static_cast<std::size_t>(current_)].get(),
         flags_[static_cast<std::size_t>(1 - current_)].get());
  } else if (mesh_ && mesh_->table == kernels::MeshTable::words) {
    const kernels::MeshWords& words = mesh_->tables.words;
    with(static_cast<cl_int>(words.words), static_cast<cl_int>(words.exceptions),
         cl_int{words.most_neighbours}, mesh_->patterns.get(), mesh_->regular.get(), mesh_->distances.get(),
         mesh_->first_exceptions.get(), mesh_->exception_faces.get(), mesh_->exception_neighbours.get());
  } else if (mesh_) {
    const kernels::MeshTables& tables = mesh_->tables;
    with(static_cast<cl_int>(tables.faces), cl_int{tables.most_neighbours}, cl_long{tables.pitch},
         mesh_->begins.get(), mesh_->neighbours.get());
  } else if (partition_.scratch_bytes > 0) {
    with(scratch_.get());
  } else if (binding_.walks) {
    with(cl_int{is_odd_});
  } else if (tables_.get() != nullptr) {
    with(tables_.get());
  } else {
    with();
  }
  const std::size_t local[] = {static_cast<std::size_t>(group_.width),
                               static_cast<std::size_t>(group_.height)};
  MOOREA_CL(clEnqueueNDRangeKernel, queue_.get(), step.get(), 2, nullptr, items().data(), local, 0, nullptr,
            nullptr);
  current_ = 1 - current_;
  is_odd_ = is_odd_ != (steps % 2 != 0);
  halo_columns_valid_ = true;
}

void OpenClBoard::advance(std::uint64_t generations) {
  while (generations > 0) {
    // Without birth from 0 neighbours, an empty world stays empty
    if (!world_.rule.births_from_nothing() && generations >= look_interval && population() == 0) return;
    for (std::uint64_t left = std::min(generations, look_interval); left > 0;) {
      const int steps =
          static_cast<int>(std::min<std::uint64_t>(left, static_cast<std::uint64_t>(kernel_->max_steps)));
      pass(steps);
      left -= static_cast<std::uint64_t>(steps);
      generations -= static_cast<std::uint64_t>(steps);
    }
    MOOREA_CL(clFinish, queue_.get());
  }
}

OpenClBoard::Rows OpenClBoard::rows_at(std::int64_t y, std::int64_t end) const {
  return {y, std::min(rows_at_once_, end - y)};
}

}  // namespace opencl

std::unique_ptr<Board> make_opencl_board(const WorldSpec& world, int device, const OpenClKernel& kernel) {
  return std::make_unique<opencl::OpenClBoard>(world, device, kernel);
}

double opencl_board_bytes(const WorldSpec& world, int device, const OpenClKernel& kernel) {
  return opencl::OpenClBoard::bytes(world, device, kernel);
}

}  // namespace moorea
