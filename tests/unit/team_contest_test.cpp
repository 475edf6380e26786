// SPDX-License-Identifier: MIT
// The choice between a team of threads and the caller alone in HashLife, with measured times made up.
#include "trees/team_contest.h"

#include <gtest/gtest.h>

namespace moorea {
namespace {

int idle = 4;

// Phases of a step: seconds of a look-up of the caller alone, and of the team in relation to that.
class TeamContests : public ::testing::Test {
 protected:
  void run(double seconds, double team_ratio) {
    const double end = alone_ + team_ + seconds;
    while (alone_ + team_ < end) {
      const bool with_team = contest_.has_team();
      const double phase = 1e-4 * (with_team ? team_ratio : 1);
      (with_team ? team_ : alone_) += phase;
      keys_ += 2500;
      contest_.measured(keys_ % 4 == 0 ? PhaseKind::base : PhaseKind::early, 2500, phase);
    }
  }
  double share_of_team() const { return team_ / (alone_ + team_); }
  void forget_times() { alone_ = team_ = 0; }

  TeamContest contest_{2, [] { return idle; }};

 private:
  double alone_ = 0, team_ = 0;
  std::size_t keys_ = 0;
};

TEST_F(TeamContests, UsesATeamThatPays) {
  idle = 4;
  run(10, 0.7);
  EXPECT_GT(share_of_team(), 0.8);
}

TEST_F(TeamContests, LosesLittleToTrialsOfASlowerTeam) {
  idle = 4;
  run(10, 1.5);
  EXPECT_GT(share_of_team(), 0);
  EXPECT_LT(share_of_team() * (1 - 1 / 1.5), 0.02);
}

TEST_F(TeamContests, TriesNoTeamWithoutIdleCpus) {
  idle = 0;
  run(10, 0.5);
  EXPECT_EQ(share_of_team(), 0);
}

TEST_F(TeamContests, FollowsWhatChanges) {
  idle = 4;
  run(10, 0.7);
  forget_times();
  run(10, 2);
  EXPECT_LT(share_of_team(), 0.1);
  forget_times();
  run(30, 0.6);
  EXPECT_GT(share_of_team(), 0.6);
}

}  // namespace
}  // namespace moorea
