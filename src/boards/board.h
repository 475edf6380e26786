// SPDX-License-Identifier: MIT
// A world on a device: its buffers and the loop that advances it. A new board implements what is not marked
// (optional).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "logic/rule_mask.h"
#include "model/cell_square.h"
#include "moorea/cells.h"
#include "moorea/grid.h"
#include "moorea/kernel.h"
#include "moorea/simulation.h"
#include "moorea/world_spec.h"

namespace moorea {

class BoardInstruments;
class BoardQueue;
class TreeWorld;

/// The size and topology of a world as kernels receive them.
inline kernels::World kernel_world(const WorldSpec& world) {
  return {world.width, world.height, world.is_torus()};
}

/// Facts about the live cells of a board.
struct BoardSummary {
  std::uint64_t population = 0;
  std::uint64_t hash = 0;           ///< as Grid::hash
  std::optional<Box> bounding_box;  ///< in the board's coordinates
};

/// Facts that are asked for; the others of a BoardSummary stay empty.
struct SummaryParts {
  bool population = false;
  bool hash = false;
  bool bounding_box = false;
};

class Board {
 public:
  explicit Board(const WorldSpec& world) : world_(world) {}
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;
  virtual ~Board() = default;

  /// Rule, topology and size; of an unbounded plane, its present size.
  const WorldSpec& world() const { return world_; }

  /// (optional) The cells that the board holds: their positions are the board's coordinates. By default those
  /// of world() from (0, 0) on.
  virtual Box box() const { return world_.box(); }

  /// Replaces all cells by those of a grid with its top-left cell at `at`; the others are dead. The grid's
  /// live cells must lie inside.
  virtual void load(const Grid& cells, Position at) = 0;

  /// (optional) Replaces all cells by the live cells of another board, moved by `by`, which must then lie
  /// inside.
  virtual void adopt_from(const Board& other, Position by);

  /// (optional) Replaces all cells by those of some squares, which must lie inside. By default through the
  /// rectangle around them.
  virtual void load_squares(const CellSquares& squares);

  /// Combines `cells`, the top-left one at `at`, with the cells that are there; cells outside are dropped.
  /// Costs the rows of the rectangle, not the world.
  virtual void write(const ConstGridView& cells, Position at, PasteMode mode) = 0;

  /// (optional) As load(), write() with PasteMode::replace and window(), of cells with states. By default
  /// boards have two states; Error (usage) for more.
  virtual void load_states(const Cells& cells, Position at);
  virtual void write_states(const Cells& cells, Position at);
  virtual Cells states(const Box& box) const;

  /// Copies the cells inside `box` to a view of its size; cells outside the world are dead.
  virtual void read(const Box& box, const GridView& to) const = 0;
  Grid window(const Box& box) const;

  /// (optional) Prepares for up to `generations` and returns how many, at least 1, the board can advance with
  /// its present size.
  virtual std::uint64_t prepare(std::uint64_t generations) { return generations; }

  /// (optional) States how many generations the caller intends to advance, for boards that decide by it how
  /// they do so. It limits nothing.
  virtual void expect(std::uint64_t) {}

  /// (optional) States whether the number of generations before the present cells is odd, which matters to
  /// rules of blocks. Boards count those that they advance.
  virtual void set_phase(bool) {}
  virtual bool phase() const { return false; }

  virtual void advance(std::uint64_t generations) = 0;

  /// (optional) Generations below which a call of advance() does not take less time.
  virtual std::uint64_t min_generations() const { return 1; }

  /// (optional) Advances and writes the population after each generation to `populations`.
  virtual void advance_counting(std::uint64_t generations, std::uint64_t* populations);

  /// (optional) Advances by one generation and returns the number of cells that changed.
  virtual std::uint64_t advance_comparing();

  /// Facts about the live cells; the hash is that of a world whose cell (0, 0) has the coordinates `origin`.
  virtual BoardSummary summary(const SummaryParts& parts, Position origin) const = 0;
  std::uint64_t population() const { return summary({.population = true}, {}).population; }
  std::uint64_t hash(Position origin) const { return summary({.hash = true}, origin).hash; }
  std::optional<Box> bounding_box() const { return summary({.bounding_box = true}, {}).bounding_box; }

  /// (optional) As Simulation::density().
  virtual std::vector<std::uint32_t> density(const Raster& raster) const;

  /// (optional) As Simulation::levels().
  virtual std::vector<std::uint8_t> levels(const Raster& raster, std::span<const std::uint32_t> limits) const;

  /// (optional) Disjoint parts of `box` outside of which it has no live cells, row by row: boxes either have
  /// the same rows or none in common.
  virtual std::vector<Box> live_boxes(const Box& box) const { return {intersect(box, this->box())}; }

  /// (optional) Whether an unbounded plane could not grow for lack of memory: it is bounded by box() then,
  /// until load() or write() replace it.
  virtual bool at_edge() const { return false; }

  /// (optional) An unbounded plane that is a tree at present; null for others.
  virtual TreeWorld* plane_tree() const { return nullptr; }

  /// (optional) The cells, packed, in memory of a CUDA device; empty for other boards.
  virtual std::optional<DeviceView> device_cells() const { return {}; }

  /// (optional) The device's queue, for boards that work without the calling thread; null for others.
  virtual BoardQueue* queue() { return nullptr; }

  /// (optional) Measurements of how the board works; null if it offers none.
  virtual BoardInstruments* instruments() { return nullptr; }

  /// (optional) Bytes of cells that load(), write() and read() have moved to and from the board's buffers; a
  /// board made of boards adds theirs.
  virtual std::uint64_t bytes_moved() const { return bytes_moved_.load(std::memory_order_relaxed); }

 protected:
  using Window = std::function<Grid(const Box&)>;

  /// density() of a world of `height` rows whose cells `window` copies, on several threads at the same time.
  static std::vector<std::uint32_t> density_of(const Raster& raster, std::int64_t height,
                                               const Window& window);

  /// write() of a board with more than two states, by states() and write_states(): cells that become alive
  /// are in state 1, those that stay alive keep their states, unless they are replaced.
  void write_live(const ConstGridView& cells, Position at, PasteMode mode);

  void count_bytes(std::uint64_t bytes) const { bytes_moved_.fetch_add(bytes, std::memory_order_relaxed); }
  void count_moved(std::int64_t rows, std::int64_t words) const {
    count_bytes(static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(words) * 8);
  }

  WorldSpec world_;

 private:
  mutable std::atomic<std::uint64_t> bytes_moved_{0};  // several threads read at the same time
};

/// A board that determines each part of a summary by itself.
class PartwiseBoard : public Board {
 public:
  using Board::Board;
  BoardSummary summary(const SummaryParts& parts, Position origin) const final {
    BoardSummary summary;
    if (parts.population) summary.population = count_cells();
    if (parts.hash) summary.hash = hash_cells(origin);
    if (parts.bounding_box) summary.bounding_box = find_box();
    return summary;
  }

 private:
  virtual std::uint64_t count_cells() const = 0;
  virtual std::uint64_t hash_cells(Position origin) const = 0;
  virtual std::optional<Box> find_box() const = 0;
};

}  // namespace moorea
