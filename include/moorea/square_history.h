// SPDX-License-Identifier: MIT
// Age, trails and activity of the squares of a view while a world runs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "moorea/grid.h"
#include "moorea/picture.h"
#include "moorea/simulation.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Age, trails and activity of the squares of a raster, four bytes each, from successive looks at a
/// simulation. Times are counted in looks: they are generations if each generation is looked at, and
/// otherwise what happened between two looks is unknown. A square of several cells has the age since the
/// number of its live cells last changed, as Simulation::levels() distinguishes it; for a square of one cell
/// this is the age of the cell. CellHistory has the exact ages of cells, generation by generation.
class SquareHistory {
 public:
  /// Throws Error (usage) for an invalid raster, Error (memory) if it does not fit in memory.
  explicit SquareHistory(const Raster& raster);

  /// Looks at the present cells. At a later generation than the previous time squares become older; at the
  /// same one those that were edited change; at an earlier one the history begins again. Costs a call of
  /// Simulation::window() if squares are cells, else of draw_density(). Throws Error as these do, or (run) if
  /// threads cannot be started, as levels() and draw() do.
  void look(const Simulation& simulation);

  /// Continues with another raster. Squares that are in both keep their history if they are of one size and
  /// position; the history of others begins with the next look.
  void move_to(const Raster& raster);

  /// Forgets everything but the raster.
  void restart() { *this = SquareHistory(raster_); }

  /// Levels of the squares as CellHistory draws them: 0 is dead and has no trail, 1 to 103 are trails (in
  /// activity, none), from 104 on. Activity is the share of looks at which a square changed, of which the
  /// last ones count most: half of the weight is that of the last 44. Colouring::cells are the levels that
  /// were looked at, 255 for a live cell. All are 0 before the first look.
  std::vector<std::uint8_t> levels(Colouring colouring) const;

  /// The levels as a picture, each square as zoom x zoom pixels. Throws Error (usage) for an invalid zoom.
  Picture draw(Colouring colouring, int zoom = 1) const;

  const Raster& raster() const { return raster_; }

  /// Whether a square had live cells at the last look: 0 or a level above.
  const std::vector<std::uint8_t>& seen() const { return seen_; }

  /// Generation of the last look; empty before the first one.
  std::optional<std::uint64_t> generation() const { return generation_; }

  /// Generations between the last two looks at different generations, 0 if there are none: the unit of times.
  std::uint64_t unit() const { return unit_; }

 private:
  std::vector<std::uint8_t> squares_of(const Simulation& simulation) const;

  Raster raster_;
  std::optional<std::uint64_t> generation_;
  std::uint64_t unit_ = 0;
  int looks_ = 0;                       // at later generations, as far as they matter for the mean
  std::vector<std::uint8_t> seen_;      // levels of the last look
  std::vector<std::uint8_t> since_;     // looks since a square changed, from 1 on; 0 is a square not seen yet
  std::vector<std::uint16_t> changes_;  // exponentially weighted share of looks at which it changed
};

}  // namespace moorea
#pragma GCC visibility pop
