// SPDX-License-Identifier: MIT
// CPU board in the strided layout: bands of rows, one or more per thread, each advanced in place by many
// generations between two exchanges of the rows at their borders.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "boards/board.h"
#include "boards/instruments.h"
#include "boards/zeroed_buffer.h"
#include "devices/cpu/threads.h"
#include "jit/bound_kernel.h"
#include "kernels/kernel.h"
#include "moorea/topology.h"

namespace moorea {

class StridedBoard final : public Board, private BoardInstruments {
 public:
  /// `kernel` has the strided layout.
  StridedBoard(const WorldSpec& world, const BoundKernel& kernel, int threads);

  void load(const Grid& cells, Position at) override;
  void advance(std::uint64_t generations) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void read(const Box& box, const GridView& to) const override;
  BoardSummary summary(const SummaryParts& parts, Position origin) const override;
  BoardInstruments* instruments() override { return this; }

  /// Memory of a board, in bytes.
  static double bytes(const kernels::Kernel& kernel, Size size, int threads);

 private:
  struct Part {
    Zeroed memory;
    kernels::Band band;
    std::int64_t y;  // of the band's first row in the world
  };

  /// Records the passes over each band.
  bool record(TileTrace* trace) override {
    trace_ = trace;
    passed_ = 0;
    return true;
  }

  std::size_t part_of(std::int64_t y) const;
  const std::uint64_t* vectors(std::int64_t y) const;
  void sweep(std::uint64_t generations);
  void sweep(std::uint64_t generations, int wanted);
  void exchange(Part& part, int steps) const;
  void copy_row(Part& part, std::int64_t to, std::int64_t from) const;
  void read_row(std::int64_t y, std::uint64_t* packed) const;
  std::uint64_t population_of(std::int64_t y) const;
  std::optional<Box> find_box() const;
  bool is_empty() const;
  int threads_to_read() const;
  template <class Body>
  void for_rows(std::int64_t begin, std::int64_t end, const Body& body) const;
  template <class PerWord>
  void for_words(std::int64_t y, const PerWord& per_word) const;

  kernels::StridedBinding binding_;
  std::shared_ptr<const MachineCode> code_;  // that the bands refer to
  int max_steps_;
  int lanes_;
  std::int64_t stride_;
  int vector_bytes_;
  TeamSize team_size_;
  int last_threads_ = 1;  // of the last passes
  std::vector<Part> parts_;
  TileTrace* trace_ = nullptr;  // records passes; null: not recorded
  std::uint64_t passed_ = 0;    // generations since record()
};

}  // namespace moorea
