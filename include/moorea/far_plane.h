// SPDX-License-Identifier: MIT
// Unbounded planes with generations, populations and coordinates of any size, advanced as cells or as a tree.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "moorea/big_box.h"
#include "moorea/big_integer.h"
#include "moorea/cell_tree.h"
#include "moorea/hashlife.h"
#include "moorea/pattern.h"
#include "moorea/plan.h"
#include "moorea/plane_change.h"
#include "moorea/simulation.h"

#pragma GCC visibility push(default)
namespace moorea {

/// An unbounded plane on the CPU that is advanced as cells by kernels, or as a tree by HashLife, whichever is
/// measured to be faster; both are exact. A Simulation advances its planes in the same way, with numbers of
/// 64 bits, observers and other devices.
///
/// Threads: not thread-safe; at most one thread may use a FarPlane at a time.
class FarPlane {
 public:
  /// Creates a plane of cells with the pattern's cells and generation; a pattern without a position is
  /// centred at (0, 0). Throws Error (usage), with the reason, for another world or options that name a
  /// kernel or a device without such planes, Error (run) for cells in states above 1, Error (memory) if the
  /// cells do not fit.
  static FarPlane of(const Pattern& start, const WorldSpec& world, const Options& options = {});

  /// Creates a plane that begins as a tree, which is not expanded. Throws Error as of() for a pattern does,
  /// and Error (run) for cells beyond coordinates of 2^119.
  static FarPlane of(const CellTree& start, const WorldSpec& world, const Options& options = {});

  /// Creates the plane of a macrocell file, which begins as a tree that is not expanded. `rule` is run
  /// instead of that of the file, if it is not empty. Empty if the file has another format or if its
  /// world is refused. `facts`, if given, receives what else the file has: all of a Pattern but its cells.
  /// Throws Error as read_pattern() and of() do.
  static std::optional<FarPlane> read_tree(const std::string& path, const std::string& rule = "",
                                           const Options& options = {}, Pattern* facts = nullptr);

  /// Why there is no FarPlane of such a world with such options; empty if there is. Throws Error as
  /// plan_run() does.
  static std::string refusal(const WorldSpec& world, const Options& options);

  FarPlane(FarPlane&&) noexcept;
  FarPlane& operator=(FarPlane&&) noexcept;
  ~FarPlane();

  /// Advances by `generations`, 0 or more. Returns false if `go_on`, which is called many times per second,
  /// returned false; then the cells are those of generation(), which may be an earlier one. Throws Error
  /// (memory) if neither cells nor nodes fit, Error (usage) for a negative number.
  bool step(const BigInteger& generations, const std::function<bool()>& go_on = {});

  const BigInteger& generation() const;
  void set_generation(const BigInteger& generation);

  BigInteger population() const;
  /// Smallest box that contains all live cells; empty if there are none.
  std::optional<BigBox> bounding_box() const;
  /// Grid::hash of the live cells at their coordinates.
  std::uint64_t hash() const;

  /// How the plane is advanced at present; empty while it is cells.
  std::optional<TreeFacts> tree() const;
  /// Changes between cells and a tree so far, with generations that count from the beginning.
  const std::vector<PlaneChange>& changes() const;
  /// Last generation, of those at which `go_on` was called, at which no live cell had met the edge of the
  /// largest plane of cells that memory allows; later cells may differ from those of an unbounded plane.
  /// Empty if none has met it.
  const std::optional<BigInteger>& edge_met() const;

  const WorldSpec& world() const;
  const RunPlan& plan() const;
  int threads() const;  ///< maximum number of CPU threads

  /// The plane as a tree with the same generation, which can be cropped and written. Throws Error (memory).
  HashLife into_tree() &&;

 private:
  struct State;
  explicit FarPlane(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace moorea
#pragma GCC visibility pop
