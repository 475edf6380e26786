// SPDX-License-Identifier: MIT
// The choice between cells and trees from injected speeds: who wins, and what trials cost at most.
#include "boards/form_contest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace moorea {
namespace {

using Verdict = FormContest::Verdict;

// Speeds in generations per second of a made-up plane; a tree's depend on its step.
struct Plane {
  double cells = 1000;
  std::function<double(double step)> tree;
  double conversion = 0.001;  // seconds
};

struct Outcome {
  double seconds = 0, trial_seconds = 0, generations = 0;
  std::size_t trials = 0;
  int switches = 0;
  PlaneForm form = PlaneForm::cells;
};

// Advances by `generations` as a board would.
Outcome run(FormContest contest, const Plane& plane, double generations) {
  Outcome outcome;
  contest.expect(generations);
  double step = 16;
  for (int parts = 0; outcome.generations < generations && parts < 1000000; ++parts) {
    const bool is_tree = contest.form() == PlaneForm::tree;
    double part = std::min(is_tree ? step : plane.cells / 1000, generations - outcome.generations);
    double seconds = part / (is_tree ? plane.tree(part) : plane.cells);
    const bool in_trial = contest.in_trial();
    if (in_trial && seconds > contest.trial_seconds_left()) {
      seconds = contest.trial_seconds_left();
      part = 0;
    }
    if (is_tree && seconds < 0.1) step *= 2;
    outcome.seconds += seconds;
    outcome.generations += part;
    if (in_trial) outcome.trial_seconds += seconds;
    switch (contest.advanced(part, seconds)) {
      case Verdict::go_on:
        break;
      case Verdict::try_other:
        if (!contest.allows(plane.conversion)) {
          contest.trial_refused();
          break;
        }
        contest.trial_began(plane.conversion);
        outcome.trial_seconds += plane.conversion;
        outcome.seconds += plane.conversion;
        step = 16;
        break;
      case Verdict::keep:
        ++outcome.switches;
        break;
      case Verdict::give_up:
        contest.gave_up(plane.conversion);
        outcome.trial_seconds += plane.conversion;
        outcome.seconds += plane.conversion;
        step = 16;
    }
  }
  outcome.trials = contest.trials();
  outcome.form = contest.form();
  return outcome;
}

TEST(FormContest, GivesRegularPlanesToTheTree) {
  // A step of any size takes a millisecond
  const Outcome gun = run(FormContest(), {1e6, [](double step) { return step * 1000; }}, 1e12);
  EXPECT_EQ(gun.form, PlaneForm::tree);
  EXPECT_EQ(gun.generations, 1e12);
  EXPECT_EQ(gun.trials, 1u);
  EXPECT_LT(gun.seconds, 0.2);
}

TEST(FormContest, LosesLittleToTrialsOfChaos) {
  // Trees of noise: 50 times slower, and slower with each step
  for (const double cells : {50.0, 2000.0, 1e5}) {
    for (const double total : {1.5, 10.0, 100.0, 1000.0}) {
      const Outcome soup =
          run(FormContest(), {cells, [&](double step) { return cells / 50 * 16 / std::max(step, 16.0); }},
              cells * total);
      EXPECT_EQ(soup.form, PlaneForm::cells);
      EXPECT_EQ(soup.switches, 0);
      EXPECT_LT(soup.trial_seconds, 0.15 * total) << cells << ' ' << total;
      EXPECT_LT(soup.seconds, 1.15 * total) << cells << ' ' << total;
    }
  }
}

TEST(FormContest, GivesUpEarlyWhenLargerStepsAreNotFaster) {
  FormContest contest;
  contest.expect(1e12);
  ASSERT_EQ(contest.advanced(1e6, 1), Verdict::try_other);
  contest.trial_began(0);
  const double budget = contest.trial_seconds_left();
  // Half as fast as the cells, whatever the step
  Verdict verdict = Verdict::go_on;
  double spent = 0;
  for (double step = 64; verdict == Verdict::go_on; step *= 2) {
    spent += step / 5e5;
    verdict = contest.advanced(step, step / 5e5);
  }
  EXPECT_EQ(verdict, Verdict::give_up);
  EXPECT_LT(spent, budget / 10);
}

TEST(FormContest, TriesNothingThatCannotSaveASecond) {
  const Outcome brief = run(FormContest(), {1000, [](double step) { return step * 1e6; }}, 900);
  EXPECT_EQ(brief.trials, 0u);
  EXPECT_EQ(run(FormContest(), {1000, [](double step) { return step * 1e6; }}, 1200).trials, 1u);
}

TEST(FormContest, ReturnsToCellsWhenTheTreeBecomesSlow) {
  FormContest contest(PlaneForm::tree);
  contest.expect(1e9);
  // Unknown cells are tried once
  ASSERT_EQ(contest.advanced(1e4, 0.1), Verdict::try_other);
  contest.trial_began(0.001);
  EXPECT_EQ(contest.form(), PlaneForm::cells);
  Verdict verdict = Verdict::go_on;
  while (verdict == Verdict::go_on) verdict = contest.advanced(10, 0.001);
  ASSERT_EQ(verdict, Verdict::give_up);
  contest.gave_up(0.001);
  EXPECT_EQ(contest.form(), PlaneForm::tree);
  EXPECT_NEAR(contest.speed(PlaneForm::cells), 1e4, 1);
  // As long as the tree is faster than they were, nothing is tried
  for (int i = 0; i < 100; ++i) ASSERT_EQ(contest.advanced(2e4, 0.1), Verdict::go_on);
  verdict = Verdict::go_on;
  for (int i = 0; i < 1000 && verdict == Verdict::go_on; ++i) verdict = contest.advanced(10, 0.1);
  ASSERT_EQ(verdict, Verdict::try_other);
  contest.trial_began(0.001);
  verdict = Verdict::go_on;
  while (verdict == Verdict::go_on) verdict = contest.advanced(10, 0.001);
  EXPECT_EQ(verdict, Verdict::keep);
  EXPECT_EQ(contest.form(), PlaneForm::cells);
}

TEST(FormContest, TriesAgainSoonIfTheCallerWantedCells) {
  for (const bool is_wanted : {false, true}) {
    FormContest contest(PlaneForm::tree);
    contest.expect(1e9);
    for (int i = 0; i < 100; ++i) (void)contest.advanced(1, 0.01);
    contest.replaced();
    EXPECT_EQ(contest.form(), PlaneForm::cells);
    if (is_wanted) contest.try_soon();
    EXPECT_EQ(contest.advanced(1, 0.01), is_wanted ? Verdict::try_other : Verdict::go_on);
  }
}

TEST(FormContest, DoesNotAlternateBetweenEqualForms) {
  const Outcome even = run(FormContest(), {1000, [](double) { return 1100.0; }}, 1e5);
  EXPECT_EQ(even.switches, 0);
  EXPECT_LT(even.seconds, 105);
}

TEST(FormContest, PostponesConversionsThatTakeLong) {
  Plane plane{1000, [](double step) { return step * 1e3; }};
  plane.conversion = 1;
  const Outcome large = run(FormContest(), plane, 1e6);
  EXPECT_EQ(large.form, PlaneForm::tree);
  EXPECT_GT(large.seconds, 1 / 0.07);
}

}  // namespace
}  // namespace moorea
