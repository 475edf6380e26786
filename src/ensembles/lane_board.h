// SPDX-License-Identifier: MIT
// Board of as many worlds as a vector has bits, advanced in place by a kernel of the strided layout whose
// lanes are worlds.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "boards/zeroed_buffer.h"
#include "ensembles/lane_view.h"
#include "jit/bound_kernel.h"
#include "moorea/world_spec.h"

namespace moorea {

/// Cells of all lanes of a board at one generation.
class LaneSnapshot {
 public:
  LaneSnapshot(const WorldSpec& world, int lanes);
  LaneView view() const;
  std::byte* memory() const { return memory_.begin(); }

 private:
  Size size_;
  int lanes_;
  Zeroed memory_;
};

class LaneBoard {
 public:
  /// Creates worlds without live cells. `kernel` has the strided layout and is bound to the world's rule.
  LaneBoard(const WorldSpec& world, const BoundKernel& kernel);

  int lanes() const { return lanes_; }
  const WorldSpec& world() const { return world_; }

  /// Present cells. After a change of cells edited() must be called before advance().
  LaneView cells() const;
  void edited();

  void advance(std::uint64_t generations);
  /// Number of generations, at least 1, that take about a millisecond.
  std::uint64_t short_advance() const;

  void save(const LaneSnapshot& to) const { copy_to(to.memory()); }
  void restore(const LaneSnapshot& from) { copy_from(from.memory()); }
  /// Copies rows without gaps, as those of a snapshot.
  void copy_to(std::byte* cells) const;
  void copy_from(const std::byte* cells);
  /// Returns the lanes outside `ignored` whose cells differ from the snapshot.
  LaneSet differing(const LaneSnapshot& from, const LaneSet& ignored) const;

  /// Returns the live cells of each lane.
  std::vector<std::uint64_t> populations() const;
  /// Returns the number of cells of each lane that differ from the snapshot, which is overwritten.
  std::vector<std::uint64_t> count_differing(const LaneSnapshot& from) const;

  /// Memory of a board and of a snapshot, in bytes.
  static double bytes(const kernels::Kernel& kernel, Size size);
  static double snapshot_bytes(int lanes, Size size);

 private:
  void fill_halo_rows(int steps);
  void copy_row(std::int64_t to, std::int64_t from);
  std::byte* row(std::int64_t y) const { return kernels::band_row(band_, y, vector_bytes_); }
  std::vector<std::uint64_t> count(const kernels::Band& band) const;

  WorldSpec world_;
  kernels::StridedBinding binding_;
  std::shared_ptr<const MachineCode> code_;  // that the band refers to
  int lanes_;
  int vector_bytes_;
  int max_steps_;
  Zeroed memory_;
  kernels::Band band_;
};

}  // namespace moorea
