// SPDX-License-Identifier: MIT
// The way back of moorea serve, against all moments and all edits of the same run, with nothing thinned out.
#include "live/history.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>

#include "moorea/grid.h"

namespace app {
namespace {

constexpr std::size_t enough = 1 << 30;

// A pattern of one row and 64 * words cells, with a number in it.
Moment moment(std::uint64_t number, std::int64_t words = 1) {
  auto pattern = std::make_shared<moorea::Pattern>();
  pattern->cells = moorea::Grid(64 * words, 1);
  pattern->cells.row(0)[0] = number;
  return moment_of(pattern);
}

std::uint64_t number(const Moment& moment) { return moment.cells->cells.row(0)[0]; }

std::uint64_t number_before(const History& history, std::uint64_t generation) {
  return number(history.before(generation)->second);
}

TEST(History, TheLastMomentBeforeAGeneration) {
  History history(enough);
  history.begin(10, moment(1));
  history.pass(20, moment(2));
  history.pass(30, moment(3));
  for (const auto& [generation, expected] :
       std::map<std::uint64_t, std::uint64_t>{{10, 1}, {19, 1}, {20, 2}, {29, 2}, {30, 3}, {99, 3}})
    EXPECT_EQ(number_before(history, generation), expected) << generation;
  EXPECT_EQ(number_before(history, 5), 1u);  // nothing was before the first
  EXPECT_EQ(history.first(), 10u);
  EXPECT_EQ(history.last(), 30u);
}

TEST(History, ADrawnMomentEndsWhatCameLater) {
  History history(enough);
  history.begin(0, moment(1));
  history.pass(10, moment(2));
  history.pass(20, moment(3));
  history.change(15, moment(4));
  EXPECT_EQ(history.last(), 15u);
  EXPECT_EQ(number_before(history, 20), 4u);
  EXPECT_EQ(number_before(history, 14), 2u);
  EXPECT_EQ(history.next_drawn(10), 15u);
  EXPECT_EQ(history.next_drawn(15), std::nullopt);
}

TEST(History, AMomentOnTheWayChangesNoneThatIs) {
  History history(enough);
  history.begin(0, moment(1));
  history.change(10, moment(2));
  history.pass(10, moment(3));
  EXPECT_EQ(number_before(history, 10), 2u);
}

TEST(History, WhatIsTooLargeLeavesAGap) {
  History history(8 * 8);
  EXPECT_TRUE(history.has_room(32));
  EXPECT_FALSE(history.has_room(33));
  history.begin(0, moment(1));
  history.pass(10, moment(2));
  history.lose(20);  // somebody drew there
  EXPECT_EQ(history.next_drawn(20), std::nullopt);
  history.pass(30, moment(3));
  EXPECT_EQ(number_before(history, 10), 2u);
  EXPECT_EQ(number_before(history, 15), 2u);
  EXPECT_EQ(history.before(20)->first, 30u);  // neither that nor what followed can be had
  EXPECT_EQ(number_before(history, 30), 3u);
  // Who goes on from before the gap goes another way, and that is how it is from now on
  EXPECT_EQ(history.next_drawn(0), 10u);
  EXPECT_EQ(history.next_drawn(12), std::nullopt);
  EXPECT_EQ(history.last(), 10u);
  EXPECT_EQ(number_before(history, 30), 2u);
}

TEST(History, AnotherWayEndsAGap) {
  History history(enough);
  history.begin(0, moment(1));
  history.pass(60, moment(2));
  history.lose(100);
  EXPECT_EQ(history.next_drawn(60), std::nullopt);  // from a way back
  history.change(80, moment(3));
  EXPECT_EQ(history.next_drawn(65), 80u);
  history.lose(100);
  EXPECT_EQ(history.next_drawn(90), std::nullopt);
  history.pass(150, moment(4));
  EXPECT_EQ(number_before(history, 120), 3u);
}

TEST(History, TheBeginningStays) {
  History history(enough);
  history.begin(5, moment(1));
  history.lose(5);
  EXPECT_EQ(number_before(history, 5), 1u);
  EXPECT_EQ(history.first(), 5u);
}

TEST(History, HoldsNoMoreThanItMay) {
  constexpr std::size_t room = 100 * 8;
  History history(room);
  history.begin(0, moment(0));
  for (std::uint64_t generation = 1; generation < 1000; ++generation)
    history.pass(generation, moment(generation));
  std::size_t moments = 1;
  for (std::uint64_t at = history.last(); at > 0; at = history.before(at - 1)->first) {
    EXPECT_EQ(number_before(history, at), at);
    ++moments;
  }
  EXPECT_LE(moments, 64u);
  EXPECT_GT(moments, 20u);
  EXPECT_EQ(history.last(), 999u);  // the youngest is where the way back begins
}

TEST(History, ForgetsChangesBeforeMoments) {
  History history(4 * 8);
  history.begin(0, moment(1));
  history.remember(moment(2), "first", false);
  history.change(0, moment(3));
  history.remember(moment(4), "second", false);
  history.change(0, moment(5));
  ASSERT_NE(history.last_change(), nullptr);
  EXPECT_EQ(history.last_change()->name, "second");
  history.pass(1, moment(6, 2));
  EXPECT_EQ(history.last_change(), nullptr);
  EXPECT_EQ(number_before(history, 0), 5u);
}

TEST(History, UndoGivesThePastOfThatTime) {
  History history(enough);
  history.begin(0, moment(1));
  history.pass(10, moment(2));
  history.remember(moment(3), "a", true);
  history.change(5, moment(4));
  EXPECT_EQ(number_before(history, 10), 4u);
  EXPECT_EQ(number(history.last_change()->now), 3u);
  EXPECT_TRUE(history.last_change()->drawn);
  history.undo();
  EXPECT_EQ(number_before(history, 10), 2u);
  EXPECT_EQ(history.last_change(), nullptr);
}

// A world that anybody can know: at each generation the number of the last edit, and how far it has run
// since. Edits come at random, at the front or on the way back, and there is room for few.
TEST(History, NeverTellsWhatWasNot) {
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
    history.begin(0, moment(truth(0)));
    std::uint64_t now = 0, next_edit = 1;
    for (int action = 0; action < 300; ++action) {
      switch (below(3)) {
        case 0: {  // on, as far as it is known at most, with a moment at times
          std::uint64_t end = now + 1 + below(20);
          const std::optional<std::uint64_t> known = history.next_drawn(now);
          const auto next = edits.upper_bound(now);
          if (known) {
            if (next != edits.end()) {
              ASSERT_LE(*known, next->first) << "seed " << seed << ", action " << action;
            }
            end = std::min(end, *known);
          } else {
            edits.erase(next, edits.end());  // it goes another way from here on
          }
          now = end;
          if (below(2)) history.pass(now, moment(truth(now)));
          break;
        }
        case 1:  // an edit, which may be too large to be kept
          if (now == 0) break;
          edits.erase(edits.lower_bound(now), edits.end());
          edits[now] = next_edit++;
          if (below(4)) {
            history.change(now, moment(truth(now)));
          } else {
            history.lose(now);
          }
          break;
        default: {  // back or forth
          const auto from = history.before(below(now + 30));
          ASSERT_EQ(number(from->second), truth(from->first)) << "seed " << seed << ", action " << action;
          now = from->first;
        }
      }
    }
  }
}

}  // namespace
}  // namespace app
