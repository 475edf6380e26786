// SPDX-License-Identifier: MIT
// The editor against a model that forgets nothing, by random actions.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "definition.h"
#include "live/world_editor.h"
#include "unit/app/torus_editor.h"

namespace app {
namespace {

using moorea::Box;
using moorea::Grid;
using moorea::Position;
using moorea::Topology;

constexpr std::int64_t size = torus_size;

// All edits by generation; what lies between follows from the definition.
class Model {
 public:
  struct World {
    moorea::Rule rule;
    Grid cells{size, size};
  };

  World at(std::uint64_t generation) const {
    const auto edit = std::prev(now_.edits.upper_bound(generation));
    const World& world = edit->second;
    return {world.rule, moorea::test::after(world.cells, world.rule, Topology::torus,
                                            static_cast<int>(generation - edit->first))};
  }
  World world() const { return at(generation()); }
  std::uint64_t generation() const { return now_.generation; }
  void go_to(std::uint64_t generation) { now_.generation = generation; }
  void edit(World world) {
    begin_edit();
    now_.edits.erase(now_.edits.lower_bound(now_.generation), now_.edits.end());
    now_.edits.emplace(now_.generation, std::move(world));
  }
  void reset() {
    begin_edit();
    now_.generation = 0;
    now_.edits.erase(std::next(now_.edits.begin()), now_.edits.end());
  }
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  void undo() { exchange(undo_, redo_); }
  void redo() { exchange(redo_, undo_); }

 private:
  struct Timeline {
    std::uint64_t generation = 0;
    std::map<std::uint64_t, World> edits{{0, World()}};
  };

  void begin_edit() {
    undo_.push_back(now_);
    redo_.clear();
  }
  void exchange(std::vector<Timeline>& from, std::vector<Timeline>& to) {
    to.push_back(std::exchange(now_, from.back()));
    from.pop_back();
  }

  Timeline now_;
  std::vector<Timeline> undo_, redo_;
};

// Applies a random action to both.
std::string act(WorldEditor& editor, Model& model, std::mt19937& random) {
  const auto below = [&](std::uint64_t end) { return static_cast<std::int64_t>(random() % end); };
  Model::World world = model.world();
  switch (below(11)) {
    case 0: {
      std::vector<Position> cells;
      for (std::int64_t i = below(20); i >= 0; --i) cells.push_back({below(size), below(size)});
      const bool alive = below(4) > 0;
      for (const Position& cell : cells) world.cells.set(cell.x, cell.y, alive);
      model.edit(std::move(world));
      editor.draw({cells, alive ? 1 : 0});
      return "draw";
    }
    case 1: {
      const Box box{below(size - 9), below(size - 9), 9, 9};
      const auto seed = static_cast<std::uint64_t>(below(1000));
      world.cells.paste(Grid::random(9, 9, 0.5, seed), {box.x, box.y});
      model.edit(std::move(world));
      editor.fill(box, 0.5, seed);
      return "fill";
    }
    case 2: {
      const char* const rule = std::vector{"Life", "HighLife", "Seeds"}[below(3)];
      world.rule = moorea::Rule::parse(rule);
      model.edit(std::move(world));
      editor.set_rule(rule);
      return "rule";
    }
    case 3:
      model.reset();
      editor.reset();
      return "reset";
    case 4:
    case 5:
      if (!model.can_undo()) return "";
      model.undo();
      editor.undo();
      return "undo";
    case 6:
      if (!model.can_redo()) return "";
      model.redo();
      editor.redo();
      return "redo";
    case 7:
      editor.keep_checkpoint();
      return "keep";
    case 8: {
      const auto generations = static_cast<std::uint64_t>(below(12));
      model.go_to(model.generation() + generations);
      editor.advance(generations);
      return "advance";
    }
    default: {
      const auto to = static_cast<std::uint64_t>(below(model.generation() + 20));
      model.go_to(to);
      go_to(editor, to);
      return "go";
    }
  }
}

TEST(WorldEditorModel, RandomActions) {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    std::mt19937 random(seed);
    WorldEditor editor = empty_torus();
    Model model;
    std::string done = fmt::format("seed {}", seed);
    for (int i = 0; i < 60; ++i) {
      done += " " + act(editor, model, random);
      const Model::World expected = model.world();
      ASSERT_EQ(editor.generation(), model.generation()) << done;
      ASSERT_EQ(editor.simulation().rule(), expected.rule) << done;
      ASSERT_EQ(editor.simulation().grid(), expected.cells) << done;
      ASSERT_EQ(editor.can_undo(), model.can_undo()) << done;
      ASSERT_EQ(editor.can_redo(), model.can_redo()) << done;
    }
  }
}

}  // namespace
}  // namespace app
