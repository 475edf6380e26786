// SPDX-License-Identifier: MIT
#include "live/rate.h"

#include <gtest/gtest.h>

namespace app {
namespace {

TEST(Rate, IsWhatWasDoneInTheLastTwoSeconds) {
  Rate rate;
  EXPECT_EQ(rate.per_second(), 0);
  rate.restart(10);
  EXPECT_EQ(rate.per_second(), 0);
  rate.add(10.5, 50);
  EXPECT_DOUBLE_EQ(rate.per_second(), 100);
  // A burst counts with the pause before it
  for (int i = 0; i < 100; ++i) rate.add(12 + 0.0001 * i, 1);
  EXPECT_NEAR(rate.per_second(), 150 / 2.0, 1);
  rate.add(12.5, 0);
  EXPECT_NEAR(rate.per_second(), 100 / 2.0, 1);
  // Work before the last two seconds no longer counts
  rate.add(14.5, 0);
  EXPECT_NEAR(rate.per_second(), 0, 1e-9);
}

TEST(Rate, OfLongPiecesIsThatOfTheLast) {
  Rate rate;
  rate.restart(0);
  rate.add(10, 1000);
  EXPECT_DOUBLE_EQ(rate.per_second(), 100);
  rate.add(20, 3000);
  EXPECT_DOUBLE_EQ(rate.per_second(), 300);
  rate.restart(30);
  EXPECT_EQ(rate.per_second(), 0);
}

}  // namespace
}  // namespace app
