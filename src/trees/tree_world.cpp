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

Position TreeWorld::origin() const {
  if (!world_.is_torus()) return {};
  const std::int64_t half = std::int64_t{1} << (universe_.level - 1);
  return {-half, -half};
}

void TreeWorld::load(const Grid& cells, Position at) {
  background_ = false;
  if (!world_.is_torus()) {
    universe_ = trimmed(store_, with_cells(store_, {}, cells, at));
    return;
  }
  if (cells.width() == world_.width && cells.height() == world_.height && at == Position{}) {
    load_torus(cells);
    return;
  }
  Grid all(world_.width, world_.height);
  all.paste(cells, at);
  load_torus(all);
}

// Level by level, squares of which each is in the torus once; a small torus is repeated.
void TreeWorld::load_torus(const Grid& cells) {
  struct Squares {
    std::int64_t columns, rows;
    std::vector<NodeIndex> nodes;
    NodeIndex at(std::int64_t x, std::int64_t y) const {
      return nodes[static_cast<std::size_t>(y % rows * columns + x % columns)];
    }
  };
  const auto sized = [&](int level) {
    const std::int64_t columns = std::max<std::int64_t>(world_.width >> level, 1);
    const std::int64_t rows = std::max<std::int64_t>(world_.height >> level, 1);
    return Squares{columns, rows, std::vector<NodeIndex>(static_cast<std::size_t>(columns * rows))};
  };
  Squares squares = sized(leaf_level);
  for (std::size_t i = 0; i < squares.nodes.size(); ++i) {
    const std::int64_t left = 16 * (static_cast<std::int64_t>(i) % squares.columns);
    const std::int64_t top = 16 * (static_cast<std::int64_t>(i) / squares.columns);
    LeafRows rows{};
    for (std::int64_t y = 0; y < 16; ++y) {
      const std::uint64_t* const row = cells.row((top + y) % world_.height);
      std::uint64_t word = cells_at(row, cells.words_per_row(), left);
      for (std::int64_t width = world_.width; width < 16; width *= 2) word |= word << width;
      rows[static_cast<std::size_t>(y)] = static_cast<std::uint16_t>(word);
    }
    squares.nodes[i] = store_.leaf(rows);
  }
  for (int level = leaf_level + 1; level <= universe_.level; ++level) {
    Squares next = sized(level);
    for (std::int64_t y = 0; y < next.rows; ++y) {
      for (std::int64_t x = 0; x < next.columns; ++x)
        next.nodes[static_cast<std::size_t>(y * next.columns + x)] =
            store_.join(level, {squares.at(2 * x, 2 * y), squares.at(2 * x + 1, 2 * y),
                                squares.at(2 * x, 2 * y + 1), squares.at(2 * x + 1, 2 * y + 1)});
    }
    squares = std::move(next);
  }
  universe_.root = squares.nodes[0];
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
  const std::int64_t side = std::int64_t{1} << universe_.level;
  if (world_.is_torus() && (world_.width < side || world_.height < side)) {
    Grid all(world_.width, world_.height);
    read(world_.box(), all.view());
    all.paste(here, box.position());
    background_ = false;
    load_torus(all);
    return;
  }
  if (background_) complement(here.view());
  const Universe written = with_cells(store_, universe_, here, box.position() + origin());
  universe_ = world_.is_torus() ? written : trimmed(store_, written);
}

void TreeWorld::read(const Box& box, const GridView& to) const {
  if (!world_.is_torus()) {
    read_cells(store_, universe_, box, to);
    if (background_) complement(to);
    return;
  }
  // Squares outside a torus that is smaller than a leaf are repetitions of it
  const Box inside = intersect(box, world_.box());
  Grid cells(inside.width, inside.height);
  read_cells(store_, universe_, inside.translated(origin()), cells.view());
  if (background_) complement(cells.view());
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
