// SPDX-License-Identifier: MIT
// The history of a world against all checkpoints and all edits of the same run, of which nothing is thinned
// out.
#include "live/history.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>

#include "moorea/grid.h"

namespace app {
namespace {

constexpr std::size_t enough = 1 << 30;

// A pattern of one row and 64 * words cells, with a number in it.
Checkpoint checkpoint(std::uint64_t number, std::int64_t words = 1) {
  auto pattern = std::make_shared<moorea::Pattern>();
  pattern->cells = moorea::Grid(64 * words, 1);
  pattern->cells.row(0)[0] = number;
  return checkpoint_of(pattern);
}

moorea::Pattern called(const std::string& name) {
  moorea::Pattern about;
  about.name = name;
  return about;
}

std::uint64_t number(const Checkpoint& checkpoint) {
  return static_cast<const moorea::Pattern*>(checkpoint.cells.get())->cells.row(0)[0];
}

std::uint64_t number_for(const History& history, std::uint64_t generation) {
  return number(history.checkpoint_for(generation)->second);
}

TEST(History, TheLastCheckpointBeforeAGeneration) {
  History history(enough);
  history.begin(10, checkpoint(1));
  history.record(20, checkpoint(2));
  history.record(30, checkpoint(3));
  for (const auto& [generation, expected] :
       std::map<std::uint64_t, std::uint64_t>{{10, 1}, {19, 1}, {20, 2}, {29, 2}, {30, 3}, {99, 3}})
    EXPECT_EQ(number_for(history, generation), expected) << generation;
  EXPECT_EQ(number_for(history, 5), 1u);  // the first
  EXPECT_EQ(history.first(), 10u);
  EXPECT_EQ(history.last(), 30u);
}

TEST(History, AnEditEndsWhatCameLater) {
  History history(enough);
  history.begin(0, checkpoint(1));
  history.record(10, checkpoint(2));
  history.record(20, checkpoint(3));
  history.record_edit(15, checkpoint(4));
  EXPECT_EQ(history.last(), 15u);
  EXPECT_EQ(number_for(history, 20), 4u);
  EXPECT_EQ(number_for(history, 14), 2u);
  EXPECT_EQ(history.next_edit(10), 15u);
  EXPECT_EQ(history.next_edit(15), std::nullopt);
}

TEST(History, ARecordedStateReplacesNoCheckpoint) {
  History history(enough);
  history.begin(0, checkpoint(1));
  history.record_edit(10, checkpoint(2));
  history.record(10, checkpoint(3));
  EXPECT_EQ(number_for(history, 10), 2u);
}

TEST(History, AnEditTooLargeToKeepLeavesAGap) {
  History history(8 * 8);
  EXPECT_TRUE(history.has_room(32));
  EXPECT_FALSE(history.has_room(33));
  history.begin(0, checkpoint(1));
  history.record(10, checkpoint(2));
  history.record_lost_edit(20);  // an edit there was too large
  EXPECT_EQ(history.next_edit(20), std::nullopt);
  history.record(30, checkpoint(3));
  EXPECT_EQ(number_for(history, 10), 2u);
  EXPECT_EQ(number_for(history, 15), 2u);
  EXPECT_EQ(history.checkpoint_for(20)->first, 30u);  // neither that nor what followed is known
  EXPECT_EQ(number_for(history, 30), 3u);
  // A run from before the gap diverges, and its past replaces the recorded one
  EXPECT_EQ(history.next_edit(0), 10u);
  EXPECT_EQ(history.next_edit(12), std::nullopt);
  EXPECT_EQ(history.last(), 10u);
  EXPECT_EQ(number_for(history, 30), 2u);
}

TEST(History, ADivergingRunEndsAGap) {
  History history(enough);
  history.begin(0, checkpoint(1));
  history.record(60, checkpoint(2));
  history.record_lost_edit(100);
  EXPECT_EQ(history.next_edit(60), std::nullopt);  // after time travel
  history.record_edit(80, checkpoint(3));
  EXPECT_EQ(history.next_edit(65), 80u);
  history.record_lost_edit(100);
  EXPECT_EQ(history.next_edit(90), std::nullopt);
  history.record(150, checkpoint(4));
  EXPECT_EQ(number_for(history, 120), 3u);
}

TEST(History, TheBeginningStays) {
  History history(enough);
  history.begin(5, checkpoint(1));
  history.record_lost_edit(5);
  EXPECT_EQ(number_for(history, 5), 1u);
  EXPECT_EQ(history.first(), 5u);
}

TEST(History, StaysWithinItsMemory) {
  constexpr std::size_t room = 100 * 8;
  History history(room);
  history.begin(0, checkpoint(0));
  for (std::uint64_t generation = 1; generation < 1000; ++generation)
    history.record(generation, checkpoint(generation));
  std::size_t checkpoints = 1;
  for (std::uint64_t at = history.last(); at > 0; at = history.checkpoint_for(at - 1)->first) {
    EXPECT_EQ(number_for(history, at), at);
    ++checkpoints;
  }
  EXPECT_LE(checkpoints, 64u);
  EXPECT_GT(checkpoints, 20u);
  EXPECT_EQ(history.last(), 999u);  // the most recent one, where time travel starts
}

TEST(History, DropsRevisionsBeforeCheckpoints) {
  History history(4 * 8);
  history.begin(0, checkpoint(1));
  history.record_undo(history.revision(checkpoint(2), called("first"), false));
  history.record_edit(0, checkpoint(3));
  history.record_undo(history.revision(checkpoint(4), called("second"), false));
  history.record_edit(0, checkpoint(5));
  ASSERT_NE(history.undo_target(), nullptr);
  EXPECT_EQ(history.undo_target()->about.name, "second");
  history.record(1, checkpoint(6, 2));
  EXPECT_EQ(history.undo_target(), nullptr);
  EXPECT_EQ(number_for(history, 0), 5u);
}

TEST(History, UndoRestoresThePastOfThatTime) {
  History history(enough);
  history.begin(0, checkpoint(1));
  history.record(10, checkpoint(2));
  history.record_undo(history.revision(checkpoint(3), called("a"), true));
  history.record_edit(5, checkpoint(4));
  EXPECT_EQ(number_for(history, 10), 4u);
  EXPECT_EQ(number(history.undo_target()->world), 3u);
  EXPECT_TRUE(history.undo_target()->edited);
  history.undo(std::nullopt);
  EXPECT_EQ(number_for(history, 10), 2u);
  EXPECT_EQ(history.undo_target(), nullptr);
}

TEST(History, RedoReturnsToWhatWasUndone) {
  History history(enough);
  history.begin(0, checkpoint(1));
  history.record_undo(history.revision(checkpoint(2), called("before"), false));
  history.record_edit(5, checkpoint(3));
  EXPECT_EQ(history.redo_target(), nullptr);
  history.undo(history.revision(checkpoint(4), called("after"), true));
  EXPECT_EQ(number_for(history, 5), 1u);
  EXPECT_EQ(history.undo_target(), nullptr);
  ASSERT_NE(history.redo_target(), nullptr);
  EXPECT_EQ(number(history.redo_target()->world), 4u);
  EXPECT_EQ(history.redo_target()->about.name, "after");
  history.redo(history.revision(checkpoint(5), called("before"), false));
  EXPECT_EQ(number_for(history, 5), 3u);
  EXPECT_EQ(history.redo_target(), nullptr);
  EXPECT_EQ(number(history.undo_target()->world), 5u);
}

TEST(History, AnEditEndsRedo) {
  History history(enough);
  history.begin(0, checkpoint(1));
  for (int i = 0; i < 2; ++i) history.record_undo(history.revision(checkpoint(2), {}, false));
  history.undo(history.revision(checkpoint(3), {}, false));
  history.record_undo(history.revision(checkpoint(4), {}, false));
  EXPECT_EQ(history.redo_target(), nullptr);
  EXPECT_NE(history.undo_target(), nullptr);
}

TEST(History, ARevisionTooLargeToKeepEndsItsDirection) {
  History history(enough);
  history.begin(0, checkpoint(1));
  for (int i = 0; i < 3; ++i) history.record_undo(history.revision(checkpoint(2), {}, false));
  history.undo(history.revision(checkpoint(3), {}, false));
  history.undo(std::nullopt);  // the present cannot be returned to, nor what follows it
  EXPECT_EQ(history.redo_target(), nullptr);
  EXPECT_NE(history.undo_target(), nullptr);
  history.record_undo(std::nullopt);
  EXPECT_EQ(history.undo_target(), nullptr);
}

TEST(History, DropsRedoBeforeUndo) {
  History history(4 * 8);
  history.begin(0, checkpoint(1));
  for (std::uint64_t i = 2; i < 4; ++i) history.record_undo(history.revision(checkpoint(i), {}, false));
  history.undo(history.revision(checkpoint(4), {}, false));
  EXPECT_NE(history.redo_target(), nullptr);
  history.record(1, checkpoint(5, 2));
  EXPECT_EQ(history.redo_target(), nullptr);
  EXPECT_NE(history.undo_target(), nullptr);
}

// A world whose state at each generation is known: the number of the last edit and the generations since.
// Random edits at the front or after time travel, with memory for few checkpoints.
TEST(History, NeverReturnsWhatWasNot) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint64_t end) { return random() % end; };
    History history(8 * (3 + below(60)));
    const auto state = [](std::uint64_t edit, std::uint64_t age) { return edit << 32 | age; };
    std::map<std::uint64_t, std::uint64_t> edits{{0, 0}};  // by generation, as they are now
    const auto truth = [&](std::uint64_t generation) {
      const auto last = std::prev(edits.upper_bound(generation));
      return state(last->second, generation - last->first);
    };
    history.begin(0, checkpoint(truth(0)));
    std::uint64_t now = 0, next_edit = 1;
    for (int action = 0; action < 300; ++action) {
      switch (below(3)) {
        case 0: {  // run, up to the next edit at most, sometimes with a checkpoint
          std::uint64_t end = now + 1 + below(20);
          const std::optional<std::uint64_t> known = history.next_edit(now);
          const auto next = edits.upper_bound(now);
          if (known) {
            if (next != edits.end()) {
              ASSERT_LE(*known, next->first) << "seed " << seed << ", action " << action;
            }
            end = std::min(end, *known);
          } else {
            edits.erase(next, edits.end());  // it diverges from here on
          }
          now = end;
          if (below(2)) history.record(now, checkpoint(truth(now)));
          break;
        }
        case 1:  // an edit, which may be too large to keep
          if (now == 0) break;
          edits.erase(edits.lower_bound(now), edits.end());
          edits[now] = next_edit++;
          if (below(4)) {
            history.record_edit(now, checkpoint(truth(now)));
          } else {
            history.record_lost_edit(now);
          }
          break;
        default: {  // time travel
          const auto from = history.checkpoint_for(below(now + 30));
          ASSERT_EQ(number(from->second), truth(from->first)) << "seed " << seed << ", action " << action;
          now = from->first;
        }
      }
    }
  }
}

}  // namespace
}  // namespace app
