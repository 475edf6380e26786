// SPDX-License-Identifier: MIT
// A world in main memory under a rule of more than two states, of Larger than Life or of blocks, advanced by
// one CPU kernel of such rules.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "boards/board.h"
#include "boards/state_rows.h"
#include "boards/states_bands.h"
#include "boards/zeroed_buffer.h"
#include "devices/cpu/threads.h"
#include "jit/bound_kernel.h"
#include "kernels/kernel.h"
#include "logic/state_lookups.h"

namespace moorea {

/// Double-buffered. A pass of some generations goes through the world in bands of rows: a band and the rows
/// around it that its cells depend on are advanced in memory of its thread that fits into the second-level
/// cache, and the last generation is written to the other buffer. Rows whose surroundings are dead are left
/// out, and on a plane with a byte per cell columns. Where an interface has two states, live cells are those
/// that are not in state 0, and those that are written are in state 1.
class StatesBoard final : public Board {
 public:
  /// `kernel` has a StatesContract.
  StatesBoard(const WorldSpec& world, const BoundKernel& kernel, int threads);

  void load(const Grid& cells, Position at) override;
  void load_states(const Cells& cells, Position at) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void write_states(const Cells& cells, Position at) override;
  void read(const Box& box, const GridView& to) const override;
  Cells states(const Box& box) const override;
  void set_phase(bool odd) override { is_odd_ = odd; }
  bool phase() const override { return is_odd_; }
  void advance(std::uint64_t generations) override;
  BoardSummary summary(const SummaryParts& parts, Position origin) const override;

  /// Memory of a board, in bytes.
  static double bytes(const kernels::Kernel& kernel, const WorldSpec& world, int threads);

 private:
  struct Buffer {
    Zeroed memory;
    std::vector<ColumnRange> live;  // of each row, the columns that may have cells that are not in state 0
  };
  struct Pass {
    int from;  // buffer that is read
    int steps;
    bool is_odd;  // the generation before the pass
  };

  // What a pass computes of a band.
  struct Part {
    std::int64_t begin, end;  // rows
    ColumnRange columns;
  };

  Buffer make_buffer() const;
  std::byte* row(const Buffer& buffer, std::int64_t y) const;
  void put_row(std::int64_t y, const StateDigits& cells);
  template <class Body>
  void for_rows(std::int64_t begin, std::int64_t end, const Body& body) const;
  void advance_with(std::uint64_t generations, int wanted);
  void pass(const Pass& pass, int thread, int threads);
  Part influenced(const Pass& pass, std::int64_t begin, std::int64_t end) const;
  void clear_rows(const Pass& pass, std::int64_t begin, std::int64_t end, ColumnRange but = {});
  void advance_part(const Pass& pass, const Part& part, int thread);
  const std::byte* rows_before(const Pass& pass, std::int64_t begin, std::int64_t end,
                               std::byte* scratch) const;
  void clear_outside(std::byte* rows, std::int64_t begin, std::int64_t end) const;

  void note_boundary(const StateDigits& cells);
  kernels::BlockTable blocks_at(bool odd, std::int64_t y) const;

  StateRowForm form_;
  std::vector<kernels::NeighbourRun> runs_;
  std::vector<kernels::CountLimit> limits_;
  kernels::StatesBinding binding_;
  std::shared_ptr<const MachineCode> code_;
  kernels::StateRows shape_;               // what all calls have in common
  std::atomic<bool> has_boundary_{false};  // cells may be in state 6 of a rule with history
  StateBands bands_;
  std::ptrdiff_t row_bytes_;
  std::array<Buffer, 2> buffers_;
  int current_ = 0;
  bool is_odd_ = false;                          // the present generation
  std::vector<Zeroed> scratch_;                  // of each thread, two bands
  std::shared_ptr<const StateLookups> lookups_;  // that the kernel reads
  std::optional<Zeroed> memory_;                 // of the kernel
  std::vector<Zeroed> kernel_scratch_;           // of the kernel, for each thread
  TeamSize team_size_;
};

}  // namespace moorea
