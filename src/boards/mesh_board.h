// SPDX-License-Identifier: MIT
// A world in main memory whose cells are the faces of a mesh, advanced by a CPU kernel of meshes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "boards/board.h"
#include "boards/instruments.h"
#include "boards/zeroed_buffer.h"
#include "devices/cpu/threads.h"
#include "jit/bound_kernel.h"
#include "kernels/kernel.h"
#include "meshes/layout.h"

namespace moorea {

/// Double-buffered. The world's cell (x, y) is the face y * width + x; flat worlds are meshes of their cells.
class MeshBoard final : public Board, private BoardInstruments {
 public:
  /// `kernel` is one of meshes.
  MeshBoard(const WorldSpec& world, const BoundKernel& kernel, int threads, Numbering numbering);

  void load(const Grid& cells, Position at) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void read(const Box& box, const GridView& to) const override;
  void advance(std::uint64_t generations) override;
  BoardSummary summary(const SummaryParts& parts, Position origin) const override;
  BoardInstruments* instruments() override { return this; }

  /// Bytes of the buffers and, approximately, of the neighbour table.
  static double bytes(const WorldSpec& world);

 private:
  std::optional<double> bytes_per_pass() const override { return layout_.bytes_per_pass; }
  std::uint64_t cells_of(std::int64_t y, std::int64_t word) const;
  void set(std::int64_t face, bool alive);
  int threads_for_rows(std::int64_t rows) const;
  void sweep(std::uint64_t generations);

  const MeshLayout layout_;
  const kernels::MeshTables tables_;
  kernels::StepMesh step_;
  kernels::RuleMask rule_;
  bool bits_;           // or bytes
  std::int64_t units_;  // words of 64 faces, or faces: what the kernel is given ranges of
  std::array<Zeroed, 2> buffers_;
  std::array<std::byte*, 2> cells_;
  int current_ = 0;
  int threads_;
  TeamSize team_size_;
};

}  // namespace moorea
