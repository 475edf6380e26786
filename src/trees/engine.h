// SPDX-License-Identifier: MIT
// HashLife (Gosper, "Exploiting regularities in large cellular spaces", Physica D 10, 1984), evaluated level
// by level instead of recursively per node: the look-ups of a queue of nodes are independent, so that their
// memory latencies overlap (lookups.h), and the frames are arrays, so that a collection may run in the middle
// of a step. docs/unbounded.md has drawings.
//
// A step of any number of generations T costs what the next power of two costs: the first half of a node's
// evaluation uses FULL or no time at all, by a digit of T, and the second half the REM of the digits below.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "moorea/big_integer.h"
#include "trees/base_steps.h"
#include "trees/collector.h"
#include "trees/lookups.h"
#include "trees/node_store.h"
#include "trees/phase_team.h"
#include "trees/results.h"

namespace moorea {

/// Nodes that one thread evaluates together.
constexpr std::size_t alone_batch = 256;

struct EngineOptions {
  std::size_t memory = 0;  ///< bytes of nodes, tables and results at which unused ones are collected; 0: none
  bool huge_pages = true;
  std::size_t batch = alone_batch;  ///< nodes of a queue that are evaluated together
  int threads = 1;                  ///< that may look up the nodes of a batch
  std::size_t always_shares = 0;    ///< for tests: keys per thread for which a team is always used
  std::function<bool()> collects;   ///< for tests: whether to collect before a phase
};

class HashLifeEngine {
 public:
  HashLifeEngine(NodeStore& store, const EngineOptions& options)
      : store_(store), options_(options), team_(options.threads, options.always_shares) {}

  /// Advances a universe whose outside is dead, by rules that keep it dead. `phase` identifies `base`:
  /// results FULL are used with phase 0 only, whose base must always be the same; a step in another phase has
  /// fewer than 8 generations. Returns false if go_on returned false; throws Error (memory) if the nodes in
  /// use do not fit, after which the universe is unchanged.
  bool advance(Universe& universe, const BigInteger& generations, const BaseSteps& base, int phase);

  /// Advances a square of a plane that repeats it in all directions; its coordinates do not matter.
  bool advance_torus(Universe& tile, const BigInteger& generations, const BaseSteps& base, int phase);

  /// Sets what later steps ask between phases whether they go on.
  void set_go_on(const std::function<bool()>& go_on) { go_on_ = go_on; }

  /// Removes all nodes and results that neither the universe nor its future result needs.
  void collect(Universe& universe);

  /// Forgets all results: for another rule.
  void forget_results();

  std::uint64_t evaluations() const { return evaluations_; }
  std::uint64_t collections() const { return collections_; }
  std::size_t bytes() const;

 private:
  /// A queue in evaluation: results of its first nodes, and the squares of its present batch.
  struct Frame {
    Target target = Target::full;
    int level = 0;
    NodeQueue queue;
    std::vector<NodeIndex> early;  ///< nine squares of level - 2 per node, at the intermediate time
    std::vector<NodeIndex> late;   ///< four squares of level - 2 per node, at the end
  };

  /// Execution of REM at a level.
  struct LevelPlan {
    bool early_full = false;      ///< the first half of the evaluation is FULL; otherwise it takes no time
    bool late_remainder = false;  ///< the second half is REM of the level below; otherwise it takes no time
    bool is_used = false;         ///< whether the step needs REM of this level
  };

  /// Nodes of a frame's queue that are evaluated together.
  struct Batch {
    std::size_t depth;
    int level;
    std::size_t first, count;
  };

  void make_plan(int level, const BigInteger& generations, int phase);
  std::optional<NodeIndex> evaluated(Universe& kept, Universe& work);
  template <Target target>
  void process_as(std::size_t depth);
  template <Target target>
  [[gnu::noinline]] void process_base(std::size_t depth);
  template <Target target>
  [[gnu::noinline]] void finish(const Batch& batch);
  std::size_t batch_size(std::size_t left);

  [[gnu::noinline]] void early_full_lookups(const Batch& batch);
  void early_centres(const Batch& batch);
  template <Target target>
  [[gnu::noinline]] void late_lookups(const Batch& batch);
  void late_centres(const Batch& batch);
  template <class Item>
  [[gnu::noinline]] void early_centres_of(const Batch& batch, NodeArena<Item>& arena);
  template <class Item>
  [[gnu::noinline]] void late_centres_of(const Batch& batch, NodeArena<Item>& arena);

  template <class Item, class Keys, class Found, class FoundShared, class Fetch>
  void look_up(const Phase& phase, NodeArena<Item>& arena, const Keys& keys, const Found& found,
               const FoundShared& found_shared, const Fetch& fetch);
  template <class Item, class Keys, class FoundShared, class Fetch, class Ring>
  [[gnu::noinline]] void share(int threads, const Phase& phase, NodeArena<Item>& arena, const Keys& keys,
                               const FoundShared& found_shared, const Fetch& fetch, Ring& ring);
  template <Target target, class Keys>
  void look_up_results(const Phase& phase, NodeArena<Node>& arena, NodeQueue& queue, const Keys& keys);
  template <class Item, class Keys>
  void look_up_indices(const Phase& phase, NodeArena<Item>& arena, const Keys& keys);

  Frame& enter(std::size_t depth, int level, Target target);
  void evaluate_missing(std::size_t depth);
  NodeArena<Node>& room_at(int level, std::size_t count);
  NodeArena<LeafRows>& room_for_leaves(std::size_t count);
  void check_memory(std::size_t nodes, std::size_t growth);
  void collect_now(double min_removed);
  void visit_roots(const NodeVisitor& visit);
  void forget_markers();
  Remainders& remainders(int level) { return remainders_[static_cast<std::size_t>(level)]; }
  template <Target target>
  ResultField<target> field(int level);

  NodeStore& store_;
  EngineOptions options_;
  PhaseTeam team_;
  const BaseSteps* base_ = nullptr;
  std::vector<LevelPlan> plan_;  // of REM, by level
  int base_generations_ = 0;     // of REM at level 5
  BigInteger planned_;           // generations of the step that REM belongs to
  int planned_phase_ = -1;
  std::vector<Remainders> remainders_;  // by level
  std::deque<Frame> frames_;
  std::function<bool()> go_on_;
  std::vector<Universe*> universes_;  // that a collection must keep
  std::size_t unchecked_ = 0;         // nodes that may be made before memory is compared with the limit
  std::uint64_t evaluations_ = 0, collections_ = 0;
};

template <>
ResultField<Target::full> HashLifeEngine::field<Target::full>(int level);
template <>
ResultField<Target::remainder> HashLifeEngine::field<Target::remainder>(int level);

}  // namespace moorea
