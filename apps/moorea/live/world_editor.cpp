// SPDX-License-Identifier: MIT
#include "live/world_editor.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "cli/cell_output.h"
#include "cli/world.h"
#include "moorea/cell_tree.h"
#include "moorea/error.h"
#include "moorea/inventory.h"

namespace app {
namespace {

// Gives a pattern the cells of a tree, for worlds that have a size.
void expand(const moorea::CellTree& tree, moorea::Pattern& pattern) {
  const std::optional<moorea::BigBox> box = tree.bounding_box();
  if (!box) return;
  const std::optional<moorea::Box> live = box->as_box();
  if (!live)
    throw moorea::Error("cells beyond coordinates of 2^60 need an unbounded plane: create one first");
  pattern.cells = tree.grid(*box);
  pattern.position = live->position();
}

}  // namespace

std::size_t default_history_bytes() {
  constexpr double share_of_memory = 0.1, min_bytes = 1e7, max_bytes = 2e9;
  const std::vector<moorea::DeviceInfo> devices = moorea::list_devices();  // the first is the host
  const double available = devices.empty() ? 0 : static_cast<double>(devices.front().memory);
  return static_cast<std::size_t>(std::clamp(share_of_memory * available, min_bytes, max_bytes));
}

void require_area(std::int64_t width, std::int64_t height) {
  if (static_cast<double>(width) * static_cast<double>(height) > max_cells_at_once)
    throw moorea::Error(fmt::format("{} x {} cells are too many at once: the maximum is {:.0f}", width,
                                    height, max_cells_at_once));
}

WorldEditor::WorldEditor(const Settings& settings)
    : engine_(settings.engine),
      simulation_(settings.start(settings.engine)),
      history_(settings.max_history_bytes),
      about_(settings.about) {
  history_.begin(generation(), {settings.start});
  note_edge();
}

const std::optional<moorea::Box>& WorldEditor::bounding_box() const {
  if (!bounding_box_) bounding_box_ = simulation_.bounding_box();
  return *bounding_box_;
}

// --- state

// The present as a checkpoint; empty if it is too large to keep.
std::optional<Checkpoint> WorldEditor::checkpoint() const {
  const auto fits = [&](std::int64_t width, std::int64_t height) {
    return history_.has_room(static_cast<double>(width) / 8 * static_cast<double>(height));
  };
  try {
    if (simulation_.grows() && simulation_.is_tree()) {
      Checkpoint now = checkpoint_of(simulation_);
      if (!history_.has_room(static_cast<double>(now.bytes))) return std::nullopt;
      return now;
    }
    // A world that fits as a whole needs no search for its live cells
    if (simulation_.grows() || !fits(simulation_.width(), simulation_.height())) {
      const std::optional<moorea::Box>& live = bounding_box();
      if (live && !fits(live->width, live->height)) return std::nullopt;
    }
    return checkpoint_of(simulation_);
  } catch (const std::exception&) {
    return std::nullopt;  // out of memory: time travel takes longer without it
  }
}

// The present for undo or redo; empty if it is too large to keep.
std::optional<Revision> WorldEditor::revision() const {
  std::optional<Checkpoint> now = checkpoint();
  if (!now) return std::nullopt;
  return history_.revision(std::move(*now), about_, uncommitted_);
}

void WorldEditor::adopt(moorea::Simulation simulation) {
  simulation_ = std::move(simulation);
  jumps_ = ++version_;
  bounding_box_.reset();
}

void WorldEditor::count_edit() {
  if (edge_met_ && *edge_met_ >= generation()) edge_met_.reset();
  note_edge();
  ++edits_;
}

void WorldEditor::note_edge() {
  const std::optional<std::uint64_t> met = simulation_.edge_met();
  if (met && (!edge_met_ || *met < *edge_met_)) edge_met_ = met;
}

void WorldEditor::commit_edits() {
  if (!uncommitted_) return;
  if (std::optional<Checkpoint> now = checkpoint()) {
    history_.record_edit(generation(), std::move(*now));
  } else {
    history_.record_lost_edit(generation());
  }
  uncommitted_ = false;
}

void WorldEditor::keep_checkpoint() {
  commit_edits();
  if (std::optional<Checkpoint> now = checkpoint()) history_.record(generation(), std::move(*now));
}

// --- edits

void WorldEditor::overwrite(const moorea::Grid& cells, moorea::Position at, bool continues,
                            moorea::PasteMode mode) {
  edit([&] { simulation_.paste(cells, at, mode); }, continues);
}

void WorldEditor::edit(const std::function<void()>& change, bool continues) {
  std::optional<Revision> before = continues ? std::nullopt : revision();
  ++version_;  // also if this fails halfway
  bounding_box_.reset();
  change();
  uncommitted_ = true;
  count_edit();
  if (continues) {
    history_.discard_redo();
  } else {
    history_.record_undo(std::move(before));
  }
}

// The part of a box that can contain live cells.
std::optional<moorea::Box> WorldEditor::part_with_cells(const moorea::Box& box) const {
  const moorea::Box limits = simulation_.grows() ? bounding_box().value_or(moorea::Box()) : simulation_.box();
  const moorea::Box part = intersect(box, limits);
  return part.empty() ? std::nullopt : std::optional(part);
}

moorea::Pattern WorldEditor::copy(const moorea::Box& box) const {
  require_area(box.width, box.height);
  moorea::Pattern pattern;
  pattern.cells = simulation_.window(box);
  if (simulation_.rule().states() > 2) pattern.states = simulation_.states(box);
  pattern.set_world({simulation_.rule()});
  return pattern;
}

void WorldEditor::draw(const Stroke& stroke) {
  std::int64_t left = INT64_MAX, top = INT64_MAX, right = INT64_MIN, bottom = INT64_MIN;
  for (const moorea::Position& cell : stroke.cells) {
    left = std::min(left, cell.x), right = std::max(right, cell.x + 1);
    top = std::min(top, cell.y), bottom = std::max(bottom, cell.y + 1);
  }
  require_area(right - left, bottom - top);
  moorea::Grid cells(right - left, bottom - top);
  for (const moorea::Position& cell : stroke.cells) cells.set(cell.x - left, cell.y - top);
  if (stroke.state == 0)
    return overwrite(cells, {left, top}, stroke.continues, moorea::PasteMode::bitwise_and_not);
  moorea::Cells drawn(cells.width(), cells.height(), std::max(stroke.state + 1, 2));
  for (int digit = 0; digit < drawn.planes(); ++digit)
    if ((stroke.state >> digit & 1) != 0) drawn.plane(digit) = cells;
  add(drawn, {left, top}, stroke.continues);
}

void WorldEditor::clear(const moorea::Box& box) {
  const std::optional<moorea::Box> part = part_with_cells(box);
  if (!part) return;
  if (simulation_.grows() && part == bounding_box())
    return replace(moorea::Simulation::unbounded(simulation_.rule(), moorea::Pattern(), engine_));
  if (simulation_.grows() && simulation_.is_tree()) require_area(part->width, part->height);
  overwrite(moorea::Grid(part->width, part->height), {part->x, part->y}, false);
}

void WorldEditor::paste(const moorea::Pattern& pattern, moorea::Position at) {
  require_area(pattern.cells.width(), pattern.cells.height());
  if (pattern.states) return add(*pattern.states, at, false);
  add(moorea::Cells(pattern.cells, 2), at, false);
}

// Cells that are not dead replace those that are there, with their states.
void WorldEditor::add(const moorea::Cells& cells, moorea::Position at, bool continues) {
  const int states = simulation_.rule().states();
  if (cells.largest_state() >= states)
    throw moorea::Error(
        fmt::format("cells in state {} for {}, which has {} states: open it as a world of its own, "
                    "or choose its rule",
                    cells.largest_state(), simulation_.rule().str(), states));
  const moorea::Grid live = cells.live();
  if (states == 2) return overwrite(live, at, continues, moorea::PasteMode::bitwise_or);
  moorea::Cells merged = simulation_.states({at.x, at.y, cells.width(), cells.height()});
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0; x < cells.width(); ++x)
      if (live.alive(x, y)) merged.set(x, y, cells.state(x, y));
  }
  edit([&] { simulation_.paste(merged, at); }, continues);
}

void WorldEditor::fill(const moorea::Box& box, double density, std::uint64_t seed) {
  const moorea::Box part = simulation_.grows() ? box : intersect(box, simulation_.box());
  if (part.empty()) return;
  require_area(part.width, part.height);
  const moorea::Position at = {part.x, part.y};
  const int states = simulation_.rule().states();
  if (states == 2) return overwrite(moorea::Grid::random(part.width, part.height, density, seed), at, false);
  const auto noise = moorea::Cells::random(part.width, part.height, density, seed, states);
  edit([&] { simulation_.paste(noise, at); }, false);
}

// The world with other bounds. A surface has those of its mesh.
moorea::WorldSpec WorldEditor::world_with(const moorea::Bounds& bounds) const {
  const moorea::WorldSpec now = simulation_.world();
  const bool to_surface = bounds.topology == moorea::Topology::surface;
  if (now.is_surface() && !to_surface)
    throw moorea::Error(
        "this world is a surface, whose mesh gives it its size and edges; other ones need a start without "
        "--mesh");
  if (to_surface && !now.is_surface())
    throw moorea::Error("this world is flat; a surface needs a start with --mesh NAME");
  if (to_surface) return now;
  return {now.rule, bounds.topology, bounds.width, bounds.height};
}

void WorldEditor::change_to(const moorea::WorldSpec& world) {
  moorea::Simulation next = [&] {
    if (world.is_unbounded() && simulation_.grows() && simulation_.is_tree())
      return moorea::Simulation::of_tree(world.rule, simulation_.cell_tree(), engine_);
    moorea::Pattern pattern = simulation_.snapshot();
    // A rule of fewer states keeps the cells that are not dead
    if (pattern.states && pattern.states->largest_state() >= world.rule.states()) pattern.states.reset();
    if (world.is_unbounded()) return moorea::Simulation::unbounded(world.rule, pattern, engine_);
    moorea::Grid cells(world.width, world.height);
    const moorea::Position from = pattern.position.value_or(moorea::Position());
    const moorea::Position at = {world.width / 2 + from.x, world.height / 2 + from.y};
    if (pattern.states) {
      moorea::Cells with_states(world.width, world.height, world.rule.states());
      with_states.paste(*pattern.states, at);
      return moorea::Simulation(world, with_states, engine_);
    }
    cells.paste(pattern.cells, at);
    return moorea::Simulation(world, cells, engine_);
  }();
  replace(std::move(next));
}

// Another world is the present generation.
void WorldEditor::replace(moorea::Simulation next) {
  next.set_generation(generation());
  std::optional<Revision> before = revision();
  adopt(std::move(next));
  uncommitted_ = true;
  count_edit();
  history_.record_undo(std::move(before));
}

void WorldEditor::resize(const moorea::Bounds& bounds) { change_to(world_with(bounds)); }

void WorldEditor::set_rule(const std::string& rule) {
  const moorea::WorldSpec spec = moorea::WorldSpec::parse(rule);
  moorea::WorldSpec next = world_with(spec.is_unbounded() ? bounds() : spec.bounds());
  next.rule = spec.rule;
  change_to(next);
}

// --- another world

void WorldEditor::begin(const Checkpoint& start, const moorea::Pattern& about) {
  moorea::Simulation next = start.make(engine_);
  std::optional<Revision> before = revision();
  adopt(std::move(next));
  history_.begin(generation(), start);
  about_ = about;
  uncommitted_ = false;
  edge_met_.reset();
  count_edit();
  history_.record_undo(std::move(before));
}

void WorldEditor::start_anew(const moorea::Bounds& bounds, double density, std::uint64_t seed) {
  Checkpoint start;
  start.make = [world = world_with(bounds), density, seed](const moorea::Options& options) {
    if (world.is_unbounded()) return moorea::Simulation::unbounded(world.rule, moorea::Pattern(), options);
    return noise(world, density, seed, options);
  };
  begin(start, {});
}

void WorldEditor::open(moorea::Pattern pattern, const std::string& file,
                       const std::optional<moorea::CellTree>& tree) {
  // A file without a rule is of Life, unless its states need another one
  if (pattern.rule.empty() && pattern.states) pattern.set_world({simulation_.rule()});
  pattern.mesh = nullptr;  // opened as cells: the page shows the surface that it began with
  moorea::WorldSpec spec = pattern.world();
  const bool is_plane = spec.is_unbounded(), is_surface = simulation_.world().is_surface();
  if (is_plane && !is_surface && spec.rule.births_from_nothing() && bounds().is_unbounded())
    throw moorea::Error(fmt::format(
        "{} has B0 and needs a world with a size: create one first; the pattern is placed in its middle",
        spec.rule.str()));
  if (is_surface || (is_plane && spec.rule.births_from_nothing())) {
    const moorea::Rule rule = spec.rule;
    spec = world_with(bounds());
    spec.rule = rule;
  }
  moorea::Pattern about = named(pattern, {});
  if (about.name.empty()) about.name = file;
  if (tree && spec.is_unbounded()) {
    begin(checkpoint_of(std::make_shared<const moorea::CellTree>(*tree), spec.rule, pattern.generation),
          about);
    return;
  }
  if (tree) expand(*tree, pattern);
  begin(checkpoint_of(std::make_shared<const moorea::Pattern>(std::move(pattern)), spec), about);
}

void WorldEditor::reset() {
  commit_edits();  // the world begins with an edit at its first generation
  moorea::Simulation first = history_.checkpoint_for(first_generation())->second.make(engine_);
  std::optional<Revision> before = revision();
  adopt(std::move(first));
  history_.discard_after(generation());
  count_edit();
  history_.record_undo(std::move(before));
}

// Makes a revision the present, without its past. Returns the revision that it replaces.
std::optional<Revision> WorldEditor::restore(const Revision& target) {
  moorea::Simulation next = target.world.make(engine_);
  std::optional<Revision> current = revision();
  about_ = target.about;
  uncommitted_ = target.edited;
  adopt(std::move(next));
  count_edit();
  return current;
}

void WorldEditor::undo() {
  if (!can_undo()) throw moorea::Error("there is nothing to undo");
  history_.undo(restore(*history_.undo_target()));
}

void WorldEditor::redo() {
  if (!can_redo()) throw moorea::Error("there is nothing to redo");
  history_.redo(restore(*history_.redo_target()));
}

void WorldEditor::set_engine(const moorea::Options& options) {
  commit_edits();
  moorea::Simulation next = checkpoint_of(simulation_).make(options);
  simulation_ = std::move(next);
  engine_ = options;
}

}  // namespace app
