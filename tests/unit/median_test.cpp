// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "model/statistics.h"

namespace moorea {
namespace {

TEST(Median, IsTheMiddleSampleInAnyOrder) {
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({4, 2, 1, 3}), 3);
}

}  // namespace
}  // namespace moorea
