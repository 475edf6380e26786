// SPDX-License-Identifier: MIT
// Measurements that some boards offer beyond their cells.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "boards/board.h"
#include "boards/board_queue.h"
#include "moorea/lab/instruments.h"
#include "moorea/tiles.h"

namespace moorea {

class BlockGuard;
class TileTrace;

/// A part of a divided world.
struct PartFacts {
  std::int64_t y = 0, rows = 0;
  double busy_seconds = 0, idle_seconds = 0;  ///< of all its generations; idle: waiting for other parts
  double row_generations = 0;                 ///< rows times generations
  std::optional<RowPath> path_below;          ///< of rows to the next part; on a torus also of the last one
};

class BoardInstruments {
 public:
  virtual ~BoardInstruments() = default;

  /// (optional) Records each pass from now on, until called with null; returns false if the board does not
  /// know what its threads do.
  virtual bool record(TileTrace*) { return false; }

  /// (optional) Runs each block by the guard from now on, until called with null; returns false if the board
  /// has no kernel that takes blocks in main memory.
  virtual bool guard(BlockGuard*) { return false; }

  /// The origin of recorded tiles' coordinates, of a board whose box begins at `corner`.
  virtual Position origin_of_tiles(Position corner) const { return corner; }

  /// (optional) Tiles computed and skipped so far; zeros for boards without tiles.
  virtual TileCounts tile_counts() const { return {}; }

  /// (optional) The parts of a divided world, from top to bottom.
  virtual std::vector<PartFacts> parts() const { return {}; }

  /// (optional) Registers, shared memory and occupancy of a GPU's kernel.
  virtual std::optional<KernelResources> resources() const { return {}; }

  /// (optional) Bytes that a pass reads and writes, where they depend on the world; empty otherwise.
  virtual std::optional<double> bytes_per_pass() const { return {}; }

  /// (optional) Seconds to convert the world to a GPU kernel's layout and back, measured by this call. No
  /// cell changes. Throws Error (run) if the kernel's own conversion gives other cells.
  virtual std::optional<ConversionTimes> time_conversion() { return {}; }
};

/// TileCounts of a board; zeros if it has no instruments.
inline TileCounts tile_counts_of(Board& board) {
  const BoardInstruments* const instruments = board.instruments();
  return instruments != nullptr ? instruments->tile_counts() : TileCounts();
}

}  // namespace moorea
