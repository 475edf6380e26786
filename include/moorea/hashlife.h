// SPDX-License-Identifier: MIT
// HashLife: generations, populations and coordinates of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "moorea/big_box.h"
#include "moorea/big_integer.h"
#include "moorea/cell_tree.h"
#include "moorea/grid.h"
#include "moorea/pattern.h"
#include "moorea/world_spec.h"

#pragma GCC visibility push(default)
namespace moorea {

struct HashLifeOptions {
  /// Bytes of nodes and their tables at which unused ones are removed; 0: three quarters of the memory that
  /// is available. Up to a quarter more is in use while they are.
  std::uint64_t memory = 0;

  /// CPU threads, 1 or more: cells and populations do not depend on it. More than one look up nodes together
  /// where that is measured to be faster.
  int threads = 1;
};

/// Facts about the tree of a HashLife world.
struct TreeFacts {
  std::size_t nodes = 0;          ///< different squares of 16 x 16 cells and larger
  std::size_t bytes = 0;          ///< of nodes, tables and results
  int level = 0;                  ///< the tree's root has 2^level x 2^level cells
  std::uint64_t evaluations = 0;  ///< squares that were advanced, of all steps
  std::uint64_t collections = 0;  ///< removals of unused nodes
};

/// A world of life-like cells as a quadtree in which equal squares are stored and advanced once (R. W.
/// Gosper, "Exploiting regularities in large cellular spaces", Physica D 10, 1984): an unbounded plane, or a
/// torus whose width and height are powers of two.
///
/// Time and memory follow the number of different squares in the world's history, not its size or the number
/// of generations: a glider gun reaches generation 2^1000 in a second. Noise has few equal squares; use
/// Simulation for it. Results are kept between steps. A step of any number of generations costs about what
/// the next power of two does.
///
/// Rules with B0: as long as the cells far away are alive (background()), population() and bounding_box() are
/// those of the dead cells of a plane.
///
/// Threads: not thread-safe; at most one thread may use a HashLife at a time.
class HashLife {
 public:
  /// Creates a world without live cells. Throws Error (unavailable), with the reason, for worlds other than
  /// unbounded planes and tori whose sides are powers of two.
  explicit HashLife(const WorldSpec& world = {}, const HashLifeOptions& options = {});

  /// Creates `world` with the pattern's cells and generation, at the positions that Simulation::of gives
  /// them. Throws Error as the constructor does, Error (run) for cells in states above 1, Error (memory) if
  /// the cells do not fit.
  static HashLife of(const Pattern& start, const WorldSpec& world, const HashLifeOptions& options = {});

  /// Creates an unbounded plane with the cells of a tree, which is not expanded. Throws Error as the
  /// constructor does, Error (usage) for a bounded world, Error (run) for cells beyond coordinates of 2^119.
  static HashLife of(const CellTree& start, const WorldSpec& world, const HashLifeOptions& options = {});

  /// Creates the plane of a macrocell file, whose tree is not expanded, so that its size does not matter.
  /// `rule` is run instead of that of the file, if it is not empty. Empty if the file has another format or
  /// its world is bounded: read_pattern() reads those. `facts`, if given, receives what else the file has:
  /// all of a Pattern but its cells. Throws Error as read_pattern() and the constructor do.
  static std::optional<HashLife> read_tree(const std::string& path, const std::string& rule = "",
                                           const HashLifeOptions& options = {}, Pattern* facts = nullptr);

  /// Writes the cells of a plane as a macrocell file, gzipped if the name ends in ".gz"; its generation is 0
  /// if it exceeds 2^63 - 1. Name, author, comments, and the rule unless it is empty are those of `facts`.
  /// The file appears under its name when it is complete. Throws Error (usage) for a torus, Error (run) if
  /// the background is alive, if the tree has more than 2^120 cells on a side, or if writing fails.
  void write_tree(const std::string& path, const Pattern& facts = {}) const;

  /// Why there can be no such world; null if there can.
  static const char* refusal(const WorldSpec& world);

  HashLife(HashLife&&) noexcept;
  HashLife& operator=(HashLife&&) noexcept;
  ~HashLife();

  /// Replaces all cells: those of `cells`, its top-left cell at `at`, all others dead; the generation becomes
  /// 0.
  void reset(const Grid& cells, Position at = {});

  /// Advances by `generations`, 0 or more. Returns false if `go_on`, which is called many times per second,
  /// returned false; then, as after an exception, the cells are those of generation(), which may be an
  /// earlier one. Throws Error (memory) if the nodes that are in use exceed the limit, Error (usage) for a
  /// negative number.
  bool step(const BigInteger& generations, const std::function<bool()>& go_on = {});

  const BigInteger& generation() const;
  void set_generation(const BigInteger& generation);

  /// Number of live cells; of a plane with a live background, that of dead cells. Visits all nodes of the
  /// present generation.
  BigInteger population() const;
  /// State of the cells far away.
  bool background() const;
  /// Smallest box that contains all cells that population() counts; empty if there are none.
  std::optional<BigBox> bounding_box() const;
  /// Grid::hash of the live cells of a plane at their coordinates; with a live background, that of the dead
  /// cells.
  std::uint64_t hash() const;

  /// Copies the cells inside `box`; cells outside a torus are dead. Throws Error (usage) for a box beyond
  /// max_coordinate, Error (memory) if the copy does not fit.
  Grid window(const Box& box) const;

  /// The live cells of a plane inside a window of at most 2^60 cells on a side, at coordinates of any size.
  /// Throws Error (usage) for a torus or a larger window, Error (run) if the background is alive.
  CellTree crop(const BigBox& window) const;

  /// Combines `cells`, the top-left one at the coordinates `at`, with the cells that are there. Throws Error
  /// (usage) for coordinates beyond max_coordinate, Error (memory).
  void paste(const ConstGridView& cells, Position at, PasteMode mode = PasteMode::replace);

  /// Returns a pattern from which a run can continue, as Simulation::snapshot() does; its generation is 0 if
  /// it exceeds 2^64 - 1. Throws Error (run) if the cells are beyond max_coordinate or the background is
  /// alive, Error (memory) if the copy does not fit.
  Pattern snapshot(bool whole = false) const;

  /// Writes a pattern file, as write_pattern() does, with name, author and comments of `about`. A macrocell
  /// file has the tree of a plane, whatever its size, and an RLE file cells of at most 2^40 columns and rows,
  /// which are not expanded; `whole` as in snapshot(). Negative generations, and those from 2^63 on, are
  /// written as 0. Throws Error as write_tree(), CellTree::write() and snapshot() do.
  void write(const std::string& path, const Pattern& about = {}, const std::string& format = "",
             bool whole = false) const;

  const WorldSpec& world() const;
  TreeFacts facts() const;

 private:
  friend class FarPlane;
  struct State;
  explicit HashLife(std::unique_ptr<State> state);
  void require_dead_background() const;
  std::unique_ptr<State> state_;
};

}  // namespace moorea
#pragma GCC visibility pop
