// SPDX-License-Identifier: MIT
// A world in a GPU's memory, advanced by CUDA kernels of one layout.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "boards/board.h"
#include "boards/handover.h"
#include "boards/instruments.h"
#include "devices/cuda.h"
#include "devices/cuda/cells.h"
#include "devices/cuda/compile.h"
#include "devices/cuda/hash.h"
#include "devices/cuda/mesh_tables.h"
#include "devices/cuda/runtime.h"
#include "kernels/kernel.h"
#include "moorea/topology.h"

namespace moorea::cuda {

/// Double-buffered world. Cells with more than two states have a field for each binary digit of their states;
/// functions that know two states see the cells that are not in state 0 as live. Transfers are chunked packed
/// rows, pipelined through two pinned staging buffers, so that the host fills or empties one while the other
/// is copied.
class CudaBoard final : public PartwiseBoard, private BoardInstruments, public BoardQueue {
 public:
  CudaBoard(const WorldSpec& world, int device, const GpuKernels& kernels, const kernels::Launch& launch);

  void load(const Grid& cells, Position at) override;
  void load_states(const Cells& cells, Position at) override;
  void set_phase(bool odd) override { is_odd_ = odd; }
  bool phase() const override { return is_odd_; }
  void advance(std::uint64_t generations) override;
  void advance_counting(std::uint64_t generations, std::uint64_t* populations) override;
  std::uint64_t advance_comparing() override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void write_states(const Cells& cells, Position at) override;
  void read(const Box& box, const GridView& to) const override;
  Cells states(const Box& box) const override;
  std::vector<std::uint32_t> density(const Raster& raster) const override;
  std::vector<std::uint8_t> levels(const Raster& raster,
                                   std::span<const std::uint32_t> limits) const override;
  std::optional<DeviceView> device_cells() const override;
  BoardInstruments* instruments() override { return this; }
  BoardQueue* queue() override { return mesh_ ? nullptr : this; }

  static double bytes(const kernels::Kernel& kernel, const WorldSpec& world);

 private:
  TileCounts tile_counts() const override;
  std::optional<KernelResources> resources() const override;
  std::optional<double> bytes_per_pass() const override {
    return mesh_ ? std::optional(mesh_->bytes_per_pass()) : std::nullopt;
  }
  std::optional<ConversionTimes> time_conversion() override;

  void enqueue(std::uint64_t generations, RowRange needed) override;
  void read_rows(std::int64_t y, std::int64_t rows, std::uint64_t* to) override;
  void write_rows(std::int64_t y, std::int64_t rows, const std::uint64_t* from) override;
  std::unique_ptr<QueueMark> make_mark() const override;
  void mark(QueueMark& mark) override;
  void wait_for(const QueueMark& mark) override;
  void finish() override;
  RowMemory make_row_memory(std::size_t words, const BoardQueue* writer) override;
  bool may_be_linked() const override { return true; }
  std::optional<DeviceId> link_device() const override;
  LinkId make_link_id() const override;
  std::unique_ptr<QueueLink> make_link(const LinkId& id, RankLink& ranks) override;

  template <class Decode, class Encode>
  ConversionTimes times_of(const Decode& decode, const Encode& encode) const;
  void require_exact_conversion(const DeviceMemory& bytes) const;
  kernels::ByteRows byte_rows(int buffer, std::int64_t y, const DeviceMemory& bytes) const;

  // Page-locked memory, for copies that overlap with other work.
  class Pinned {
   public:
    explicit Pinned(std::size_t bytes);
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    ~Pinned();
    std::uint64_t* words() const { return words_; }

   private:
    std::uint64_t* words_ = nullptr;
  };

  // Packed rows in transfer to or from the host.
  struct Stage {
    explicit Stage(std::size_t bytes);
    DeviceMemory device;
    Pinned host;
    Event done;  // last copy from or to the host buffer
  };

  struct Shape {
    std::ptrdiff_t pitch = 0;  // bytes from row to row, of each digit; of patches for their layout
    std::ptrdiff_t left = 0;   // bytes before a row's first cell
    std::int64_t depth = 0;    // rows above and below
    std::int64_t rows = 0;     // of memory
    std::int64_t digits = 1;   // of a cell's state that have rows of their own
    std::size_t bytes = 0;
  };
  static Shape shape_of(const kernels::Kernel& kernel, const WorldSpec& world);

  // A kernel with its launch parameters and memory.
  struct Engine {
    Engine() = default;
    Engine(const GpuKernel& bound, const kernels::Launch& how);

    const kernels::Kernel* kernel = nullptr;
    const kernels::CudaContract* contract = nullptr;  // of the kernel
    kernels::CudaBinding binding;
    kernels::Launch launch;
    std::shared_ptr<const CompiledKernels> compiled;  // for kernels that are compiled for the rule
    DeviceMemory scratch, tables;
    bool ready = false;
  };

  // Generations of advance_counting() between two transfers of their counts
  static constexpr std::uint64_t counts_at_once = 4096;

  // Pointers into squares_, in the device's memory; numbers and levels are padded to a multiple of four.
  struct Squares {
    std::uint32_t *limits, *numbers;
    std::uint8_t* levels;
  };

  // Weights of columns and rows for the state hash.
  struct Weights {
    Position origin;
    DeviceMemory columns, rows;
    cuda::StridedRaster raster;
  };

  std::uint64_t count_cells() const override;
  std::uint64_t hash_cells(Position origin) const override;
  std::uint64_t hash_digit(std::int64_t digit, Position origin) const;
  std::optional<Box> find_box() const override;
  void use() const;
  const Weights& weights_for(Position origin) const;
  void prepare(Engine& engine);
  void send_tables(Engine& engine);
  void lay_out_mesh(Numbering numbering);
  static const HandoverTimes handover_times;
  bool alternates(int steps) const;
  Engine& engine_for(int steps);
  void measure_activity(int steps);
  double share_computed();
  int max_steps() const;
  kernels::Block call(int steps, RowRange rows) const;
  void forget();
  void rows_replaced(std::int64_t first, std::int64_t rows);
  RowRange all_rows() const { return {0, world_.height}; }
  void pass(Engine& engine, int steps, RowRange rows);
  std::size_t row_bytes(std::int64_t rows) const;
  PackedRows rows_at(std::int64_t y, std::int64_t end, const Stage& stage) const;
  PackedRows rows_in_transfer(std::int64_t y, std::int64_t rows, std::uint64_t* there) const;
  std::uint32_t* leaving_rows(std::int64_t rows);
  DeviceField field(int buffer, std::int64_t digit) const;
  PackedRows pack(int buffer, std::int64_t y, std::int64_t end, const Stage& stage) const;
  PackedRows pack_digit(int buffer, std::int64_t digit, std::int64_t y, std::int64_t end,
                        const Stage& stage) const;
  void begin_load();
  void load_digit(std::int64_t digit, const Grid* cells, Position at);
  void write_digit(std::int64_t digit, const ConstGridView& cells, Position at, PasteMode mode);
  template <class Pack>
  void read_packed(const Pack& pack, const Box& box, const GridView& to) const;
  bool is_direct(const ConstGridView& cells) const;
  void write_directly(const ConstGridView& cells, std::int64_t y, const Box& part);
  void read_directly(const Box& part, std::int64_t y, const GridView& to) const;
  template <class PerRows>
  void for_rows(const PerRows& per_rows) const;
  Squares count_squares(const Raster& raster) const;
  void fetch(const void* from, std::size_t bytes, void* to) const;
  template <class Count>
  std::uint64_t counted(const Count& count) const;

  int device_;
  Engine engine_;
  Engine quiet_, counting_;  // kernel is null if there is none
  TileCounts seen_;          // counts of the quiet engine at the last check
  Handover handover_;        // between engine_ and quiet_, in passes
  kernels::RuleMask rule_;
  std::optional<DeviceTables> mesh_;  // of kernels of meshes
  Stream stream_;
  std::array<DeviceMemory, 2> buffers_;
  Shape shape_;                        // of each buffer
  std::array<DeviceField, 2> fields_;  // of the cells, or of the lowest digits of their states
  int current_ = 0;
  bool is_odd_ = false;         // the present generation
  std::int64_t words_per_row_;  // 32-bit words of a packed row
  std::int64_t rows_at_once_;
  std::array<Stage, 2> stages_;  // of rows_at_once_ rows, alternating
  DeviceMemory visiting_;        // packed rows of the world, for bands that come and go
  DeviceMemory leaving_;         // packed rows on their way to other memory; see stores_whole_words()
  std::size_t leaving_bytes_ = 0;
  DeviceMemory merging_;      // packed rows of a digit, to be combined with those of another one
  DeviceMemory answer_;       // result of a query kernel
  DeviceMemory populations_;  // of several generations
  mutable std::optional<Weights> weights_;
  mutable DeviceMemory squares_;  // for the last raster
  mutable std::size_t squares_bytes_ = 0;
  mutable DeviceMemory packed_world_;  // of device_cells(), once it was asked for
};

}  // namespace moorea::cuda
