// SPDX-License-Identifier: MIT
#include "devices/opencl/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "devices/opencl.h"
#include "logic/emit_c.h"
#include "logic/network.h"
#include "model/bits.h"
#include "model/hash.h"
#include "moorea/error.h"
#include "moorea/rule.h"

namespace moorea {

extern const char* const opencl_cells_source;  // made by cmake/KernelTable.cmake: cells.cl

namespace opencl {
namespace {

using kernels::Layout;

constexpr std::int64_t packed_bytes = 32 << 20;
constexpr std::int64_t alignment = 128;        // of rows
constexpr std::uint64_t look_interval = 4096;  // generations between two looks whether anything lives
constexpr std::int64_t question_items = 4096;  // that share a question

std::int64_t packed_words(std::int64_t width) { return 2 * words_for(width); }

std::int64_t rounded_up(std::int64_t a, std::int64_t to) { return (a + to - 1) / to * to; }

std::string definitions(const kernels::Block& block, cl_long first, kernels::BlockShape group) {
  const std::string network = c_text(network_for(Rule(block.rule.birth, block.rule.survival)), "next_states");
  return fmt::format(
      "#define WIDTH {}\n#define HEIGHT {}\n#define TORUS {}\n#define FIRST {}L\n#define PITCH {}L\n"
      "#define BIRTH {}u\n#define SURVIVAL {}u\n#define GROUP_WIDTH {}\n#define GROUP_HEIGHT {}\n"
      "typedef uint word;\n"
      "#define LUT3(a, b, c, table) lut3(a, b, c, table)\n"
      "#define AND_NOT(a, b) ((a) & ~(b))\n"
      "#define MOOREA_STEP\n"
      "word lut3(word a, word b, word c, uint table) {{\n"
      "  word made = 0;\n"
      "  for (uint i = 0; i < 8; ++i)\n"
      "    if (table >> i & 1) made |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);\n"
      "  return made;\n"
      "}}\n"
      "{}#define MOOREA_NEXT next_states\n",
      block.width, block.height, block.world.torus ? 1 : 0, first, block.pitch, block.rule.birth, block.rule.survival,
      group.width, group.height, network);
}

}  // namespace

OpenClBoard::Shape OpenClBoard::shape_of(const kernels::Kernel& kernel, std::int64_t width, std::int64_t height) {
  Shape shape;
  const std::int64_t row = kernel.layout == Layout::bits ? packed_words(width) * 4 + 16 : width + 128;
  shape.pitch = rounded_up(alignment + row, alignment);
  const std::int64_t depth = kernel.wraps ? 0 : kernel.max_steps;
  shape.first = depth * shape.pitch + alignment;
  shape.bytes = static_cast<std::size_t>((height + 2 * depth + 1) * shape.pitch);
  return shape;
}

double OpenClBoard::bytes(const kernels::Kernel& kernel, std::int64_t width, std::int64_t height) {
  return 2 * static_cast<double>(shape_of(kernel, width, height).bytes) + static_cast<double>(packed_bytes);
}

OpenClBoard::OpenClBoard(int device, const kernels::Kernel& kernel, const kernels::Binding& binding, kernels::RuleMask rule,
                         const kernels::Launch& launch, Topology topology, std::int64_t width, std::int64_t height)
    : device_(&devices()[static_cast<std::size_t>(device)]),
      kernel_(&kernel),
      rule_(rule),
      group_(launch.block.width != 0 ? launch.block : kernel.block),
      item_(binding.opencl.item),
      topology_(topology),
      width_(width),
      height_(height),
      shape_(shape_of(kernel, width, height)),
      words_per_row_(packed_words(width)),
      rows_at_once_(std::clamp<std::int64_t>(packed_bytes / (4 * words_per_row_), 1, height)) {
  cl_int error = CL_SUCCESS;
  context_ = Context(functions().clCreateContext(nullptr, 1, &device_->id, nullptr, nullptr, &error));
  check(error, "clCreateContext", __FILE__, __LINE__);
  queue_ = Queue(functions().clCreateCommandQueue(context_.get(), device_->id, 0, &error));
  check(error, "clCreateCommandQueue", __FILE__, __LINE__);

  cells_program_ = build(context_.get(), *device_, opencl_cells_source, "");
  const bool bits = kernel.layout == Layout::bits;
  sides_ = function(cells_program_, bits ? "sides_of_bits" : "sides_of_bytes");
  rows_beyond_ = function(cells_program_, "rows_beyond");
  from_packed_ = function(cells_program_, bits ? "bits_from_packed" : "bytes_from_packed");
  to_packed_ = function(cells_program_, bits ? "packed_from_bits" : "packed_from_bytes");
  count_ = function(cells_program_, "count");
  extend_ = function(cells_program_, "extend");
  hash_ = function(cells_program_, "hash");

  kernels::Block block{nullptr, nullptr, shape_.pitch, width, height, 1, rule, {width, height, topology == Topology::torus}};
  program_ = build(context_.get(), *device_, definitions(block, shape_.first, group_) + binding.opencl.text, "");
  step_ = function(program_, "advance");
  std::size_t most = 0;
  MOOREA_CL(clGetKernelWorkGroupInfo, step_.get(), device_->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr);
  if (static_cast<std::size_t>(group_.width * group_.height) > most) {
    throw Error(fmt::format("{} runs this kernel in work-groups of at most {} work-items, {} x {} were asked for", device_->name,
                            most, group_.width, group_.height),
                ErrorKind::unavailable);
  }
  for (Memory& each : buffers_) each = buffer(shape_.bytes);
  packed_ = buffer(static_cast<std::size_t>(4 * words_per_row_ * rows_at_once_));
  answers_ = buffer(static_cast<std::size_t>(question_items) * sizeof(cl_long) * 4);
}

// All zero.
Memory OpenClBoard::buffer(std::size_t bytes) const {
  cl_int error = CL_SUCCESS;
  Memory memory(functions().clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, bytes, nullptr, &error));
  check(error, "clCreateBuffer", __FILE__, __LINE__);
  const cl_uint zero = 0;
  MOOREA_CL(clEnqueueFillBuffer, queue_.get(), memory.get(), &zero, sizeof zero, 0, bytes / 4 * 4, 0, nullptr, nullptr);
  return memory;
}

Kernel OpenClBoard::function(const Program& program, const char* name) const {
  cl_int error = CL_SUCCESS;
  Kernel kernel(functions().clCreateKernel(program.get(), name, &error));
  check(error, "clCreateKernel", __FILE__, __LINE__);
  return kernel;
}

template <class... Arguments>
void OpenClBoard::run(const Kernel& kernel, std::int64_t items, const Arguments&... arguments) const {
  cl_uint index = 0;
  (MOOREA_CL(clSetKernelArg, kernel.get(), index++, sizeof arguments, &arguments), ...);
  const auto size = static_cast<std::size_t>(items);
  MOOREA_CL(clEnqueueNDRangeKernel, queue_.get(), kernel.get(), 1, nullptr, &size, nullptr, 0, nullptr, nullptr);
}

void OpenClBoard::fill_halo(int depth) {
  const cl_mem cells = current();
  const cl_int torus = topology_ == Topology::torus ? 1 : 0;
  const cl_long width = width_, height = height_;
  const std::int64_t words = (width_ + 31) / 32;
  const bool bits = kernel_->layout == Layout::bits;
  const std::int64_t per_row = bits ? words - width_ / 32 + 5 : 2 * depth;
  run(sides_, height_ * per_row, cells, shape_.first, shape_.pitch, width, height, torus, cl_int{depth});
  const cl_long left = bits ? 8 : 64, across = bits ? (words + 5) * 4 : (64 + width_ + 64 + 3) / 4 * 4;
  run(rows_beyond_, 2 * depth * (across / 4), cells, shape_.first, shape_.pitch, height, torus, cl_int{depth}, left, across);
}

// Work-items of a pass, whole work-groups.
std::array<std::size_t, 2> OpenClBoard::items() const {
  return {static_cast<std::size_t>(rounded_up((width_ + item_.width - 1) / item_.width, group_.width)),
          static_cast<std::size_t>(rounded_up((height_ + item_.height - 1) / item_.height, group_.height))};
}

void OpenClBoard::wake_all() {
  if (kernel_->activity != kernels::Activity::skipped) return;
  const std::size_t groups = items()[0] / static_cast<std::size_t>(group_.width) * (items()[1] / static_cast<std::size_t>(group_.height));
  for (int made = 0; made < 2; ++made) {
    const cl_uchar flag = made == 0 ? 1 : 0;
    Memory& flags = flags_[static_cast<std::size_t>(made == 0 ? current_ : 1 - current_)];
    if (flags.get() == nullptr) flags = buffer(groups + 4);
    MOOREA_CL(clEnqueueFillBuffer, queue_.get(), flags.get(), &flag, 1, 0, groups, 0, nullptr, nullptr);
  }
}

void OpenClBoard::pass() {
  if (!kernel_->wraps) fill_halo(1);
  const cl_mem from = current(), to = buffers_[static_cast<std::size_t>(1 - current_)].get();
  MOOREA_CL(clSetKernelArg, step_.get(), 0, sizeof from, &from);
  MOOREA_CL(clSetKernelArg, step_.get(), 1, sizeof to, &to);
  if (kernel_->activity == kernels::Activity::skipped) {
    const cl_mem consumed = flags_[static_cast<std::size_t>(current_)].get(),
                 made = flags_[static_cast<std::size_t>(1 - current_)].get();
    MOOREA_CL(clSetKernelArg, step_.get(), 2, sizeof consumed, &consumed);
    MOOREA_CL(clSetKernelArg, step_.get(), 3, sizeof made, &made);
  }
  const std::size_t local[] = {static_cast<std::size_t>(group_.width), static_cast<std::size_t>(group_.height)};
  MOOREA_CL(clEnqueueNDRangeKernel, queue_.get(), step_.get(), 2, nullptr, items().data(), local, 0, nullptr, nullptr);
  current_ = 1 - current_;
}

void OpenClBoard::advance(std::uint64_t generations) {
  while (generations > 0) {
    // Where nothing is born from nothing, an empty world stays empty
    if ((rule_.birth & 1) == 0 && generations >= look_interval && population() == 0) return;
    const std::uint64_t part = std::min(generations, look_interval);
    generations -= part;
    for (std::uint64_t i = 0; i < part; ++i) pass();
    MOOREA_CL(clFinish, queue_.get());
  }
}

OpenClBoard::Rows OpenClBoard::rows_at(std::int64_t y, std::int64_t end) const {
  return {y, std::min(rows_at_once_, end - y)};
}

// Calls per_rows(rows) with some of the rows y to end - 1 packed in the device's memory, until all were there.
template <class PerRows>
void OpenClBoard::for_rows(std::int64_t y, std::int64_t end, const PerRows& per_rows) const {
  for (; y < end; y += rows_at_once_) {
    const Rows rows = rows_at(y, end);
    run(to_packed_, rows.rows * words_per_row_, current(), shape_.first, shape_.pitch, cl_long{width_}, packed_.get(),
        cl_long{words_per_row_}, cl_long{rows.y}, cl_long{rows.rows});
    per_rows(rows);
  }
}

void OpenClBoard::load(const Grid& cells, std::int64_t x, std::int64_t y) {
  wake_all();
  const std::int64_t words = words_per_row_ / 2;
  std::vector<std::uint64_t> rows(static_cast<std::size_t>(words * rows_at_once_));
  for (std::int64_t top = 0; top < height_; top += rows_at_once_) {
    const Rows part = rows_at(top, height_);
    std::fill(rows.begin(), rows.end(), 0);
    for (std::int64_t i = std::max(top, y); i < std::min(top + part.rows, y + cells.height()); ++i) {
      std::uint64_t* to = rows.data() + (i - top) * words;
      const std::int64_t first = std::max<std::int64_t>(0, x / 64 - 1), last = std::min(words, (x + cells.width()) / 64 + 1);
      for (std::int64_t j = first; j < last; ++j) to[j] = cells_at(cells.row(i - y), cells.words_per_row(), 64 * j - x);
      to[words - 1] &= tail_mask(width_);
    }
    MOOREA_CL(clEnqueueWriteBuffer, queue_.get(), packed_.get(), CL_TRUE, 0, static_cast<std::size_t>(part.rows * words) * 8,
              rows.data(), 0, nullptr, nullptr);
    run(from_packed_, part.rows * words_per_row_, current(), shape_.first, shape_.pitch, cl_long{width_}, packed_.get(),
        cl_long{words_per_row_}, cl_long{part.y}, cl_long{part.rows});
  }
  MOOREA_CL(clFinish, queue_.get());
}

Grid OpenClBoard::window(const Box& box) const {
  Grid grid(box.width, box.height);
  const std::int64_t words = words_per_row_ / 2;
  std::vector<std::uint64_t> packed(static_cast<std::size_t>(words * rows_at_once_));
  for_rows(std::max<std::int64_t>(0, box.y), std::min(height_, box.y + box.height), [&](const Rows& rows) {
    MOOREA_CL(clEnqueueReadBuffer, queue_.get(), packed_.get(), CL_TRUE, 0, static_cast<std::size_t>(rows.rows * words) * 8,
              packed.data(), 0, nullptr, nullptr);
    for (std::int64_t i = 0; i < rows.rows; ++i) {
      std::uint64_t* to = grid.row(rows.y + i - box.y);
      for (std::int64_t j = 0; j < grid.words_per_row(); ++j)
        to[j] = cells_at(packed.data() + i * words, words, box.x + 64 * j);
      if (grid.words_per_row() > 0) to[grid.words_per_row() - 1] &= tail_mask(box.width);
    }
  });
  return grid;
}

std::uint64_t OpenClBoard::population() const {
  std::vector<cl_ulong> sums(question_items);
  MOOREA_CL(clEnqueueWriteBuffer, queue_.get(), answers_.get(), CL_TRUE, 0, sums.size() * 8, sums.data(), 0, nullptr, nullptr);
  for_rows(0, height_, [&](const Rows& rows) {
    run(count_, question_items, packed_.get(), cl_long{rows.rows * words_per_row_}, answers_.get());
  });
  MOOREA_CL(clEnqueueReadBuffer, queue_.get(), answers_.get(), CL_TRUE, 0, sums.size() * 8, sums.data(), 0, nullptr, nullptr);
  std::uint64_t population = 0;
  for (const cl_ulong sum : sums) population += sum;
  return population;
}

std::uint64_t OpenClBoard::hash(std::int64_t x0, std::int64_t y0) const {
  const auto powers = [&](std::uint64_t base, std::int64_t first, std::int64_t number) {
    std::vector<cl_ulong> list;
    std::uint64_t power = hash_power(base, first);
    for (std::int64_t i = 0; i < number; ++i, power = hash_multiply(power, base)) list.push_back(power);
    const Memory memory = buffer(list.size() * 8);
    MOOREA_CL(clEnqueueWriteBuffer, queue_.get(), memory.get(), CL_TRUE, 0, list.size() * 8, list.data(), 0, nullptr, nullptr);
    return Memory(std::move(const_cast<Memory&>(memory)));
  };
  const Memory columns = powers(hash_column_base, (x0 >> 6) * 2, words_per_row_ + 2), rows = powers(hash_row_base, y0, height_);
  std::vector<cl_ulong> sums(question_items);
  MOOREA_CL(clEnqueueWriteBuffer, queue_.get(), answers_.get(), CL_TRUE, 0, sums.size() * 8, sums.data(), 0, nullptr, nullptr);
  for_rows(0, height_, [&](const Rows& some) {
    run(hash_, question_items, packed_.get(), cl_long{words_per_row_}, cl_long{some.y}, cl_long{some.rows},
        static_cast<cl_int>(x0 & 63), columns.get(), rows.get(), answers_.get());
  });
  MOOREA_CL(clEnqueueReadBuffer, queue_.get(), answers_.get(), CL_TRUE, 0, sums.size() * 8, sums.data(), 0, nullptr, nullptr);
  std::uint64_t sum = 0;
  for (const cl_ulong part : sums) sum = hash_add(sum, part);
  return sum;
}

std::optional<Box> OpenClBoard::bounding_box() const {
  constexpr cl_long far = std::numeric_limits<cl_long>::max();
  struct Bounds {
    cl_long left = far, right = -1, top = far, bottom = -1;
  };
  std::vector<Bounds> bounds(question_items);
  const std::size_t bytes = bounds.size() * sizeof(Bounds);
  MOOREA_CL(clEnqueueWriteBuffer, queue_.get(), answers_.get(), CL_TRUE, 0, bytes, bounds.data(), 0, nullptr, nullptr);
  for_rows(0, height_, [&](const Rows& rows) {
    run(extend_, question_items, packed_.get(), cl_long{words_per_row_}, cl_long{rows.y}, cl_long{rows.rows * words_per_row_},
        answers_.get());
  });
  MOOREA_CL(clEnqueueReadBuffer, queue_.get(), answers_.get(), CL_TRUE, 0, bytes, bounds.data(), 0, nullptr, nullptr);
  Bounds all;
  for (const Bounds& part : bounds) {
    all = {std::min(all.left, part.left), std::max(all.right, part.right), std::min(all.top, part.top),
           std::max(all.bottom, part.bottom)};
  }
  if (all.right < 0) return std::nullopt;
  return Box{all.left, all.top, all.right - all.left + 1, all.bottom - all.top + 1};
}

}  // namespace opencl

std::unique_ptr<Board> make_opencl_board(int device, const kernels::Kernel& kernel, const kernels::Binding& binding,
                                         kernels::RuleMask rule, const kernels::Launch& launch, Topology topology,
                                         std::int64_t width, std::int64_t height) {
  return std::make_unique<opencl::OpenClBoard>(device, kernel, binding, rule, launch, topology, width, height);
}

double opencl_board_bytes(const kernels::Kernel& kernel, std::int64_t width, std::int64_t height) {
  return opencl::OpenClBoard::bytes(kernel, width, height);
}

}  // namespace moorea
