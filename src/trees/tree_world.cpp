// SPDX-License-Identifier: MIT
#include "trees/tree_world.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "model/bits.h"
#include "moorea/error.h"

namespace moorea {
namespace {

bool is_power_of_two(std::int64_t n) { return n > 0 && std::has_single_bit(static_cast<std::uint64_t>(n)); }
int digits_of(std::int64_t power) { return std::countr_zero(static_cast<std::uint64_t>(power)); }

// The rule of stored cells, which are complemented while the background is alive, from a generation with
// background `now` to one with `next`.
Rule stored_rule(const Rule& rule, bool now, bool next) {
  Rule::Table table{};
  for (unsigned stored = 0; stored < 512; ++stored) {
    const bool alive = rule.next(now ? ~stored & 0x1FF : stored);
    table[stored / 64] |= static_cast<std::uint64_t>(alive != next) << stored % 64;
  }
  return Rule(table);
}

bool background_after(const Rule& rule, bool background) { return rule.next(background ? 0x1FFu : 0u); }

// The background from which steps start: it stays, or returns every second generation.
bool settled(const Rule& rule) { return rule.births_from_nothing() && background_after(rule, true); }

BaseSteps steps_from(const Rule& rule, bool background, const MakeBase& make) {
  const bool next = background_after(rule, background);
  return make(stored_rule(rule, background, next), stored_rule(rule, next, background_after(rule, next)));
}

int tile_level(const WorldSpec& world) {
  return std::max({leaf_level, digits_of(world.width), digits_of(world.height)});
}

std::uint64_t name_of(int level, NodeIndex node) { return static_cast<std::uint64_t>(level) << 32 | node; }

// A row of a leaf of a torus so wide.
std::uint64_t row_once(std::uint64_t row, std::int64_t width) {
  return row & tail_mask(std::min<std::int64_t>(width, 16));
}

std::uint64_t row_repeated(std::uint64_t row, std::int64_t width) {
  for (; width < 16; width *= 2) row |= row << width;
  return row;
}

void complement(const GridView& cells) {
  for (std::int64_t y = 0; y < cells.height; ++y) {
    for (std::uint64_t& word : cells.row(y)) word = ~word;
    if (cells.width > 0) cells.row(y).back() &= tail_mask(cells.width);
  }
}

}  // namespace

const char* TreeWorld::refusal(const WorldSpec& world) {
  if (world.rule.states() > 2)
    return "squares of a tree have cells of two states, and the rule has more: choose another kernel";
  if (!world.rule.has_nine_cells())
    return "squares of a tree need rules of a cell and its eight neighbours: choose another kernel";
  switch (world.topology) {
    case Topology::unbounded:
      return nullptr;
    case Topology::torus:
      if (is_power_of_two(world.width) && is_power_of_two(world.height)) return nullptr;
      return "squares of a tree fit a torus only if its width and height are powers of two: choose such a "
             "size, or "
             "another kernel";
    case Topology::plane:
      return "cells at the edge of a bounded plane follow other rules than those inside, which squares of a "
             "tree "
             "cannot share: choose an unbounded plane, a torus or another kernel";
    case Topology::surface:
      break;
  }
  return "a surface has no squares: choose a kernel of cpu/mesh, cuda/mesh or opencl/mesh";
}

TreeWorld::TreeWorld(const WorldSpec& world, const MakeBase& make_base, const EngineOptions& engine,
                     const StoreOptions& store)
    : world_(world),
      store_(store),
      engine_(store_, engine),
      settled_background_(settled(world.rule)),
      base_(steps_from(world.rule, settled_background_, make_base)) {
  if (const char* reason = refusal(world))
    throw Error(fmt::format("HashLife cannot have this world: {}", reason), ErrorKind::unavailable);
  if (world.rule.births_from_nothing()) first_base_ = steps_from(world.rule, !settled_background_, make_base);
  if (world.is_torus()) universe_.level = tile_level(world);
}

Position TreeWorld::corner() const {
  if (!world_.is_torus()) return {};
  const std::int64_t half = std::int64_t{1} << (universe_.level - 1);
  return {-half, -half};
}

Universe TreeWorld::cells_once() const {
  if (!world_.is_torus()) return universe_;
  Made made;
  return {universe_.level, once(universe_.level, universe_.root, made)};
}

// The cells of a torus that begins at the node's corner, without those that repeat it.
NodeIndex TreeWorld::once(int level, NodeIndex node, Made& made) const {
  if (node == empty_node || (!is_narrow(level) && !is_low(level))) return node;
  if (level == leaf_level) {
    LeafRows rows{}, all = store_.leaf_rows(node);
    for (std::size_t y = 0; y < rows.size() && static_cast<std::int64_t>(y) < world_.height; ++y)
      rows[y] = static_cast<std::uint16_t>(row_once(all[y], world_.width));
    return store_.leaf(rows);
  }
  const std::uint64_t name = name_of(level, node);
  if (const auto known = made.find(name); known != made.end()) return known->second;
  const NodeKey all = store_.children(level, node);
  NodeKey kept = {once(level - 1, all.nw, made), empty_node, empty_node, empty_node};
  if (!is_narrow(level)) kept.ne = once(level - 1, all.ne, made);
  if (!is_low(level)) kept.sw = once(level - 1, all.sw, made);
  return made[name] = store_.join(level, kept);
}

// The reverse: a square of a torus whose cells the node has once.
NodeIndex TreeWorld::repeated(int level, NodeIndex node, Made& made) const {
  if (node == empty_node || (!is_narrow(level) && !is_low(level))) return node;
  if (level == leaf_level) {
    LeafRows rows = store_.leaf_rows(node);
    for (std::size_t y = 0; y < rows.size(); ++y)
      rows[y] = static_cast<std::uint16_t>(
          row_repeated(rows[y % static_cast<std::size_t>(world_.height)], world_.width));
    return store_.leaf(rows);
  }
  const std::uint64_t name = name_of(level, node);
  if (const auto known = made.find(name); known != made.end()) return known->second;
  NodeKey key = store_.children(level, node);
  key.nw = repeated(level - 1, key.nw, made);
  key.ne = is_narrow(level) ? key.nw : repeated(level - 1, key.ne, made);
  key.sw = is_low(level) ? key.nw : repeated(level - 1, key.sw, made);
  key.se = is_low(level) ? key.ne : key.sw;
  return made[name] = store_.join(level, key);
}

void TreeWorld::load(const Grid& cells, Position at) {
  background_ = false;
  if (!world_.is_torus()) {
    universe_ = trimmed(store_, with_cells(store_, {}, cells, at));
    return;
  }
  const Universe none = {universe_.level, empty_node};
  const Box inside = intersect({at.x, at.y, cells.width(), cells.height()}, world_.box());
  if (inside.width == cells.width() && inside.height == cells.height())
    set_torus(with_cells(store_, none, cells, at + corner()));
  else
    set_torus(with_cells(store_, none, cells.crop(inside.translated(-at)), inside.position() + corner()));
}

void TreeWorld::set_torus(const Universe& cells) {
  Made made;
  universe_.root = repeated(cells.level, cells.root, made);
}

void TreeWorld::adopt(const Universe& universe) {
  background_ = false;
  universe_ = trimmed(store_, universe);
}

void TreeWorld::write(const ConstGridView& cells, Position at, PasteMode mode) {
  Box box = {at.x, at.y, cells.width, cells.height};
  if (world_.is_torus()) box = intersect(box, world_.box());
  if (box.empty()) return;
  Grid here(box.width, box.height);
  read(box, here.view());
  here.paste(cells, at - box.position(), mode);
  if (background_) complement(here.view());
  const Universe written = with_cells(store_, cells_once(), here, box.position() + corner());
  if (world_.is_torus())
    set_torus(written);
  else
    universe_ = trimmed(store_, written);
}

void TreeWorld::read(const Box& box, const GridView& to) const {
  const Box inside = world_.is_torus() ? intersect(box, world_.box()) : box;
  if (inside == box) {
    read_cells(store_, universe_, box.translated(corner()), to);
    if (background_) complement(to);
    return;
  }
  // Squares outside a torus repeat it
  Grid cells(inside.width, inside.height);
  read(inside, cells.view());
  const Grid all = cells.crop(box.translated(-inside.position()));
  for (std::int64_t y = 0; y < box.height; ++y)
    std::copy_n(all.row(y), all.words_per_row(), to.row(y).data());
}

bool TreeWorld::advance(const BigInteger& generations, const std::function<bool()>& go_on) {
  BigInteger left = generations;
  engine_.set_go_on(go_on);
  while (background_ != settled_background_ && !left.is_zero()) {
    if (!advance_with(1, *first_base_, 1)) return false;
    background_ = background_after(world_.rule, background_);
    generation_ += 1;
    left -= 1;
  }
  if (!advance_with(left, base_, 0)) return false;
  if (left.bit(0)) background_ = background_after(world_.rule, background_);
  generation_ += left;
  return true;
}

bool TreeWorld::advance_with(const BigInteger& generations, const BaseSteps& base, int phase) {
  if (world_.is_torus()) return engine_.advance_torus(universe_, generations, base, phase);
  return engine_.advance(universe_, generations, base, phase);
}

BigInteger TreeWorld::population() const {
  const BigInteger stored = moorea::population(store_, universe_.level, universe_.root);
  if (!world_.is_torus()) return stored;
  const int copies = 2 * universe_.level - digits_of(world_.width) - digits_of(world_.height);
  const BigInteger once = stored >> static_cast<std::size_t>(copies);
  if (!background_) return once;
  return BigInteger::power_of_two(static_cast<std::size_t>(2 * universe_.level - copies)) - once;
}

std::optional<Extent> TreeWorld::extent() const { return extent_of(store_, universe_); }

}  // namespace moorea
