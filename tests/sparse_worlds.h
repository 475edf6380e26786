// SPDX-License-Identifier: MIT
// Worlds of a few live cells at the places where boards and kernels partition a world: borders of tiles,
// strips, words, bands and of the world itself. Noise never finds a tile that nobody marked, since its
// neighbours wake it.
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

/// Live cells by their coordinates, advanced by the definition without any grid: independent of the size of
/// the world and of every board.
class CellSet {
 public:
  /// An unbounded plane.
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
  /// The cells inside `box`.
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

/// How the cells come into the board that is tested.
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
  std::int64_t width = 0, height = 0;  ///< 0 x 0: a plane that grows
  Grid cells;
  Position at;  ///< of the first of `cells`
  Entry entry = Entry::load;
  std::size_t entry_after = 0;  ///< portions before anything but `load` happens
  std::vector<Edit> edits;      ///< of Entry::paste, in the order of their portions
  std::vector<int> portions;  ///< generations between two comparisons
  bool grows() const { return width == 0; }
};

/// The world after each portion.
struct SparseState {
  std::uint64_t population = 0, hash = 0;
  std::optional<Box> box;
  Grid cells;  ///< inside the box
};

/// Answers with a number below its argument, which is at least 1.
using Draw = std::function<std::uint64_t(std::uint64_t)>;

struct SparseLimits {
  std::int64_t max_side = 300;  ///< cells of a world's side, mostly
  std::int64_t longest_side = 5000;
  bool grows = true;
  bool unnamed_rules = true;  ///< whose code takes long to make
};

SparseCase draw_sparse_case(const Draw& draw, const SparseLimits& limits);

/// The states after each portion; portions are removed from the end where the cells become too many for a
/// comparison that takes no time, so it changes the case.
std::vector<SparseState> sparse_states(SparseCase& test);

/// Runs a case with the options given; `earlier` are those of the board or simulation before (Entry::take and
/// Entry::file). Returns what differs, or an empty text. Throws Error where a kernel does not take the world.
std::string run_sparse_case(const SparseCase& test, const std::vector<SparseState>& expected,
                            const Options& options, const Options& earlier);

/// Threads, tiles and generations a pass by chance, where the kernel lets them be chosen.
Options draw_options(const Draw& draw, const std::string& kernel, const std::string& device);

/// What a case is, in one line, and its cells.
std::string to_string(const SparseCase& test);

}  // namespace moorea::test
