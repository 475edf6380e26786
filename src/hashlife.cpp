// SPDX-License-Identifier: MIT
#include "moorea/hashlife.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "choose/window_steps.h"
#include "hashlife_state.h"
#include "model/coordinates.h"
#include "model/placed_quadtree.h"
#include "moorea/error.h"
#include "patterns/format.h"
#include "patterns/macrocell.h"
#include "patterns/requirements.h"
#include "trees/quadtrees.h"

namespace moorea {
namespace {

constexpr int max_threads = 4096;

// Files say generations from 0 to 2^63 - 1, and 0 for others.
std::uint64_t written_generation(const BigInteger& generation) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(generation.as_signed().value_or(0), 0));
}

}  // namespace

HashLife::HashLife(std::unique_ptr<State> state) : state_(std::move(state)) {}
HashLife::HashLife(HashLife&&) noexcept = default;
HashLife& HashLife::operator=(HashLife&&) noexcept = default;
HashLife::~HashLife() = default;

HashLife::HashLife(const WorldSpec& world, const HashLifeOptions& options) {
  if (options.threads < 1 || options.threads > max_threads)
    throw Error(fmt::format("HashLife with {} threads: expected 1 to {}", options.threads, max_threads),
                ErrorKind::usage);
  state_ = std::make_unique<State>(std::make_unique<TreeBoard>(
      world, base_steps_by(window_kernels().front()), engine_options(options.memory, options.threads)));
}

HashLife HashLife::of(const Pattern& start, const WorldSpec& world, const HashLifeOptions& options) {
  HashLife made(world, options);
  require_states(start, 2);
  if (world.is_unbounded()) {
    const Position at =
        start.position.value_or(Position{-(start.cells.width() / 2), -(start.cells.height() / 2)});
    made.reset(start.cells, at);
  } else {
    made.reset(start.cells, require_place(start, world.box().size()));
  }
  made.set_generation(start.generation);
  return made;
}

HashLife HashLife::of(const CellTree& start, const WorldSpec& world, const HashLifeOptions& options) {
  if (!world.is_unbounded()) throw Error("cells of a tree need an unbounded plane", ErrorKind::usage);
  HashLife made(world, options);
  TreeWorld& tree = made.state_->tree;
  tree.adopt(trimmed(tree.store(), universe_of(tree.store(), at_origin(start.cells()))));
  return made;
}

std::optional<HashLife> HashLife::read_tree(const std::string& path, const std::string& rule,
                                            const HashLifeOptions& options, Pattern* facts) {
  std::optional<patterns::Macrocell> file = patterns::read_macrocell_file(path);
  if (!file) return std::nullopt;
  const WorldSpec world = rule.empty() ? file->facts.world() : WorldSpec::parse(rule);
  if (!world.is_unbounded()) return std::nullopt;
  HashLife made(world, options);
  TreeWorld& tree = made.state_->tree;
  tree.adopt(trimmed(tree.store(), universe_of(tree.store(), file->tree)));
  tree.set_generation(file->facts.generation);
  if (facts != nullptr) *facts = std::move(file->facts);
  return made;
}

void HashLife::write_tree(const std::string& path, const Pattern& facts) const {
  if (world().is_torus())
    throw Error("a torus has a size, which a tree has not: write it as a pattern", ErrorKind::usage);
  require_dead_background();
  TreeWorld& tree = state_->tree;
  const Universe universe = trimmed(tree.store(), tree.universe());
  if (universe.level > Quadtree::max_level)
    throw Error(
        "cells beyond coordinates of 2^119 have no place in a macrocell file: leave the output out, or "
        "choose fewer generations");
  patterns::Macrocell file;
  file.facts.rule = facts.rule.empty() ? world().str() : facts.rule;
  file.facts.take_texts(facts);
  file.facts.generation = written_generation(generation());
  file.tree = quadtree_of(tree.store(), universe);
  patterns::FileSink sink(path);
  write_macrocell(file, sink);
  sink.finish();
}

const char* HashLife::refusal(const WorldSpec& world) { return TreeWorld::refusal(world); }

void HashLife::reset(const Grid& cells, Position at) {
  require_coordinates(at.x, at.y, "cells");
  if (const std::optional<Box> live = cells.bounding_box(); live && world().is_torus()) {
    const Box there = live->translated(at);
    if (!world().box().contains(there))
      throw Error(
          fmt::format("live cells in columns {} to {} and rows {} to {} do not fit into a world of {} x {}",
                      there.x, there.right() - 1, there.y, there.bottom() - 1, world().width, world().height),
          ErrorKind::usage);
  }
  state_->tree.load(cells, at);
  state_->tree.set_generation(0);
}

bool HashLife::step(const BigInteger& generations, const std::function<bool()>& go_on) {
  if (generations.is_negative())
    throw Error("a step of " + generations.str() + " generations: expected 0 or more", ErrorKind::usage);
  return state_->tree.advance(generations, go_on);
}

const BigInteger& HashLife::generation() const { return state_->tree.generation(); }
void HashLife::set_generation(const BigInteger& generation) { state_->tree.set_generation(generation); }
BigInteger HashLife::population() const { return state_->tree.population(); }
bool HashLife::background() const { return !world().is_torus() && state_->tree.background(); }

std::optional<BigBox> HashLife::bounding_box() const {
  if (world().is_torus()) {
    const std::optional<Box> live = state_->board->bounding_box();
    if (!live) return {};
    return BigBox{live->x, live->y, live->right() - 1, live->bottom() - 1};
  }
  const std::optional<Extent> extent = state_->tree.extent();
  if (!extent) return {};
  return BigBox{extent->left, extent->top, extent->right, extent->bottom};
}

std::uint64_t HashLife::hash() const { return state_->board->hash({}); }

Grid HashLife::window(const Box& box) const {
  require_box(box, "a window");
  Grid cells(box.width, box.height);
  state_->tree.read(box, cells.view());
  return cells;
}

CellTree HashLife::crop(const BigBox& window) const {
  if (world().is_torus()) throw Error("a torus has no tree: copy its cells by window()", ErrorKind::usage);
  require_dead_background();
  TreeWorld& tree = state_->tree;
  return CellTree(part_of(tree.store(), tree.universe(), window));
}

void HashLife::paste(const ConstGridView& cells, Position at, PasteMode mode) {
  require_coordinates(at.x, at.y, "cells");
  state_->tree.write(cells, at, mode);
}

void HashLife::require_dead_background() const {
  if (background())
    throw Error(
        "all cells of the plane but some are alive, which a pattern cannot say: add a generation, or "
        "choose a torus");
}

Pattern HashLife::snapshot(bool whole) const {
  require_dead_background();
  const bool is_torus = world().is_torus();
  const Position centre = is_torus ? Position{world().width / 2, world().height / 2} : Position{};
  const std::optional<BigBox> live = bounding_box();
  std::optional<Box> cells = live ? live->as_box() : Box{centre.x, centre.y, 0, 0};
  if (is_torus && whole) cells = world().box();
  if (!cells)
    throw Error(
        "cells beyond coordinates of 2^60 have no place in a pattern file other than macrocell (.mc), "
        "which holds them up to 2^119: write such a one, or choose fewer generations");
  Pattern pattern;
  pattern.generation = generation().as_unsigned().value_or(0);
  pattern.set_world(world());
  pattern.cells = window(*cells);
  pattern.position = cells->position() - centre;
  return pattern;
}

void HashLife::write(const std::string& path, const Pattern& about, const std::string& format,
                     bool whole) const {
  const std::string_view name = patterns::format_to_write(path, format).info.name;
  Pattern facts;
  facts.set_world(world());
  facts.generation = written_generation(generation());
  facts.take_texts(about);
  if (world().is_unbounded() && name == "mc") return write_tree(path, facts);
  const BigInteger most(max_coordinate);
  if (const std::optional<BigBox> live =
          name == "rle" && world().is_unbounded() ? bounding_box() : std::nullopt;
      live && live->width() <= most && live->height() <= most)
    return crop(*live).write(path, facts, format);
  Pattern pattern = snapshot(whole);
  pattern.generation = facts.generation;
  pattern.take_texts(about);
  write_pattern(pattern, path, format);
}

const WorldSpec& HashLife::world() const { return state_->tree.world(); }

TreeFacts HashLife::facts() const { return facts_of(state_->tree); }

TreeFacts facts_of(TreeWorld& tree) {
  return {tree.store().nodes(), tree.engine().bytes(), tree.universe().level, tree.engine().evaluations(),
          tree.engine().collections()};
}

}  // namespace moorea
