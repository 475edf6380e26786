// SPDX-License-Identifier: MIT
#include "live/player.h"

#include <gtest/gtest.h>

#include "moorea/bundled.h"

namespace app {
namespace {

WorldEditor acorn() {
  WorldEditor::Settings settings;
  const moorea::Pattern pattern = moorea::bundled_pattern("acorn.rle");
  settings.start = [pattern](const moorea::Options& options) {
    return moorea::Simulation::of(pattern, options);
  };
  settings.engine.device = "cpu";
  return WorldEditor(settings);
}

void finish(Player& player) {
  while (player.busy()) player.run(1, UINT64_MAX);
}

TEST(Player, StepsAddUp) {
  WorldEditor editor = acorn();
  Player player(editor, 3);
  player.step(5);
  player.step_forward();
  EXPECT_TRUE(player.busy());
  finish(player);
  EXPECT_EQ(editor.generation(), 13u);
}

TEST(Player, PlaysAStepAtATimeUpToAMaximum) {
  WorldEditor editor = acorn();
  Player player(editor, 4);
  player.play();
  player.run(10, UINT64_MAX);
  EXPECT_EQ(editor.generation(), 16u);
  EXPECT_TRUE(player.playing());
  player.run(10, 3);
  EXPECT_EQ(editor.generation(), 19u);
  player.stop();
  EXPECT_FALSE(player.busy());
}

TEST(Player, HyperspeedDoublesStepsWhileTheyAreFast) {
  WorldEditor editor = acorn();
  Player player(editor, -2);
  player.play();
  player.run(10, UINT64_MAX);
  EXPECT_EQ(player.exponent(), -2);
  player.set_hyperspeed(true);
  for (int i = 1; i <= 5; ++i) {
    player.run(1000, UINT64_MAX);
    EXPECT_EQ(player.exponent(), i);
  }
  EXPECT_EQ(editor.generation(), 1u + 1 + 2 + 4 + 8 + 16);
  player.set_hyperspeed(false);
  player.run(1000, UINT64_MAX);
  EXPECT_EQ(player.exponent(), 5);
}

TEST(Player, EndsAtTheLastGenerationOfPages) {
  WorldEditor::Settings settings;
  settings.start = [](const moorea::Options& options) {
    return moorea::Simulation::of(moorea::bundled_pattern("gosper-glider-gun.rle"), options);
  };
  settings.engine.kernel = "hashlife";
  WorldEditor editor(settings);
  Player player(editor, Player::fastest);
  player.set_hyperspeed(true);
  player.go_to(std::uint64_t{1} << 62);
  finish(player);
  EXPECT_EQ(editor.generation(), Player::last_generation);
  // Back by a step, from a checkpoint that is a tree
  player.step_back();
  finish(player);
  EXPECT_EQ(editor.generation(), Player::last_generation - (std::uint64_t{1} << Player::fastest));
  EXPECT_TRUE(editor.simulation().is_tree());
}

TEST(Player, StepsBackAddUpWhileOneIsUnderWay) {
  WorldEditor editor = acorn();
  Player player(editor, 4);
  player.step(320);
  finish(player);
  for (int i = 0; i < 3; ++i) player.step_back();
  finish(player);
  EXPECT_EQ(editor.generation(), 272u);
  for (int i = 0; i < 100; ++i) player.step_back();
  finish(player);
  EXPECT_EQ(editor.generation(), 0u);
  EXPECT_EQ(editor.simulation().population(), 7u);
}

TEST(Player, TheWayForthIsTheWayItWas) {
  WorldEditor editor = acorn();
  Player player(editor, 0);
  player.step(100);
  finish(player);
  const std::uint64_t hash = editor.simulation().hash();
  player.go_to(40);
  finish(player);
  EXPECT_EQ(editor.generation(), 40u);
  player.go_to(100);
  finish(player);
  EXPECT_EQ(editor.simulation().hash(), hash);
}

}  // namespace
}  // namespace app
