// SPDX-License-Identifier: MIT
// A world on a device: its buffers and the loop that advances it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/kernel.h"
#include "moorea/grid.h"
#include "moorea/launch.h"
#include "moorea/tiles.h"
#include "moorea/world_spec.h"

namespace moorea {

class TileTrace;

/// The rule and the size of a world as kernels take them.
inline kernels::RuleMask mask_of(const Rule& rule) {
  return {static_cast<std::uint16_t>(rule.birth()), static_cast<std::uint16_t>(rule.survival())};
}
inline kernels::World kernel_world(const WorldSpec& world) {
  return {world.width, world.height, world.is_torus()};
}

class Board {
 public:
  explicit Board(const WorldSpec& world) : world_(world) {}
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;
  virtual ~Board() = default;

  const WorldSpec& world() const { return world_; }

  /// Replaces all cells by those of a grid with its top-left cell at `at`; the others are dead. The grid's
  /// live cells must lie inside.
  virtual void load(const Grid& cells, Position at) = 0;

  /// Replaces all cells by the live cells of another board, moved by `by`, which must then lie inside.
  virtual void take(const Board& from, Position by) {
    if (const std::optional<Box> box = from.bounding_box()) {
      load(from.window(*box), box->position() + by);
    } else {
      load(Grid(0, 0), {});
    }
  }

  virtual void advance(std::uint64_t generations) = 0;

  /// The same, and writes the live cells after each generation.
  virtual void advance_counting(std::uint64_t generations, std::uint64_t* populations) {
    for (std::uint64_t g = 0; g < generations; ++g) {
      advance(1);
      populations[g] = population();
    }
  }

  /// Advances by one generation and returns the number of cells that changed.
  virtual std::uint64_t advance_comparing();

  /// The cells inside `box`; what lies outside the world is dead.
  virtual Grid window(const Box& box) const = 0;

  /// As Simulation::density().
  virtual std::vector<std::uint32_t> density(const Raster& raster) const;

  /// As Simulation::levels().
  virtual std::vector<std::uint8_t> levels(const Raster& raster, std::span<const std::uint32_t> limits) const;

  virtual std::uint64_t population() const = 0;

  /// As Grid::hash, with the world's top-left cell at `origin`.
  virtual std::uint64_t hash(Position origin) const = 0;

  virtual std::optional<Box> bounding_box() const = 0;

  /// From now on each pass is recorded, until it is called with null; false where the board does not know
  /// what its threads do.
  virtual bool record(TileTrace*) { return false; }

  /// What became of its tiles; nothing where there are none.
  virtual TileCounts tile_counts() const { return {}; }

  /// Of GPUs.
  virtual std::optional<KernelResources> resources() const { return {}; }
  virtual std::optional<ConversionTimes> time_conversion() { return {}; }

 protected:
  const WorldSpec world_;
};

}  // namespace moorea
