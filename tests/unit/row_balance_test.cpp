// SPDX-License-Identifier: MIT
// Division of a world's rows by the speeds of its parts, before and while it runs.
#include "boards/row_balance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "choose/device_groups.h"
#include "moorea/error.h"

namespace moorea::test {
namespace {

std::int64_t sum(const std::vector<std::int64_t>& rows) {
  return std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
}

TEST(BalanceRows, MakesAllPartsBusyEquallyLong) {
  const std::vector<PartSpeed> speeds = {PartSpeed::constant(1e6, 0, 1), PartSpeed::constant(9e6)};
  const Division division = balance_rows(10'000, 8, speeds);
  EXPECT_EQ(sum(division.rows), 10'000);
  // (rows + 16) / 1e6 = (10000 - rows + 16) / 9e6
  EXPECT_NEAR(static_cast<double>(division.rows[0]), 987.2, 1);
  EXPECT_NEAR(division.seconds, 1003.2e-6, 2e-6);
}

TEST(BalanceRows, KnowsThatFewRowsAreSlow) {
  // 100 rows take as long as 1000
  const PartSpeed slow = {{{100, 1e-3}, {1000, 1.001e-3}, {2000, 2e-3}}, 0, 1};
  EXPECT_DOUBLE_EQ(slow.seconds_per_generation(50), 0.5e-3);
  EXPECT_DOUBLE_EQ(slow.seconds_per_generation(550), 1.0005e-3);
  EXPECT_DOUBLE_EQ(slow.seconds_per_generation(4000), 4e-3);
  for (const double rows : {10.0, 100.0, 500.0, 1500.0, 9000.0})
    EXPECT_NEAR(slow.rows_for(slow.seconds_per_generation(rows)), rows, 1e-6);
  // With 900 rows and 8 halo rows a millisecond passes, in which the other part advances 10,000 rows
  const Division division = balance_rows(10'900, 4, std::vector<PartSpeed>{slow, PartSpeed::constant(1e7)});
  EXPECT_NEAR(static_cast<double>(division.rows[0]), 900, 20);
}

TEST(BalanceRows, CountsTheExchange) {
  // The first part loses 400 of its 1000 rows' time in each turn
  const std::vector<PartSpeed> speeds = {PartSpeed::constant(1e6, 400 * 10 / 1e6, 1),
                                         PartSpeed::constant(1e6, 0, 1)};
  const Division division = balance_rows(1600, 10, speeds);
  EXPECT_EQ(division.rows, (std::vector<std::int64_t>{600, 1000}));
}

TEST(BalanceRows, GivesEachPartTheRowsOfAHalo) {
  const std::vector<PartSpeed> speeds = {PartSpeed::constant(1, 0, 1), PartSpeed::constant(1e9, 0, 1),
                                         PartSpeed::constant(1, 0, 1)};
  EXPECT_EQ(balance_rows(100, 7, speeds).rows, (std::vector<std::int64_t>{7, 86, 7}));
  EXPECT_EQ(balance_rows(21, 7, speeds).rows, (std::vector<std::int64_t>{7, 7, 7}));
  EXPECT_THROW(balance_rows(20, 7, speeds), Error);
  EXPECT_EQ(balance_rows(3, speeds).halo, 1);
  EXPECT_THROW(balance_rows(2, speeds), Error);
}

TEST(BalanceRows, ChoosesTheHalo) {
  // Passes of 32 generations, and nothing to exchange for: more halo rows are only more work
  EXPECT_EQ(balance_rows(100'000, std::vector<PartSpeed>(2, PartSpeed::constant(1e6, 0, 32))).halo, 32);
  // An exchange takes as long as a generation of 100,000 rows
  EXPECT_GT(balance_rows(100'000, std::vector<PartSpeed>(2, PartSpeed::constant(1e6, 1e-1, 32))).halo, 64);
  // Parts of fewer rows than a pass has generations
  EXPECT_LE(balance_rows(40, std::vector<PartSpeed>(4, PartSpeed::constant(1e6, 0, 32))).halo, 10);
}

// A world whose parts have some speeds, in rows per second, with noise.
class Parts {
 public:
  Parts(std::vector<double> speeds, double noise, double move_seconds)
      : speeds_(std::move(speeds)), noise_(noise), move_seconds_(move_seconds) {}

  void set_speeds(std::vector<double> speeds) { speeds_ = std::move(speeds); }

  // Seconds of generations with the rows of a division, without moves.
  double seconds(const Division& division, std::uint64_t generations) const {
    double longest = 0;
    for (std::size_t i = 0; i < speeds_.size(); ++i)
      longest = std::max(longest, static_cast<double>(division.rows[i] + 2 * division.halo) / speeds_[i]);
    return longest * static_cast<double>(generations);
  }

  void advance(RowBalance& balance, std::uint64_t generations) {
    constexpr std::uint64_t at_once = 64;
    std::uniform_real_distribution<double> factor(1 - noise_, 1 + noise_);
    for (; generations > 0; generations -= at_once) {
      std::vector<PartWork> work;
      for (std::size_t i = 0; i < speeds_.size(); ++i) {
        const auto rows = static_cast<double>(balance.division().rows[i] + 2 * balance.division().halo);
        work.push_back({rows / speeds_[i] * at_once * factor(random_), 0});
      }
      spent_ += seconds(balance.division(), at_once);
      if (const auto better = balance.add(work, at_once)) {
        EXPECT_EQ(sum(better->rows), sum(balance.division().rows));
        balance.moved(*better, move_seconds_);
        ++moves_;
      }
    }
  }

  int moves() const { return moves_; }
  double spent() const { return spent_; }
  double moving() const { return moves_ * move_seconds_; }

 private:
  std::vector<double> speeds_;
  double noise_, move_seconds_;
  std::mt19937 random_{1};
  int moves_ = 0;
  double spent_ = 0;
};

const Division equal_rows = {{5000, 5000}, 32, 0, {}};

TEST(RowBalance, DividesRowsByTheUnitsOfARule) {
  const RowUnits blocks = {1, 2}, wide = {10, 1};
  const double shares[] = {1, 2, 4};
  EXPECT_EQ(divide_rows(101, shares, blocks), (std::vector<std::int64_t>{14, 30, 57}));
  EXPECT_EQ(divide_rows(6, shares, blocks), (std::vector<std::int64_t>{2, 2, 2}));
  EXPECT_THROW(divide_rows(5, shares, blocks), Error);
  EXPECT_EQ(divide_rows(35, shares, wide), (std::vector<std::int64_t>{10, 10, 15}));
  EXPECT_THROW(divide_rows(29, shares, wide), Error);
  EXPECT_EQ(blocks.halo_for(1), 2);
  EXPECT_EQ(blocks.halo_for(7), 6);
  EXPECT_EQ(wide.halo_for(3), 30);
  // A halo costs what its rows cost: if exchanges cost nothing, it suffices for as few generations as
  // possible
  const std::vector<PartSpeed> single_steps(2, PartSpeed::constant(1e6, 0, 1));
  EXPECT_EQ(balance_rows(1000, single_steps, wide).halo, 10);
  EXPECT_EQ(balance_rows(1000, single_steps).halo, 4);
  const std::vector<PartSpeed> speeds(2, PartSpeed::constant(1e6, 1e-4, 4));
  for (const std::int64_t height : {20, 25, 60, 1000, 65'537}) {
    const Division odd = balance_rows(height, speeds, blocks), far = balance_rows(height, speeds, wide);
    EXPECT_EQ(odd.halo % 2, 0) << height;
    EXPECT_EQ(odd.rows[0] % 2, 0) << height;
    EXPECT_EQ(far.halo % 10, 0) << height;
    for (const Division& division : {odd, far}) {
      EXPECT_EQ(division.rows[0] + division.rows[1], height);
      EXPECT_GE(std::min(division.rows[0], division.rows[1]), division.halo);
    }
  }
  // Halos that are ten times as high are computed twice, too
  EXPECT_GT(balance_rows(1000, 40, speeds, wide).seconds, balance_rows(1000, 4, speeds).seconds);
}

TEST(RowBalance, MovesRowsToTheFastPart) {
  Parts run({1e6, 3e6}, 0, 0.01);
  RowBalance balance(equal_rows, {}, 0.01);
  run.advance(balance, 64 * 5000);
  EXPECT_EQ(run.moves(), 1);
  EXPECT_NEAR(static_cast<double>(balance.division().rows[0]), 2468, 1);
  // What the moves cost is at most 5 % of what they gained
  const double gained = run.seconds(equal_rows, 64 * 5000) - run.spent();
  EXPECT_LT(run.moving(), 0.05 * gained);
}

TEST(RowBalance, FollowsASpeedThatChanges) {
  Parts run({1e6, 1e6}, 0.03, 0.01);
  RowBalance balance(equal_rows, {}, 0.01);
  run.advance(balance, 64 * 2000);
  EXPECT_EQ(run.moves(), 0) << "an even division and noise";
  run.set_speeds({1e6, 4e6});
  run.advance(balance, 64 * 5000);
  EXPECT_NEAR(static_cast<double>(balance.division().rows[0]), 2000, 100);
  run.set_speeds({1e6, 5e5});
  run.advance(balance, 64 * 5000);
  EXPECT_NEAR(static_cast<double>(balance.division().rows[0]), 6667, 200);
  EXPECT_LE(run.moves(), 6);
}

TEST(RowBalance, DoesNotMoveForLessThanItCosts) {
  Parts run({1e6, 1.2e6}, 0, 100);
  RowBalance balance(equal_rows, {}, 100);
  // A tenth of each second is lost: 2000 s until it is 20 moves of 100 s
  run.advance(balance, 64 * 20'000);
  EXPECT_EQ(run.moves(), 0);
}

TEST(FastestParts, AreTheDevicesThatAreFasterTogether) {
  const auto parts = [](const std::vector<PartSpeed>& speeds, std::int64_t height = 65'536) {
    return fastest_parts(height, speeds).parts;
  };
  using Chosen = std::vector<std::size_t>;
  EXPECT_EQ(parts({PartSpeed::constant(1e9, 0, 32)}), Chosen{0});
  EXPECT_EQ(parts({PartSpeed::constant(1e8, 1e-4, 32), PartSpeed::constant(1e9, 1e-4, 32)}), (Chosen{0, 1}));
  EXPECT_EQ(parts({PartSpeed::constant(1e6, 1e-4, 32), PartSpeed::constant(1e9, 1e-4, 32)}), Chosen{1})
      << "a thousandth is not worth the exchange";
  EXPECT_EQ(parts({PartSpeed::constant(1e9, 1, 32), PartSpeed::constant(1e9, 1, 32)}), Chosen{0})
      << "an exchange of a second";
  EXPECT_EQ(parts({PartSpeed::constant(1e9, 0, 1), PartSpeed::constant(1e9, 0, 1)}, 1), Chosen{0})
      << "one row";
  EXPECT_EQ(fastest_parts(39, std::vector<PartSpeed>(2, PartSpeed::constant(1e9, 0, 1)), {20, 1}).parts,
            Chosen{0})
      << "too few rows for two halos of a generation";
  const FastestParts both = fastest_parts(65'536, std::vector<PartSpeed>(2, PartSpeed::constant(1e9, 0, 1)));
  EXPECT_NEAR(both.gain, 2, 0.01);
}

}  // namespace
}  // namespace moorea::test
