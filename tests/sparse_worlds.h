// SPDX-License-Identifier: MIT
// Worlds of a few live cells at the borders by which boards and kernels partition a world: of tiles, strips,
// words, bands and of the world itself. Noise never detects a tile that was not marked active, because its
// neighbours activate it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "moorea/grid.h"
#include "moorea/pattern.h"
#include "moorea/rule.h"
#include "moorea/simulation.h"
#include "moorea/topology.h"

namespace moorea::test {

/// Live cells by their coordinates, advanced by the definition without a grid: independent of the size of the
/// world and of every board.
class CellSet {
 public:
  /// Creates an unbounded plane.
  CellSet() = default;
  CellSet(Topology topology, std::int64_t width, std::int64_t height)
      : topology_(topology), width_(width), height_(height) {}

  /// Edits the cells of a rectangle, as Simulation::paste.
  void paste(const Grid& cells, Position at, PasteMode mode);
  /// Makes cells alive; on a torus also those that reach over its edges.
  void put(const Grid& cells, Position at);
  void step(const Rule& rule);

  std::uint64_t population() const { return cells_.size(); }
  std::optional<Box> bounding_box() const;
  /// Returns the cells inside `box`.
  Grid window(const Box& box) const;

 private:
  bool bounded() const { return width_ > 0; }
  bool inside(const Position& cell) const {
    return !bounded() || (cell.x >= 0 && cell.y >= 0 && cell.x < width_ && cell.y < height_);
  }
  void step_densely(const Rule& rule);
  void sort();

  Topology topology_ = Topology::plane;
  std::int64_t width_ = 0, height_ = 0;
  std::vector<Position> cells_;  // row by row, from left to right
};

/// How the cells enter the tested board.
enum class Entry {
  load,   ///< with the board
  paste,  ///< some of them while it runs, in edits
  take,   ///< from another board, of any kernel, that ran before
  file,   ///< from the snapshot of another simulation, written as RLE and read again
};

struct Edit {
  std::size_t after = 0;  ///< portions before it
  Grid cells;
  Position at;
  PasteMode mode = PasteMode::replace;
};

struct SparseCase {
  Rule rule;
  Topology topology = Topology::torus;
  std::int64_t width = 0, height = 0;  ///< 0 x 0: a growing plane
  Grid cells;
  Position at;  ///< of the first of `cells`
  Entry entry = Entry::load;
  std::size_t entry_after = 0;  ///< portions before anything but `load` happens
  std::vector<Edit> edits;      ///< of Entry::paste, in the order of their portions
  std::vector<int> portions;    ///< generations between two comparisons
  bool grows() const { return width == 0; }
};

/// State of the world after a portion.
struct SparseState {
  std::uint64_t population = 0, hash = 0;
  std::optional<Box> box;
  Grid cells;  ///< inside the box
};

/// Returns a random number below its argument, which is at least 1.
using Draw = std::function<std::uint64_t(std::uint64_t)>;

struct SparseLimits {
  std::int64_t max_side = 300;  ///< maximum side of most worlds, in cells
  std::int64_t longest_side = 5000;
  bool grows = true;
  bool unnamed_rules = true;  ///< whose code takes long to generate
};

SparseCase draw_sparse_case(const Draw& draw, const SparseLimits& limits);

/// Returns the states after each portion; removes portions from the end if the cells become too many for a
/// fast comparison, so it changes the case.
std::vector<SparseState> sparse_states(SparseCase& test);

/// Runs a case with the given options; `earlier` are those of the preceding board or simulation (Entry::take
/// and Entry::file). Returns the difference, or an empty text. Throws Error if a kernel does not support the
/// world.
std::string run_sparse_case(const SparseCase& test, const std::vector<SparseState>& expected,
                            const Options& options, const Options& earlier);

/// Random threads, tiles and generations per pass, if the kernel allows a choice.
Options draw_options(const Draw& draw, const std::string& kernel, const std::string& device);

/// Describes a case in one line, followed by its cells.
std::string to_string(const SparseCase& test);

}  // namespace moorea::test
