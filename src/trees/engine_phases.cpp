// SPDX-License-Identifier: MIT
// Evaluation of queues. A batch of nodes of level k takes three phases of look-ups, each followed by the
// evaluation of those squares that have no result yet:
//   early   nine squares of half the side, and their results or centres: level k - 2, at the intermediate
//   time late    four squares of four of these, and their results or centres: level k - 2, at the end finish
//   the square of these four, level k - 1, is the result
#include <algorithm>

#include "trees/engine.h"

namespace moorea {
namespace {

constexpr std::size_t early_squares = 9, late_squares = 4;
constexpr std::size_t base_squares = 4;    // look-ups that take as long as a node of the base case
constexpr std::size_t fetch_distance = 6;  // nodes of a batch whose children are fetched in advance

constexpr auto store_index = [](const auto&, NodeIndex index, NodeIndex* to) { *to = index; };
constexpr auto fetch_nothing = [](NodeIndex) {};

template <Absent absent, class Item, class Found, class Fetch>
auto lookups(NodeArena<Item>& arena, Found found, Fetch fetch, WaitingKeys<Item>* waiting = nullptr) {
  return Lookups<Item, absent, Found, Fetch>(arena, found, fetch, waiting);
}

// The square in the centre of four squares.
NodeKey centre_key(const NodeArena<Node>& nodes, const std::array<NodeIndex, 4>& four) {
  return {nodes[four[0]].children.se, nodes[four[1]].children.sw, nodes[four[2]].children.ne,
          nodes[four[3]].children.nw};
}

LeafRows centre_key(const NodeArena<LeafRows>& leaves, const std::array<NodeIndex, 4>& four) {
  const LeafRows &nw = leaves[four[0]], &ne = leaves[four[1]], &sw = leaves[four[2]], &se = leaves[four[3]];
  LeafRows rows;
  for (std::size_t y = 0; y < 8; ++y) {
    rows[y] = static_cast<std::uint16_t>(nw[y + 8] >> 8 | ne[y + 8] << 8);
    rows[y + 8] = static_cast<std::uint16_t>(sw[y] >> 8 | se[y] << 8);
  }
  return rows;
}

[[gnu::always_inline]] inline void prefetch_children(const NodeArena<Node>& nodes, const NodeKey& key) {
  for (const NodeIndex child : {key.nw, key.ne, key.sw, key.se}) prefetch_item(&nodes[child]);
}

// The sixteen grandchildren of a node, row by row.
std::array<NodeIndex, 16> grandchildren(const NodeArena<Node>& nodes, const NodeKey& key) {
  const NodeKey nw = nodes[key.nw].children, ne = nodes[key.ne].children;
  const NodeKey sw = nodes[key.sw].children, se = nodes[key.se].children;
  return {nw.nw, nw.ne, ne.nw, ne.ne, nw.sw, nw.se, ne.sw, ne.se,
          sw.nw, sw.ne, se.nw, se.ne, sw.sw, sw.se, se.sw, se.se};
}

}  // namespace

template <>
ResultField<Target::full> HashLifeEngine::field<Target::full>(int level) {
  return ResultField<Target::full>(store_.level(level).items());
}

template <>
ResultField<Target::remainder> HashLifeEngine::field<Target::remainder>(int level) {
  return ResultField<Target::remainder>(remainders_[static_cast<std::size_t>(level)].values());
}

// Of the nodes that are left in a queue: many for a team, and for the caller alone as many as the caches
// hold.
std::size_t HashLifeEngine::batch_size(std::size_t left) {
  if (left <= alone_batch || options_.batch <= alone_batch || team_.wants_large_batches())
    return std::min(options_.batch, left);
  return alone_batch;
}

template <Target target>
void HashLifeEngine::process_as(std::size_t depth) {
  Frame& frame = frames_[depth];
  const std::size_t count = frame.queue.entries.size();
  frame.queue.results.assign(count, empty_node);
  evaluations_ += count;
  if (frame.level == leaf_level + 1) {
    process_base<target>(depth);
    return;
  }
  const LevelPlan plan = plan_[static_cast<std::size_t>(frame.level)];
  for (std::size_t first = 0, size = 0; first < count; first += size) {
    size = batch_size(count - first);
    const Batch batch = {depth, frame.level, first, size};
    if (target == Target::full || plan.early_full) {
      early_full_lookups(batch);
      evaluate_missing(depth);
    } else {
      early_centres(batch);
    }
    if (target == Target::full) {
      late_lookups<Target::full>(batch);
      evaluate_missing(depth);
    } else if (plan.late_remainder) {
      late_lookups<Target::remainder>(batch);
      evaluate_missing(depth);
    } else {
      late_centres(batch);
    }
    finish<target>(batch);
  }
}

template void HashLifeEngine::process_as<Target::full>(std::size_t depth);
template void HashLifeEngine::process_as<Target::remainder>(std::size_t depth);

// Calls keys(first, last, lookups) for parts of the phase, which pushes the keys of their nodes. Threads of a
// team call found_shared(index, to) for nodes that are there; keys of those that are not, or for which it
// returns false, wait for `found`.
template <class Item, class Keys, class Found, class FoundShared, class Fetch>
void HashLifeEngine::look_up(const Phase& phase, NodeArena<Item>& arena, const Keys& keys, const Found& found,
                             const FoundShared& found_shared, const Fetch& fetch) {
  auto ring = lookups<Absent::stored>(arena, found, fetch);
  const int threads = team_.begin(phase);
  if (threads < 2) {
    keys(std::size_t{0}, phase.count, ring);
  } else {
    share(threads, phase, arena, keys, found_shared, fetch, ring);
  }
  ring.finish();
  team_.end();
}

template <class Item, class Keys, class FoundShared, class Fetch, class Ring>
void HashLifeEngine::share(int threads, const Phase& phase, NodeArena<Item>& arena, const Keys& keys,
                           const FoundShared& found_shared, const Fetch& fetch, Ring& ring) {
  team_.run<Item>(
      threads, phase,
      [&](std::size_t first, std::size_t last, PhasePart& part) {
        WaitingKeys<Item>& waiting = part.template waiting<Item>();
        const auto found_here = [&](const auto& key, NodeIndex index, NodeIndex* to) {
          if (!found_shared(index, to)) waiting.push_back({packed(key), to});
        };
        auto shared = lookups<Absent::listed>(arena, found_here, fetch, &waiting);
        keys(first, last, shared);
        shared.finish();
      },
      [&](PhasePart& part) {
        for (const auto& [key, to] : part.template waiting<Item>()) ring.push(key, to);
      });
}

// Look-ups of nodes and their results; those without one join the queue.
template <Target target, class Keys>
void HashLifeEngine::look_up_results(const Phase& phase, NodeArena<Node>& arena, NodeQueue& queue,
                                     const Keys& keys) {
  const auto field = this->field<target>(phase.level);
  look_up(
      phase, arena, keys,
      [field, &queue](const auto& key, NodeIndex index, NodeIndex* to) {
        want_result(field, unpacked(key), index, queue, to);
      },
      [field](NodeIndex index, NodeIndex* to) {
        const NodeIndex result = field.read(index);
        if (result >= first_marker) return false;
        *to = result;
        return true;
      },
      [field](NodeIndex index) __attribute__((always_inline)) { field.prefetch(index); });
}

template <class Item, class Keys>
void HashLifeEngine::look_up_indices(const Phase& phase, NodeArena<Item>& arena, const Keys& keys) {
  look_up(
      phase, arena, keys, store_index,
      [](NodeIndex index, NodeIndex* to) {
        *to = index;
        return true;
      },
      fetch_nothing);
}

// Evaluates the queue of the frame below, and puts the results where their places are.
void HashLifeEngine::evaluate_missing(std::size_t depth) {
  Frame& below = frames_[depth + 1];
  if (below.queue.entries.empty()) return;
  if (below.target == Target::full) {
    process_as<Target::full>(depth + 1);
  } else {
    process_as<Target::remainder>(depth + 1);
  }
  below.queue.distribute();
  below.queue.clear();
}

void HashLifeEngine::early_full_lookups(const Batch& batch) {
  Frame& frame = frames_[batch.depth];
  NodeQueue& queue = enter(batch.depth + 1, batch.level - 1, Target::full).queue;
  NodeArena<Node>& nodes = room_at(batch.level - 1, 5 * batch.count);
  frame.early.resize(early_squares * batch.count);
  const QueueEntry* const entries = frame.queue.entries.data() + batch.first;
  NodeIndex* const early = frame.early.data();
  const Phase phase = {PhaseKind::early, batch.level - 1, batch.count, early_squares};
  look_up_results<Target::full>(
      phase, nodes, queue,
      [ =, &nodes ](std::size_t first, std::size_t last, auto& ring) __attribute__((always_inline)) {
        for (std::size_t i = first; i < last; ++i) {
          prefetch_children(nodes, entries[std::min(i + fetch_distance, last - 1)].key);
          const NodeKey& key = entries[i].key;
          NodeIndex* const to = early + early_squares * i;
          const NodeKey nw = nodes[key.nw].children, ne = nodes[key.ne].children;
          const NodeKey sw = nodes[key.sw].children, se = nodes[key.se].children;
          ring.known(nw, key.nw, to + 0);
          ring.known(ne, key.ne, to + 2);
          ring.known(sw, key.sw, to + 6);
          ring.known(se, key.se, to + 8);
          ring.push(packed(NodeKey{nw.ne, ne.nw, nw.se, ne.sw}), to + 1);
          ring.push(packed(NodeKey{nw.sw, nw.se, sw.nw, sw.ne}), to + 3);
          ring.push(packed(NodeKey{nw.se, ne.sw, sw.ne, se.nw}), to + 4);
          ring.push(packed(NodeKey{ne.sw, ne.se, se.nw, se.ne}), to + 5);
          ring.push(packed(NodeKey{sw.ne, se.nw, sw.se, se.sw}), to + 7);
        }
      });
}

void HashLifeEngine::early_centres(const Batch& batch) {
  const std::size_t count = early_squares * batch.count;
  if (batch.level == leaf_level + 2) {
    early_centres_of(batch, room_for_leaves(count));
  } else {
    early_centres_of(batch, room_at(batch.level - 2, count));
  }
}

template <class Item>
void HashLifeEngine::early_centres_of(const Batch& batch, NodeArena<Item>& arena) {
  Frame& frame = frames_[batch.depth];
  const NodeArena<Node>& children = store_.level(batch.level - 1);
  frame.early.resize(early_squares * batch.count);
  const QueueEntry* const entries = frame.queue.entries.data() + batch.first;
  NodeIndex* const early = frame.early.data();
  const Phase phase = {PhaseKind::early, batch.level - 2, batch.count, early_squares};
  look_up_indices(
      phase, arena,
      [ =, &arena, &children ](std::size_t first, std::size_t last, auto& ring)
          __attribute__((always_inline)) {
            for (std::size_t i = first; i < last; ++i) {
              prefetch_children(children, entries[std::min(i + 2 * fetch_distance, last - 1)].key);
              const NodeKey& next = entries[std::min(i + fetch_distance, last - 1)].key;
              for (const NodeIndex square : grandchildren(children, next)) __builtin_prefetch(&arena[square]);
              const std::array<NodeIndex, 16> squares = grandchildren(children, entries[i].key);
              NodeIndex* to = early + early_squares * i;
              for (std::size_t y = 0; y < 12; y += 4) {
                for (std::size_t x = y; x < y + 3; ++x)
                  ring.push(
                      packed(centre_key(arena, {squares[x], squares[x + 1], squares[x + 4], squares[x + 5]})),
                      to++);
              }
            }
          });
}

template <Target target>
void HashLifeEngine::late_lookups(const Batch& batch) {
  Frame& frame = frames_[batch.depth];
  NodeQueue& queue = enter(batch.depth + 1, batch.level - 1, target).queue;
  NodeArena<Node>& nodes = room_at(batch.level - 1, late_squares * batch.count);
  frame.late.resize(late_squares * batch.count);
  const NodeIndex* const early = frame.early.data();
  NodeIndex* const late = frame.late.data();
  const Phase phase = {PhaseKind::late, batch.level - 1, batch.count, late_squares};
  look_up_results<target>(
      phase, nodes,
      queue, [=](std::size_t first, std::size_t last, auto& ring) __attribute__((always_inline)) {
        for (std::size_t i = first; i < last; ++i) {
          const NodeIndex* const from = early + early_squares * i;
          NodeIndex* const to = late + late_squares * i;
          ring.push(packed(NodeKey{from[0], from[1], from[3], from[4]}), to);
          ring.push(packed(NodeKey{from[1], from[2], from[4], from[5]}), to + 1);
          ring.push(packed(NodeKey{from[3], from[4], from[6], from[7]}), to + 2);
          ring.push(packed(NodeKey{from[4], from[5], from[7], from[8]}), to + 3);
        }
      });
  frame.early.clear();
}

void HashLifeEngine::late_centres(const Batch& batch) {
  const std::size_t count = late_squares * batch.count;
  if (batch.level == leaf_level + 2) {
    late_centres_of(batch, room_for_leaves(count));
  } else {
    late_centres_of(batch, room_at(batch.level - 2, count));
  }
  frames_[batch.depth].early.clear();
}

template <class Item>
void HashLifeEngine::late_centres_of(const Batch& batch, NodeArena<Item>& arena) {
  Frame& frame = frames_[batch.depth];
  frame.late.resize(late_squares * batch.count);
  const NodeIndex* const early = frame.early.data();
  NodeIndex* const late = frame.late.data();
  const Phase phase = {PhaseKind::late, batch.level - 2, batch.count, late_squares};
  look_up_indices(
      phase, arena,
      [ =, &arena ](std::size_t first, std::size_t last, auto& ring) __attribute__((always_inline)) {
        for (std::size_t i = first; i < last; ++i) {
          const std::size_t next = early_squares * std::min(i + fetch_distance, last - 1);
          for (std::size_t k = 0; k < early_squares; ++k) __builtin_prefetch(&arena[early[next + k]]);
          const NodeIndex* const from = early + early_squares * i;
          NodeIndex* to = late + late_squares * i;
          for (const std::size_t at : {0, 1, 3, 4})
            ring.push(packed(centre_key(arena, {from[at], from[at + 1], from[at + 3], from[at + 4]})), to++);
        }
      });
}

template <Target target>
void HashLifeEngine::finish(const Batch& batch) {
  Frame& frame = frames_[batch.depth];
  NodeArena<Node>& nodes = room_at(batch.level - 1, batch.count);
  NodeIndex* const results = frame.queue.results.data() + batch.first;
  const NodeIndex* const late = frame.late.data();
  const Phase phase = {PhaseKind::finish, batch.level - 1, batch.count, 1};
  look_up_indices(
      phase, nodes, [=](std::size_t first, std::size_t last, auto& ring) __attribute__((always_inline)) {
        for (std::size_t i = first; i < last; ++i) {
          const NodeIndex* const from = late + late_squares * i;
          ring.push(packed(NodeKey{from[0], from[1], from[2], from[3]}), results + i);
        }
      });
  frame.late.clear();
  const auto field = this->field<target>(batch.level);
  const QueueEntry* const entries = frame.queue.entries.data() + batch.first;
  for (std::size_t i = 0; i < batch.count; ++i) field.write(entries[i].index, results[i]);
}

template <Target target>
void HashLifeEngine::process_base(std::size_t depth) {
  NodeQueue& queue = frames_[depth].queue;
  const std::size_t count = queue.entries.size();
  const int generations = target == Target::full ? BaseSteps::max_generations : base_generations_;
  const auto width = static_cast<std::size_t>(base_->squares());
  for (std::size_t from = 0, end = 0; from < count; from = end) {
    end = from + batch_size(count - from);
    NodeArena<LeafRows>& leaves = room_for_leaves(end - from);
    const QueueEntry* const entries = queue.entries.data() + from;
    NodeIndex* const results = queue.results.data() + from;
    const Phase phase = {PhaseKind::base, leaf_level, end - from, base_squares};
    look_up_indices(
        phase, leaves,
        [ =, &leaves, this ](std::size_t first, std::size_t last, auto& ring) __attribute__((always_inline)) {
          std::array<LeafSquare, BaseSteps::max_squares> squares;
          std::array<LeafRows, BaseSteps::max_squares> centres;
          for (std::size_t i = first; i < last; ++i) {
            const NodeKey& key = entries[i].key;
            for (const NodeIndex leaf : {key.nw, key.ne, key.sw, key.se}) __builtin_prefetch(&leaves[leaf]);
          }
          for (std::size_t i = first; i < last; i += width) {
            const std::size_t together = std::min(width, last - i);
            for (std::size_t k = 0; k < together; ++k) {
              const NodeKey& key = entries[i + k].key;
              squares[k] = {&leaves[key.nw], &leaves[key.ne], &leaves[key.sw], &leaves[key.se]};
            }
            base_->advance(squares.data(), static_cast<int>(together), generations, centres.data());
            for (std::size_t k = 0; k < together; ++k) ring.push(packed(centres[k]), results + i + k);
          }
        });
    const auto field = this->field<target>(leaf_level + 1);
    for (std::size_t i = 0; i < end - from; ++i) field.write(entries[i].index, results[i]);
  }
}

}  // namespace moorea
