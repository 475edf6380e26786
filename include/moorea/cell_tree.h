// SPDX-License-Identifier: MIT
// Live cells that are far apart: patterns of an unbounded plane without a rectangle around them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "moorea/big_box.h"
#include "moorea/big_integer.h"
#include "moorea/pattern.h"

#pragma GCC visibility push(default)
namespace moorea {

class Simulation;
struct PlacedQuadtree;

/// Cells of a plane as a quadtree in which equal squares are stored once, at coordinates of any size. Memory
/// follows the different squares of live cells and not the area between them: two spaceships that are 10^9
/// cells apart take a few kilobytes. A value: copies are independent.
class CellTree {
 public:
  /// Without live cells.
  CellTree();
  /// The live cells at these positions, in any order. Throws Error (memory), and Error (usage) for a
  /// coordinate of 2^63 - 1.
  static CellTree of(std::span<const Position> cells);
  /// The live cells of an unbounded plane, at its coordinates. Throws Error (memory), and Error (usage) for
  /// another world.
  static CellTree of(const Simulation& world);

  BigInteger population() const;
  /// Memory of the tree.
  std::size_t bytes() const;
  /// Smallest box that contains all live cells; empty if there are none.
  std::optional<BigBox> bounding_box() const;
  /// The live cells inside a window of at most 2^60 cells on a side; throws Error (usage) for a larger one.
  CellTree crop(const BigBox& window) const;

  /// Copies the cells inside a window. Throws Error (memory) if the copy does not fit, Error (usage) as
  /// crop().
  Grid grid(const BigBox& window) const;

  /// Adds the cells to a world at their coordinates; its generation stays. Throws Error (usage) for cells
  /// beyond max_coordinate, Error (memory) if they do not fit.
  void paste_to(Simulation& world) const;

  /// Writes a pattern file, as write_pattern() does, in RLE or macrocell format. `facts` are all of it but
  /// its cells and their position. `window` is the rectangle that an RLE file describes; default: the
  /// bounding box. An RLE file gets a comment instead of a position beyond 2^60. Throws Error (usage) for
  /// other formats, Error (run) if the rectangle of an RLE file has more than 2^40 cells on a side, if cells
  /// are beyond a macrocell file's coordinates of 2^119, or if writing fails.
  void write(const std::string& path, const Pattern& facts, const std::string& format = "",
             const std::optional<BigBox>& window = {}) const;
  /// The contents of the file that write() writes in this format, not compressed. Throws Error as write()
  /// does, and Error (run) if they are more than `max_bytes`.
  std::string text(const Pattern& facts, const std::string& format, std::size_t max_bytes) const;
  /// Whether write() can write such a file.
  static bool can_write(const std::string& path, const std::string& format = "");

  /// For the library's own use.
  explicit CellTree(PlacedQuadtree cells);
  const PlacedQuadtree& cells() const { return *cells_; }

 private:
  std::shared_ptr<const PlacedQuadtree> cells_;
};

/// Reads a pattern as read_pattern(path) does, except for an RLE or macrocell file of an unbounded plane
/// whose cells are far apart: more than 2^26 cells in their bounding box, and `min_cells_a_live_one` for each
/// live one. The default suits a Simulation; a HashLife has a tree in any case.
/// Then `sparse` receives the cells, at the coordinates that Simulation::of would give them, and the
/// pattern's own cells are empty.
Pattern read_pattern(const std::string& path, std::optional<CellTree>& sparse,
                     double min_cells_a_live_one = 1024);

/// Reads the bytes of a pattern file, which `source` names in errors, as read_pattern(path, sparse) does.
Pattern parse_pattern(std::string_view bytes, const std::string& source, std::optional<CellTree>& sparse,
                      double min_cells_a_live_one = 1024);

}  // namespace moorea
#pragma GCC visibility pop
