// SPDX-License-Identifier: MIT
// Measurements of how a simulation runs: which thread computes which tile when, what a GPU kernel uses, what
// conversions cost.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "moorea/box.h"
#include "moorea/simulation.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Computation of one tile (of one thread's rows, for kernels without tiles) in one pass over the world; in a
/// world on several devices, work of one part between two exchanges of rows.
struct TileEvent {
  std::uint64_t generation = 0;  ///< generation before the pass
  Box tile;                      ///< in the cells' coordinates
  int thread = 0;                ///< number of the thread in its team, or of the part, from 0
  int cpu = -1;                  ///< CPU on which the thread began the pass; -1: unknown
  double begin = 0, end = 0;     ///< seconds since the first call of step_tracing()
  bool changed = false;          ///< whether a cell changed; false if the kernel does not report it
};

/// A cell that a kernel has written outside its block, where another thread may write at the same time.
struct StrayWrite {
  std::uint64_t generation = 0;  ///< generation before the pass
  Position cell;                 ///< in the cells' coordinates; in the layout bits the first one of eight
  Box block;                     ///< in the same
};

/// GPU resources of a CUDA kernel's main function.
struct KernelResources {
  int registers = 0;  ///< per thread
  /// Shared memory per thread block; without dynamic shared memory if the kernel does not report its blocks.
  std::int64_t shared_bytes = 0;
  /// Occupancy: resident threads of a multiprocessor as a fraction of the maximum; empty if the kernel does
  /// not report its blocks.
  std::optional<double> occupancy;
};

/// GPU time to convert the whole world: between packed rows and the kernel's layout, or for kernels with a
/// conversion of their own (cuda/ladder/11_bits_bytes) between a byte per cell and their layout.
struct ConversionTimes {
  double encode_seconds = 0;  ///< seconds to the kernel's layout
  double decode_seconds = 0;  ///< seconds from the kernel's layout
};

/// Advances by `generations` and returns one event per computed tile: its thread, begin and end; `go_on` as
/// in Simulation::step(). Worlds on several devices have events of their parts. Throws Error (unavailable)
/// on one device for kernels that do not record this: those of GPUs and OpenCL devices, of surfaces, of rules
/// of other families than two states and nine cells, and trees. A plane may become a tree on the way, which
/// has no events.
std::vector<TileEvent> step_tracing(Simulation& simulation, std::uint64_t generations,
                                    const std::function<bool()>& go_on = {});

/// Advances by `generations`, each block with a destination of its own, and returns the first cell that the
/// kernel wrote outside its block, at most 16 rows or 128 bytes away; empty if there was none. What a kernel
/// writes outside changes no cell of the world. `go_on` as in Simulation::step(). Throws Error (unavailable)
/// where can_guard() is false.
std::optional<StrayWrite> step_guarded(Simulation& simulation, std::uint64_t generations,
                                       const std::function<bool()>& go_on = {});

/// Whether the kernel takes blocks in main memory, as C++ kernels of files and most of cpu/ladder do.
bool can_guard(const Simulation& simulation);

/// Tiles computed and skipped so far; zeros for kernels without tiles.
TileCounts tile_counts(const Simulation& simulation);

/// Registers, shared memory and occupancy; empty for kernels other than CUDA's.
std::optional<KernelResources> kernel_resources(const Simulation& simulation);

/// Bytes of cells and neighbour tables that a pass over a mesh reads and writes, each once; empty for flat
/// kernels, whose KernelInfo::bits_moved_per_cell holds for all worlds.
std::optional<double> bytes_per_pass(const Simulation& simulation);

/// Measures the time to convert the world to the kernel's layout and back: the median of several samples of
/// the GPU's clock. No cell changes. Empty for kernels other than CUDA's. Throws Error (run) if the kernel
/// has a conversion of its own whose cells are wrong.
std::optional<ConversionTimes> time_conversion(Simulation& simulation);

}  // namespace moorea
#pragma GCC visibility pop
