// SPDX-License-Identifier: MIT
// A world as a tree: an unbounded plane, or a torus whose sides are powers of two, under any life-like rule.
// Cells are stored relative to the background, the state of all cells far away, so that empty squares stay
// empty under rules with B0: if all dead cells become alive, the stored rule is the one seen from the new
// background. With B0 and without S8 the background alternates, and two stored rules do.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>

#include "moorea/big_integer.h"
#include "moorea/grid.h"
#include "moorea/world_spec.h"
#include "trees/engine.h"
#include "trees/universe.h"

namespace moorea {

/// Makes the base case for alternating generations of two rules.
using MakeBase = std::function<BaseSteps(const Rule& even, const Rule& odd)>;

class TreeWorld {
 public:
  /// A world without live cells. Throws Error (unavailable) for worlds that trees cannot have; refusal() is
  /// the reason.
  TreeWorld(const WorldSpec& world, const MakeBase& make_base, const EngineOptions& engine,
            const StoreOptions& store);
  /// With the engine's pages.
  TreeWorld(const WorldSpec& world, const MakeBase& make_base, const EngineOptions& engine)
      : TreeWorld(world, make_base, engine, StoreOptions{.huge_pages = engine.huge_pages}) {}
  TreeWorld(const TreeWorld&) = delete;
  TreeWorld& operator=(const TreeWorld&) = delete;

  /// Why trees cannot have such a world; null if they can.
  static const char* refusal(const WorldSpec& world);

  /// Replaces all cells by those of a grid, its top-left one at `at`; the background is dead. Throws Error
  /// (memory).
  void load(const Grid& cells, Position at);
  /// Replaces all cells of a plane by those of `universe`, a tree in store(); the background is dead.
  void adopt(const Universe& universe);

  /// Combines cells with those that are there; on a torus those outside are dropped. Throws Error (memory).
  void write(const ConstGridView& cells, Position at, PasteMode mode);
  /// Copies the cells inside `box`; outside a torus all are dead.
  void read(const Box& box, const GridView& to) const;

  /// Advances, and adds to generation(). Returns false if `go_on` returned false, and throws Error (memory)
  /// if the nodes in use exceed the limit; the world is at the generation that generation() says in both
  /// cases.
  bool advance(const BigInteger& generations, const std::function<bool()>& go_on = {});

  const BigInteger& generation() const { return generation_; }
  void set_generation(const BigInteger& generation) { generation_ = generation; }

  /// Whether the cells far away are alive; on a torus, a detail of the representation.
  bool background() const { return background_; }
  /// Live cells; of a plane with a live background, the dead ones.
  BigInteger population() const;
  /// Extent of the stored cells of universe(), in which those of a torus are repeated.
  std::optional<Extent> extent() const;

  /// Whether the stored cells of cells_once() are those of the world: not on a torus with a live background,
  /// where they are the dead ones.
  bool has_cells() const { return !world_.is_torus() || !background_; }
  /// The stored cells, those of a torus once, at `corner()` and not repeated.
  Universe cells_once() const;
  /// Position of the world's cell (0, 0) in the universe.
  Position corner() const;

  const WorldSpec& world() const { return world_; }
  NodeStore& store() const { return store_; }
  const Universe& universe() const { return universe_; }
  HashLifeEngine& engine() { return engine_; }

 private:
  bool advance_with(const BigInteger& generations, const BaseSteps& base, int phase);
  // Nodes that were made from others, by level and number of these.
  using Made = std::unordered_map<std::uint64_t, NodeIndex>;

  void set_torus(const Universe& cells);
  NodeIndex once(int level, NodeIndex node, Made& made) const;
  NodeIndex repeated(int level, NodeIndex node, Made& made) const;
  bool is_narrow(int level) const { return world_.width < std::int64_t{1} << level; }
  bool is_low(int level) const { return world_.height < std::int64_t{1} << level; }

  WorldSpec world_;
  mutable NodeStore store_;  // queries of universes may make nodes
  HashLifeEngine engine_;
  Universe universe_;
  BigInteger generation_;
  bool background_ = false;
  bool settled_background_;              // the background of even generations, from which FULL results start
  BaseSteps base_;                       // from the settled background on
  std::optional<BaseSteps> first_base_;  // one generation from the other background, if a world can have it
};

}  // namespace moorea
