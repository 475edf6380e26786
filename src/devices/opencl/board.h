// SPDX-License-Identifier: MIT
// A world in an OpenCL device's memory, advanced by one OpenCL kernel.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "boards/board.h"
#include "boards/instruments.h"
#include "devices/opencl.h"
#include "devices/opencl/mesh_buffers.h"
#include "devices/opencl/runtime.h"
#include "kernels/kernel.h"
#include "moorea/topology.h"

namespace moorea::opencl {

/// Double-buffered world. Transfers are chunked packed rows. Cells with more than two states have a row for
/// each binary digit of their states, the lowest first.
class OpenClBoard final : public PartwiseBoard, private BoardInstruments {
 public:
  OpenClBoard(const WorldSpec& world, int device, const OpenClKernel& kernel);

  void load(const Grid& cells, Position at) override;
  void load_states(const Cells& cells, Position at) override;
  void set_phase(bool odd) override { is_odd_ = odd; }
  bool phase() const override { return is_odd_; }
  void advance(std::uint64_t generations) override;
  std::uint64_t advance_comparing() override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void write_states(const Cells& cells, Position at) override;
  void read(const Box& box, const GridView& to) const override;
  Cells states(const Box& box) const override;
  std::vector<std::uint32_t> density(const Raster& raster) const override;
  std::vector<std::uint8_t> levels(const Raster& raster,
                                   std::span<const std::uint32_t> limits) const override;

  BoardInstruments* instruments() override { return this; }

  static double bytes(const WorldSpec& world, int device, const OpenClKernel& kernel);

 private:
  std::optional<double> bytes_per_pass() const override {
    return mesh_ ? std::optional(mesh_->bytes_per_pass) : std::nullopt;
  }

  // Layout of a field's cells in its buffer.
  struct Shape {
    cl_long first = 0;   // bytes before the first cell of the first row
    cl_long pitch = 0;   // from row to row
    cl_long digits = 1;  // of a cell's state that have rows of their own
    std::size_t bytes = 0;

    cl_long digit_pitch() const { return pitch / digits; }
  };
  static Shape shape_of(const kernels::Kernel& kernel, const WorldSpec& world);

  static kernels::OpenClPartition partition_of(int device, const OpenClKernel& kernel,
                                               const WorldSpec& world);

  struct Rows {
    std::int64_t y = 0, rows = 0;
  };

  std::uint64_t count_cells() const override;
  std::uint64_t hash_cells(Position origin) const override;
  std::optional<Box> find_box() const override;
  void require_memory() const;
  void require_group() const;
  Memory buffer(std::size_t bytes) const;
  Memory buffer_of(const void* data, std::size_t bytes) const;
  void lay_out_mesh(Numbering numbering);
  Kernel function(const Program& program, const std::string& name) const;
  template <class... Arguments>
  void run(const Kernel& kernel, std::int64_t items, const Arguments&... arguments) const;
  template <class... Arguments>
  void run_in_groups(const Kernel& kernel, std::int64_t items, std::int64_t items_a_group,
                     const Arguments&... arguments) const;
  std::array<std::size_t, 2> items() const;
  std::size_t groups() const;
  void write_alive_row();
  void wake_all();
  void fill_halo();
  void fill_strided_halo_columns(const Rows& rows);
  void pass(int steps);
  Rows rows_at(std::int64_t y, std::int64_t end) const;
  template <class PerRows>
  void for_rows(std::int64_t y, std::int64_t end, const PerRows& per_rows) const;
  template <class PerRows>
  void for_digit_rows(std::int64_t digit, std::int64_t y, std::int64_t end, const PerRows& per_rows) const;
  Memory count_squares(const Raster& raster) const;
  void convert(const Kernel& conversion, cl_mem cells, std::int64_t digit, const Rows& rows,
               cl_mem packed) const;
  void load_digit(std::int64_t digit, const Grid* cells, Position at);
  void write_digit(std::int64_t digit, const ConstGridView& cells, Position at, PasteMode mode);
  template <class ForRows>
  void read_packed(const ForRows& for_rows_of, const Box& box, const GridView& to) const;
  void unpack(std::int64_t digit, const Rows& rows);
  void rows_written(std::int64_t digit, const Rows& rows);
  void pack_digit(cl_mem cells, std::int64_t digit, const Rows& rows, const Memory& to) const;
  void pack(cl_mem cells, const Rows& rows, const Memory& to) const;
  std::uint64_t hash_digit(std::int64_t digit, Position origin) const;
  template <class BeforeCount>
  std::uint64_t counted(const BeforeCount& before_count) const;
  bool is_wide() const { return contract_->lanes > 32; }
  cl_mem current() const { return buffers_[static_cast<std::size_t>(current_)].get(); }

  const Device* device_;
  const kernels::Kernel* kernel_;
  const kernels::OpenClContract* contract_;  // of kernel_
  kernels::OpenClBinding binding_;
  kernels::BlockShape group_;
  Shape shape_;
  kernels::OpenClPartition partition_;
  std::int64_t words_per_row_;  // 32-bit words of a packed row
  std::int64_t rows_at_once_;
  Queue queue_;
  std::shared_ptr<const Program> cells_program_, program_;
  Kernel step_, some_steps_, halo_columns_, rows_beyond_, from_packed_, to_packed_, keep_unlike_, count_,
      paste_, add_density_, levels_of_, extend_, hash_;
  std::array<Memory, 2> buffers_;
  int current_ = 0;
  bool halo_columns_valid_ = false;  // of the current rows
  bool is_odd_ = false;              // whether the number of generations before the present cells is
  std::array<Memory, 2> flags_;      // for kernels that skip: a byte per work-group, consumed and produced
  Memory scratch_;
  Memory tables_;                    // of rules by transitions
  std::optional<MeshBuffers> mesh_;  // of kernels of meshes
  Memory packed_;                    // rows_at_once_ packed rows
  Memory other_packed_;              // as many, allocated at first use
  Memory merging_;                   // as many of a digit, to be combined with those of another one
  Memory answers_;
};

}  // namespace moorea::opencl
