// SPDX-License-Identifier: MIT
// Steps, memory and collections of the engine; engine_phases.cpp evaluates queues.
#include "trees/engine.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "moorea/error.h"
#include "moorea/support/bytes.h"
#include "trees/universe.h"

namespace moorea {
namespace {

// Evaluations are nested as deep as the tree.
constexpr std::size_t max_reach_bits = 4200;

// Ends a step between two phases.
struct Interruption {};

// Memory is compared with the limit, and the caller asked whether to go on, when this many nodes may have
// been made since the last time.
constexpr std::size_t nodes_between_checks = std::size_t{1} << 14;

// A collection that removes less with the results kept removes them too.
constexpr double min_removed = 0.4;

// A limit that leaves less room after a collection would be followed by the next one soon.
constexpr double max_used_after = 0.92;

// The smallest level of which a centre's cells are known after less than `reach` generations.
int step_level(const BigInteger& reach) {
  const BigInteger last = reach - 1;
  if (last.bit_length() > max_reach_bits)
    throw Error(fmt::format("a step of 2^{} generations or more, or a world as large: divide it",
                            last.bit_length() - 1),
                ErrorKind::usage);
  return std::max(leaf_level + 2, static_cast<int>(last.bit_length()) + 2);
}

}  // namespace

void Remainders::make_room(std::size_t nodes, bool huge_pages) {
  if (nodes <= size()) return;
  if (!memory_.grow(nodes * sizeof(NodeIndex), huge_pages))
    throw Error(
        "the system grants no more memory for the results of the tree's nodes: give it a limit of "
        "memory, or free some",
        ErrorKind::memory);
}

void Remainders::shrink(std::size_t size) {
  if (size >= this->size()) return;
  // What shares a page with the values that are kept
  const std::size_t page_end = std::min(this->size(), (size / 1024 + 1) * 1024);
  std::fill(values() + size, values() + page_end, 0);
  memory_.release_beyond(size * sizeof(NodeIndex));
}

bool HashLifeEngine::advance(Universe& universe, const BigInteger& generations, const BaseSteps& base,
                             int phase) {
  if (generations.is_zero()) return true;
  Universe work = trimmed(store_, universe);
  if (work.root == empty_node) {
    universe = {};
    return true;
  }
  const BigInteger reach = generations + BigInteger::power_of_two(static_cast<std::size_t>(work.level - 1));
  work = padded(store_, work, step_level(reach));
  base_ = &base;
  make_plan(work.level, generations, phase);
  const std::optional<NodeIndex> result = evaluated(universe, work);
  if (result) universe = trimmed(store_, {work.level - 1, *result});
  return result.has_value();
}

bool HashLifeEngine::advance_torus(Universe& tile, const BigInteger& generations, const BaseSteps& base,
                                   int phase) {
  if (generations.is_zero() || tile.root == empty_node) return true;
  // The result's corner is 2^(level - 2) cells from that of the repeated square: a multiple of the tile's
  // side
  const int level = std::max(step_level(generations + 1), tile.level + 2);
  Universe work = tile;
  for (; work.level < level; ++work.level)
    work.root = store_.join(work.level + 1, {work.root, work.root, work.root, work.root});
  base_ = &base;
  make_plan(level, generations, phase);
  const std::optional<NodeIndex> result = evaluated(tile, work);
  if (!result) return false;
  tile.root = *result;
  for (int at = level - 1; at > tile.level; --at) tile.root = store_.child(at, tile.root, Quadrant::nw);
  return true;
}

void HashLifeEngine::make_plan(int level, const BigInteger& generations, int phase) {
  remainders_.resize(std::max(remainders_.size(), static_cast<std::size_t>(level) + 1));
  plan_.assign(static_cast<std::size_t>(level) + 1, {});
  base_generations_ = static_cast<int>(generations.low_bits(3).as_unsigned().value_or(0));
  // The lowest digit that differs decides which levels have another remainder
  bool lower_digits = base_generations_ != 0, is_known = phase == planned_phase_;
  for (std::size_t bit = 0; bit < 3; ++bit) is_known = is_known && generations.bit(bit) == planned_.bit(bit);
  if (!is_known) remainders_[leaf_level + 1].clear();
  for (std::size_t at = leaf_level + 2; at <= static_cast<std::size_t>(level); ++at) {
    plan_[at] = {generations.bit(at - 3), lower_digits};
    lower_digits = lower_digits || generations.bit(at - 3);
    is_known = is_known && generations.bit(at - 3) == planned_.bit(at - 3);
    if (!is_known) remainders_[at].clear();
  }
  plan_.back().is_used = true;
  for (auto at = static_cast<std::size_t>(level); at > leaf_level + 1 && plan_[at].late_remainder; --at)
    plan_[at - 1].is_used = true;
  for (std::size_t at = static_cast<std::size_t>(level) + 1; at < remainders_.size(); ++at)
    remainders_[at].clear();
  planned_ = generations;
  planned_phase_ = phase;
}

std::optional<NodeIndex> HashLifeEngine::evaluated(Universe& kept, Universe& work) {
  universes_ = {&kept, &work};
  const auto depths = static_cast<std::size_t>(work.level - leaf_level);
  while (frames_.size() < depths) frames_.emplace_back();
  Frame& first = enter(0, work.level, Target::remainder);
  first.queue.entries.push_back({store_.children(work.level, work.root), work.root});
  room_at(work.level, 0);
  try {
    process_as<Target::remainder>(0);
  } catch (const Interruption&) {
    forget_markers();
    universes_.clear();
    return {};
  } catch (...) {
    forget_markers();
    universes_.clear();
    throw;
  }
  const NodeIndex result = first.queue.results[0];
  for (Frame& frame : frames_) frame.queue.clear();
  universes_.clear();
  return result;
}

HashLifeEngine::Frame& HashLifeEngine::enter(std::size_t depth, int level, Target target) {
  Frame& frame = frames_[depth];
  frame.target = target;
  frame.level = level;
  frame.queue.clear();
  return frame;
}

// Nodes whose evaluation an error has ended are again without a result.
void HashLifeEngine::forget_markers() {
  for (Frame& frame : frames_) {
    for (const QueueEntry& entry : frame.queue.entries) {
      const auto forget = [&](auto field) {
        if (field.read(entry.index) >= first_marker) field.write(entry.index, no_result);
      };
      if (frame.target == Target::full) {
        forget(field<Target::full>(frame.level));
      } else {
        forget(field<Target::remainder>(frame.level));
      }
    }
    frame.queue.clear();
    frame.early.clear();
    frame.late.clear();
  }
}

void HashLifeEngine::forget_results() {
  for (int level = leaf_level + 1; level <= store_.levels(); ++level) {
    NodeArena<Node>& nodes = store_.level(level);
    for (NodeIndex node = 1; node < nodes.size(); ++node) nodes[node].result = no_result;
  }
  for (Remainders& remainders : remainders_) remainders.clear();
}

std::size_t HashLifeEngine::bytes() const {
  std::size_t sum = store_.bytes() + team_.bytes();
  for (std::size_t level = 0; level < remainders_.size(); ++level) {
    if (!remainders_[level].empty())
      sum += resident_bytes(remainders_[level].used_bytes(store_.level(static_cast<int>(level)).size()),
                            options_.huge_pages);
  }
  for (const Frame& frame : frames_)
    sum += frame.queue.entries.capacity() * sizeof(QueueEntry) +
           4 * (frame.early.capacity() + frame.late.capacity());
  return sum;
}

NodeArena<Node>& HashLifeEngine::room_at(int level, std::size_t count) {
  NodeArena<Node>& nodes = store_.level(level);
  check_memory(count, nodes.bytes_to_make_room(count));
  nodes.make_room(count);
  if (plan_[static_cast<std::size_t>(level)].is_used)
    remainders(level).make_room(nodes.size() + nodes.room(), options_.huge_pages);
  return nodes;
}

NodeArena<LeafRows>& HashLifeEngine::room_for_leaves(std::size_t count) {
  check_memory(count, store_.leaves().bytes_to_make_room(count));
  store_.leaves().make_room(count);
  return store_.leaves();
}

void HashLifeEngine::check_memory(std::size_t nodes, std::size_t growth) {
  if (options_.collects && options_.collects()) collect_now(min_removed);
  const bool grows = growth > nodes * sizeof(LeafRows);
  if (!grows && unchecked_ >= nodes) {
    unchecked_ -= nodes;
    return;
  }
  unchecked_ = std::max(nodes_between_checks, nodes);
  if (go_on_ && !go_on_()) throw Interruption();
  if (options_.memory == 0) return;
  const std::size_t margin = nodes_between_checks * sizeof(Node);
  if (bytes() + growth + margin <= options_.memory) return;
  collect_now(min_removed);
  if (static_cast<double>(bytes()) <= max_used_after * static_cast<double>(options_.memory)) return;
  collect_now(1);
  if (static_cast<double>(bytes()) <= max_used_after * static_cast<double>(options_.memory)) return;
  throw Error(fmt::format("HashLife needs more than {} for the nodes in use: raise the limit of memory, or "
                          "compute fewer generations at a time",
                          human_bytes(static_cast<double>(options_.memory))),
              ErrorKind::memory);
}

void HashLifeEngine::collect(Universe& universe) {
  universes_ = {&universe};
  collect_now(min_removed);
  universes_.clear();
}

void HashLifeEngine::collect_now(double share) {
  ++collections_;
  moorea::collect({store_, remainders_, [this](const NodeVisitor& visit) { visit_roots(visit); }}, share);
  for (Frame& frame : frames_) {
    for (QueueEntry& entry : frame.queue.entries) entry.key = store_.children(frame.level, entry.index);
  }
}

void HashLifeEngine::visit_roots(const NodeVisitor& visit) {
  for (Universe* const universe : universes_) visit(universe->level, universe->root);
  for (Frame& frame : frames_) {
    for (QueueEntry& entry : frame.queue.entries) visit(frame.level, entry.index);
    for (NodeIndex& result : frame.queue.results) visit(frame.level - 1, result);
    for (std::vector<NodeIndex>* const squares : {&frame.early, &frame.late}) {
      for (NodeIndex& square : *squares)
        if (square < first_marker) visit(frame.level - 2, square);
    }
  }
}

}  // namespace moorea
