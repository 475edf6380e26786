// SPDX-License-Identifier: MIT
// Each verb of the editor, with undo, redo and time travel.
#include "live/world_editor.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "definition.h"
#include "moorea/bundled.h"
#include "moorea/error.h"
#include "unit/app/torus_editor.h"

namespace app {
namespace {

using moorea::Bounds;
using moorea::Box;
using moorea::Grid;
using moorea::Position;
using moorea::Topology;

const std::vector<Position> glider = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};

Grid grid_of(const std::vector<Position>& cells, std::int64_t width = torus_size,
             std::int64_t height = torus_size) {
  Grid grid(width, height);
  for (const Position& cell : cells) grid.set(cell.x, cell.y, true);
  return grid;
}

moorea::Pattern pattern_of(const std::vector<Position>& cells, std::int64_t width = torus_size,
                           std::int64_t height = torus_size) {
  moorea::Pattern pattern;
  pattern.cells = grid_of(cells, width, height);
  return pattern;
}

// Everything that undo and redo restore.
std::string state_of(const WorldEditor& editor) {
  const moorea::Simulation& world = editor.simulation();
  return fmt::format("{} {}{} {:016x} {} \"{}\"", world.generation(), world.rule().str(),
                     editor.bounds().suffix(), world.hash(), world.population(), editor.name());
}

struct Verb {
  const char* name;
  std::function<void(WorldEditor&)> apply;
};

std::vector<Verb> verbs() {
  return {
      {"draw", [](WorldEditor& editor) { editor.draw({glider}); }},
      {"erase",
       [](WorldEditor& editor) {
         editor.draw({glider, 0});
       }},
      {"clear",
       [](WorldEditor& editor) {
         editor.clear({3, 2, 9, 20});
       }},
      {"paste",
       [](WorldEditor& editor) {
         editor.paste(pattern_of(glider, 3, 3), {20, 21});
       }},
      {"fill",
       [](WorldEditor& editor) {
         editor.fill({4, 5, 10, 10}, 0.4, 3);
       }},
      {"resize",
       [](WorldEditor& editor) {
         editor.resize(Bounds{Topology::plane, 40, 50});
       }},
      {"resize to unbounded", [](WorldEditor& editor) { editor.resize(Bounds{}); }},
      {"rule", [](WorldEditor& editor) { editor.set_rule("HighLife"); }},
      {"rule with bounds", [](WorldEditor& editor) { editor.set_rule("B3/S23:P20,30"); }},
      {"start anew",
       [](WorldEditor& editor) {
         editor.start_anew(Bounds{Topology::plane, 9, 8}, 0.5, 7);
       }},
      {"start unbounded", [](WorldEditor& editor) { editor.start_anew(Bounds{}, 0.5, 7); }},
      {"open", [](WorldEditor& editor) { editor.open(moorea::bundled_pattern("acorn.rle"), "acorn.rle"); }},
      {"reset", [](WorldEditor& editor) { editor.reset(); }},
  };
}

// A world with a past: noise drawn at generation 5, now at generation 12.
WorldEditor busy_world() {
  WorldEditor editor = empty_torus();
  editor.paste(pattern_of(glider, 3, 3), {1, 1});
  editor.advance(5);
  editor.fill({0, 0, 20, 20}, 0.5, 1);
  editor.advance(7);
  return editor;
}

TEST(WorldEditor, DrawsAndErases) {
  WorldEditor editor = empty_torus();
  editor.draw({glider});
  EXPECT_EQ(editor.simulation().grid(), grid_of(glider));
  editor.draw({std::span(glider).first(2), 0});
  EXPECT_EQ(editor.simulation().grid(), grid_of({glider.begin() + 2, glider.end()}));
}

TEST(WorldEditor, PastesByAddingAndClearsABox) {
  WorldEditor editor = empty_torus();
  editor.draw({std::vector<Position>{{10, 10}}});
  editor.paste(pattern_of(glider, 3, 3), {10, 10});
  EXPECT_EQ(editor.simulation().population(), 6u);
  const moorea::Pattern copied = editor.copy({10, 10, 3, 3});
  EXPECT_EQ(copied.cells.population(), 6u);
  EXPECT_EQ(copied.rule, "B3/S23");
  editor.clear({11, 0, 1, torus_size});
  EXPECT_EQ(editor.simulation().population(), 4u);
}

TEST(WorldEditor, FillsThePartOfABoxInsideTheWorld) {
  WorldEditor editor = empty_torus();
  editor.fill({-10, -10, 20, 20}, 1, 0);
  EXPECT_EQ(editor.simulation().population(), 100u);
  editor.fill({0, 0, torus_size, torus_size}, 0.5, 9);
  EXPECT_EQ(editor.simulation().grid(), Grid::random(torus_size, torus_size, 0.5, 9));
}

TEST(WorldEditor, ResizesAroundTheMiddle) {
  WorldEditor editor = empty_torus();
  editor.draw({std::vector<Position>{{16, 16}, {17, 16}}});
  editor.advance(0);
  editor.resize(Bounds{});
  EXPECT_EQ(editor.simulation().bounding_box(), std::optional(Box{0, 0, 2, 1}));
  editor.resize(Bounds{Topology::plane, 100, 60});
  EXPECT_EQ(editor.simulation().bounding_box(), std::optional(Box{50, 30, 2, 1}));
}

TEST(WorldEditor, APatternWithoutARuleIsOfLifeAndOneWithB0TakesTheBounds) {
  WorldEditor editor = empty_torus();
  editor.set_rule("HighLife");
  editor.open(moorea::parse_pattern("!Name: dot\nO\n", "dot.cells"), "dot.cells");
  EXPECT_EQ(state_of(editor).substr(0, 9), "0 B3/S23 ");
  EXPECT_EQ(editor.name(), "dot");
  EXPECT_TRUE(editor.bounds().is_unbounded());
  editor.resize(Bounds{Topology::torus, 40, 30});
  editor.open(moorea::parse_pattern("x = 1, y = 1, rule = B08/S4\no!", "born.rle"), "born.rle");
  EXPECT_EQ(editor.bounds(), (Bounds{Topology::torus, 40, 30}));
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
  editor.draw({std::vector<Position>{{2, 1}}, 1, true});
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
  editor.fill({0, 0, torus_size, torus_size}, 0.4, 2);
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
  constexpr std::int64_t far = std::int64_t{1} << 39, beyond = 2 * moorea::max_coordinate;
  const std::vector<Verb> failing = {
      {"draw",
       [](WorldEditor& editor) {
         editor.draw({std::vector<Position>{{0, 0}, {far, 0}}});
       }},
      {"draw far away",
       [](WorldEditor& editor) {
         editor.draw({std::vector<Position>{{beyond, 0}}});
       }},
      {"paste",
       [](WorldEditor& editor) {
         editor.paste(pattern_of(glider, 3, 3), {0, beyond});
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
    editor.resize(Bounds{});
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
  const moorea::Pattern three = moorea::parse_pattern("OO\n..O\n", "three.cells");
  settings.start = [three](const moorea::Options& options) {
    return moorea::Simulation::unbounded(moorea::Rule::parse("Seeds"), three, options);
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

}  // namespace
}  // namespace app
