// SPDX-License-Identifier: MIT
// The editor against a model that forgets nothing: all edits by generation, and the definition between them.
#include "live/world_editor.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "definition.h"
#include "moorea/error.h"
#include "moorea/start.h"

namespace app {
namespace {

using moorea::Bounds;
using moorea::Box;
using moorea::Grid;
using moorea::Position;
using moorea::Topology;

constexpr std::int64_t size = 32;
const std::vector<Position> glider = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};

WorldEditor empty_torus(std::size_t max_history_bytes = 1 << 30) {
  WorldEditor::Settings settings;
  settings.start = [](const moorea::Options& options) {
    return moorea::Simulation(moorea::Rule(), Topology::torus, Grid(size, size), options);
  };
  settings.engine.device = "cpu";
  settings.engine.threads = 1;
  settings.max_history_bytes = max_history_bytes;
  return WorldEditor(settings);
}

Grid grid_of(const std::vector<Position>& cells, std::int64_t width = size, std::int64_t height = size) {
  Grid grid(width, height);
  for (const Position& cell : cells) grid.set(cell.x, cell.y, true);
  return grid;
}

// Everything that undo and redo restore.
std::string state_of(const WorldEditor& editor) {
  const moorea::Simulation& world = editor.simulation();
  return fmt::format("{} {}{} {:016x} {} \"{}\"", world.generation(), world.rule().str(),
                     editor.bounds() ? editor.bounds()->suffix() : "", world.hash(), world.population(),
                     editor.name());
}

void go_to(WorldEditor& editor, std::uint64_t generation) { editor.advance(editor.seek(generation)); }

struct Verb {
  const char* name;
  std::function<void(WorldEditor&)> apply;
};

std::vector<Verb> verbs() {
  return {
      {"draw", [](WorldEditor& editor) { editor.draw({glider}); }},
      {"erase",
       [](WorldEditor& editor) {
         editor.draw({glider, false});
       }},
      {"clear",
       [](WorldEditor& editor) {
         editor.clear({3, 2, 9, 20});
       }},
      {"paste",
       [](WorldEditor& editor) {
         editor.paste(grid_of(glider, 3, 3), {20, 21});
       }},
      {"fill",
       [](WorldEditor& editor) {
         editor.fill({4, 5, 10, 10}, 0.4, 3);
       }},
      {"resize",
       [](WorldEditor& editor) {
         editor.resize(Bounds{Topology::plane, 40, 50});
       }},
      {"resize to unbounded", [](WorldEditor& editor) { editor.resize(std::nullopt); }},
      {"rule", [](WorldEditor& editor) { editor.set_rule("HighLife"); }},
      {"rule with bounds", [](WorldEditor& editor) { editor.set_rule("B3/S23:P20,30"); }},
      {"start anew",
       [](WorldEditor& editor) {
         editor.start_anew(Bounds{Topology::plane, 9, 8}, 0.5, 7);
       }},
      {"start unbounded", [](WorldEditor& editor) { editor.start_anew(std::nullopt, 0.5, 7); }},
      {"open", [](WorldEditor& editor) { editor.open(moorea::bundled_pattern("acorn.rle"), "acorn.rle"); }},
      {"reset", [](WorldEditor& editor) { editor.reset(); }},
  };
}

// A world with a past: noise drawn at generation 5, now at generation 12.
WorldEditor busy_world() {
  WorldEditor editor = empty_torus();
  editor.paste(grid_of(glider, 3, 3), {1, 1});
  editor.advance(5);
  editor.fill({0, 0, 20, 20}, 0.5, 1);
  editor.advance(7);
  return editor;
}

TEST(WorldEditor, DrawsAndErases) {
  WorldEditor editor = empty_torus();
  editor.draw({glider});
  EXPECT_EQ(editor.simulation().grid(), grid_of(glider));
  editor.draw({std::span(glider).first(2), false});
  EXPECT_EQ(editor.simulation().grid(), grid_of({glider.begin() + 2, glider.end()}));
}

TEST(WorldEditor, PastesByAddingAndClearsABox) {
  WorldEditor editor = empty_torus();
  editor.draw({std::vector<Position>{{10, 10}}});
  editor.paste(grid_of(glider, 3, 3), {10, 10});
  EXPECT_EQ(editor.simulation().population(), 6u);
  const moorea::Pattern copied = editor.copy({10, 10, 3, 3});
  EXPECT_EQ(copied.cells.population(), 6u);
  EXPECT_EQ(copied.rule, "B3/S23");
  editor.clear({11, 0, 1, size});
  EXPECT_EQ(editor.simulation().population(), 4u);
}

TEST(WorldEditor, FillsThePartOfABoxInsideTheWorld) {
  WorldEditor editor = empty_torus();
  editor.fill({-10, -10, 20, 20}, 1, 0);
  EXPECT_EQ(editor.simulation().population(), 100u);
  editor.fill({0, 0, size, size}, 0.5, 9);
  EXPECT_EQ(editor.simulation().grid(), Grid::random(size, size, 0.5, 9));
}

TEST(WorldEditor, ResizesAroundTheMiddle) {
  WorldEditor editor = empty_torus();
  editor.draw({std::vector<Position>{{16, 16}, {17, 16}}});
  editor.advance(0);
  editor.resize(std::nullopt);
  EXPECT_EQ(editor.simulation().bounding_box(), std::optional(Box{0, 0, 2, 1}));
  editor.resize(Bounds{Topology::plane, 100, 60});
  EXPECT_EQ(editor.simulation().bounding_box(), std::optional(Box{50, 30, 2, 1}));
}

TEST(WorldEditor, AnOpenedPatternTakesTheRuleAndBoundsThatItLacks) {
  WorldEditor editor = empty_torus();
  editor.set_rule("HighLife");
  editor.open(moorea::parse_pattern("!Name: dot\nO\n", "dot.cells"), "dot.cells");
  EXPECT_EQ(state_of(editor).substr(0, 9), "0 B36/S23");
  EXPECT_EQ(editor.name(), "dot");
  EXPECT_EQ(editor.bounds(), std::nullopt);
  editor.resize(Bounds{Topology::torus, 40, 30});
  editor.open(moorea::parse_pattern("x = 1, y = 1, rule = B08/S4\no!", "born.rle"), "born.rle");
  EXPECT_EQ(editor.bounds(), std::optional(Bounds{Topology::torus, 40, 30}));
  EXPECT_EQ(editor.name(), "born.rle");
}

TEST(WorldEditor, UndoesAndRedoesEachVerb) {
  for (const Verb& verb : verbs()) {
    SCOPED_TRACE(verb.name);
    WorldEditor editor = busy_world();
    const std::string before = state_of(editor);
    const std::uint64_t edits = editor.edits();
    verb.apply(editor);
    const std::string after = state_of(editor);
    EXPECT_NE(after, before);
    EXPECT_GT(editor.edits(), edits);
    EXPECT_FALSE(editor.can_redo());
    for (int i = 0; i < 2; ++i) {
      editor.undo();
      EXPECT_EQ(state_of(editor), before);
      EXPECT_TRUE(editor.can_redo());
      editor.redo();
      EXPECT_EQ(state_of(editor), after);
      EXPECT_FALSE(editor.can_redo());
    }
    // The past is also that of before
    editor.undo();
    for (const std::uint64_t generation : {3, 5, 6, 12}) {
      WorldEditor expected = busy_world();
      go_to(expected, generation);
      go_to(editor, generation);
      EXPECT_EQ(state_of(editor), state_of(expected)) << generation;
    }
  }
}

TEST(WorldEditor, UndoesAStrokeAsAWhole) {
  WorldEditor editor = empty_torus();
  editor.draw({std::vector<Position>{{1, 1}}});
  editor.draw({std::vector<Position>{{2, 1}}, true, true});
  editor.draw({std::vector<Position>{{3, 1}}, true, true});
  EXPECT_EQ(editor.simulation().population(), 3u);
  editor.undo();
  EXPECT_EQ(editor.simulation().population(), 0u);
  EXPECT_FALSE(editor.can_undo());
  editor.redo();
  EXPECT_EQ(editor.simulation().population(), 3u);
}

TEST(WorldEditor, UndoReturnsFromALaterGeneration) {
  WorldEditor editor = empty_torus();
  editor.draw({glider});
  editor.advance(4);
  const std::string later = state_of(editor);
  editor.undo();
  EXPECT_EQ(editor.generation(), 0u);
  EXPECT_EQ(editor.simulation().population(), 0u);
  editor.redo();  // to where undo was called
  EXPECT_EQ(state_of(editor), later);
}

TEST(WorldEditor, AnEditEndsRedo) {
  WorldEditor editor = busy_world();
  editor.undo();
  ASSERT_TRUE(editor.can_redo());
  editor.advance(3);  // no edit
  EXPECT_TRUE(editor.can_redo());
  editor.draw({glider});
  EXPECT_FALSE(editor.can_redo());
}

TEST(WorldEditor, GoesToAGenerationBetweenCheckpoints) {
  WorldEditor editor = empty_torus();
  editor.fill({0, 0, size, size}, 0.4, 2);
  const Grid start = editor.simulation().grid();
  for (int i = 0; i < 4; ++i) {
    editor.advance(10);
    editor.keep_checkpoint();
  }
  for (const int generation : {27, 20, 3, 39, 0, 40, 55}) {
    const std::uint64_t left = editor.seek(static_cast<std::uint64_t>(generation));
    EXPECT_LE(left, generation > 40 ? 15u : 9u);
    EXPECT_EQ(editor.advance(left), left);
    EXPECT_EQ(editor.simulation().grid(),
              moorea::test::after(start, moorea::Rule(), Topology::torus, generation));
  }
}

TEST(WorldEditor, RepeatsRecordedEditsOnTheWayForth) {
  WorldEditor editor = busy_world();
  const std::string present = state_of(editor);
  editor.keep_checkpoint();
  go_to(editor, 2);
  EXPECT_EQ(editor.simulation().population(), 5u);
  EXPECT_EQ(editor.last_generation(), 12u);
  editor.advance(10);
  EXPECT_EQ(state_of(editor), present);
}

TEST(WorldEditor, AnEditInThePastReplacesTheFuture) {
  WorldEditor editor = busy_world();
  go_to(editor, 3);
  editor.set_rule("Seeds");
  const Grid start = editor.simulation().grid();
  editor.advance(6);
  EXPECT_EQ(editor.simulation().grid(),
            moorea::test::after(start, moorea::Rule::parse("Seeds"), Topology::torus, 6));
  EXPECT_EQ(editor.last_generation(), 9u);
  go_to(editor, 2);
  EXPECT_EQ(editor.simulation().rule(), moorea::Rule());
  editor.undo();  // back to before the change of the rule
  EXPECT_EQ(editor.generation(), 3u);
  EXPECT_EQ(editor.simulation().rule(), moorea::Rule());
}

TEST(WorldEditor, AdvancesInSlices) {
  WorldEditor editor = busy_world();
  go_to(editor, 0);
  std::uint64_t left = 12;
  int slices = 0;
  while (left > 0) {
    left -= editor.advance(left, [] { return false; });
    ASSERT_LT(++slices, 20);
  }
  EXPECT_EQ(state_of(editor), state_of(busy_world()));
}

TEST(WorldEditor, AnotherKernelChangesNoCellAndNoHistory) {
  WorldEditor editor = busy_world();
  const std::string before = state_of(editor);
  moorea::Options options = editor.engine();
  options.kernel = "cpu/ladder/01_serial";
  editor.set_engine(options);
  EXPECT_EQ(editor.simulation().kernel(), "cpu/ladder/01_serial");
  EXPECT_EQ(state_of(editor), before);
  go_to(editor, 5);
  go_to(editor, 12);
  EXPECT_EQ(state_of(editor), before);
  editor.undo();
  EXPECT_EQ(editor.simulation().kernel(), "cpu/ladder/01_serial");
}

TEST(WorldEditor, WhatFailsChangesNothing) {
  constexpr std::int64_t far = std::int64_t{1} << 39;
  const std::vector<Verb> failing = {
      {"draw",
       [](WorldEditor& editor) {
         editor.draw({std::vector<Position>{{0, 0}, {far, 0}}});
       }},
      {"draw far away",
       [](WorldEditor& editor) {
         editor.draw({std::vector<Position>{{far, 0}}});
       }},
      {"paste",
       [](WorldEditor& editor) {
         editor.paste(grid_of(glider, 3, 3), {0, far});
       }},
      {"fill",
       [](WorldEditor& editor) {
         editor.fill({0, 0, 1 << 20, 1 << 20}, 0.5, 1);
       }},
      {"rule", [](WorldEditor& editor) { editor.set_rule("no rule"); }},
      {"B0", [](WorldEditor& editor) { editor.set_rule("B0/S"); }},
      {"resize",
       [](WorldEditor& editor) {
         editor.resize(Bounds{Topology::torus, far, far});
       }},
      {"start",
       [](WorldEditor& editor) {
         editor.start_anew(Bounds{Topology::torus, far, far}, 0.5, 1);
       }},
      {"open",
       [](WorldEditor& editor) {
         editor.open(moorea::parse_pattern("x = 1, y = 1, rule = B08/S4\no!", "born"), "");
       }},
      {"copy",
       [](WorldEditor& editor) {
         (void)editor.copy({0, 0, 1 << 20, 1 << 20});
       }},
      {"redo", [](WorldEditor& editor) { editor.redo(); }},
      {"engine",
       [](WorldEditor& editor) {
         moorea::Options options;
         options.kernel = "cpu/none";
         editor.set_engine(options);
       }},
  };
  for (const Verb& verb : failing) {
    SCOPED_TRACE(verb.name);
    WorldEditor editor = empty_torus();
    editor.draw({glider});
    editor.resize(std::nullopt);
    const std::string before = state_of(editor);
    const std::uint64_t edits = editor.edits();
    EXPECT_THROW(verb.apply(editor), moorea::Error);
    EXPECT_EQ(state_of(editor), before);
    EXPECT_EQ(editor.edits(), edits);
    EXPECT_EQ(editor.engine().kernel, "");
    editor.undo();
    editor.undo();
    EXPECT_EQ(editor.simulation().population(), 0u);
    EXPECT_THROW(editor.undo(), moorea::Error);
  }
}

TEST(WorldEditor, WithoutMemoryForAHistoryEditsStillHold) {
  WorldEditor editor = empty_torus(0);
  editor.draw({glider});
  EXPECT_TRUE(editor.can_undo());  // an empty world takes no memory
  editor.draw({glider});
  EXPECT_FALSE(editor.can_undo());
  editor.advance(8);
  EXPECT_EQ(editor.simulation().grid(),
            moorea::test::after(grid_of(glider), moorea::Rule(), Topology::torus, 8));
  EXPECT_EQ(editor.seek(9), 1u);
  editor.reset();  // to the last state that could be kept
  EXPECT_EQ(editor.generation(), 0u);
  EXPECT_EQ(editor.simulation().population(), 0u);
  EXPECT_FALSE(editor.can_undo());
}

TEST(WorldEditor, TellsWhereAPlaneMetItsEdge) {
  WorldEditor::Settings settings;
  const moorea::Pattern domino = moorea::parse_pattern("OO\n", "domino.cells");
  settings.start = [domino](const moorea::Options& options) {
    return moorea::Simulation::unbounded(moorea::Rule::parse("Seeds"), domino, options);
  };
  settings.engine.device = "cpu";
  settings.engine.memory = 300 << 10;
  WorldEditor editor(settings);
  editor.advance(3000);
  const std::optional<std::uint64_t> met = editor.edge_met();
  ASSERT_TRUE(met);
  editor.set_engine(editor.engine());  // a new simulation knows nothing of it
  EXPECT_EQ(editor.edge_met(), met);
  go_to(editor, *met - 1);
  EXPECT_EQ(editor.edge_met(), met);
  editor.clear({-10, -10, 20, 20});
  EXPECT_EQ(editor.edge_met(), std::nullopt);  // it may meet its edge later now
}

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
      editor.draw({cells, alive});
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
      const char* const rule = std::vector{"Life", "HighLife", "Seeds"}[static_cast<std::size_t>(below(3))];
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

TEST(WorldEditor, WhateverSomebodyDoes) {
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
