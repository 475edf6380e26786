// SPDX-License-Identifier: MIT
#include "boards/handover.h"

#include <gtest/gtest.h>

#include <string>

namespace moorea {
namespace {

using Look = Handover::Look;
using Mode = Handover::Mode;

constexpr HandoverTimes times{.quiet_warm_up = 1,
                              .first_look = 2,
                              .quiet_interval = 4,
                              .min_stint = 3,
                              .max_stint = 10,
                              .worth_moving = 0.8};

// Passes of a world whose share of active cells is `share`, as a board computes them whose busy kernel cannot
// be measured: q is the quiet kernel, Q its pass after which is decided, b the busy one.
std::string passes(Handover& handover, double share, int number) {
  std::string kernels;
  for (int i = 0; i < number; ++i) {
    if (handover.mode() == Mode::busy && handover.until_look() == 0) handover.try_quiet();
    const bool is_quiet = handover.mode() == Mode::quiet;
    const Look look = handover.advance(1);
    kernels += !is_quiet ? 'b' : look == Look::ends ? 'Q' : 'q';
    if (look != Look::ends) continue;
    if (handover.should_switch({share, 0.5})) {
      handover.switched();
    } else {
      handover.stayed();
    }
  }
  return kernels;
}

TEST(Handover, AQuietWorldStaysWithTheQuietKernel) {
  Handover handover(times);
  EXPECT_EQ(passes(handover, 0.1, 11), "qqQqqqQqqqQ");
}

TEST(Handover, ABusyWorldIsTriedMoreAndMoreRarely) {
  Handover handover(times);
  // Stints of 3, 6, 10 and 10 passes between trials of three
  EXPECT_EQ(passes(handover, 1, 46), "qqQbbbqqQbbbbbbqqQbbbbbbbbbbqqQbbbbbbbbbbqqQbb");
}

TEST(Handover, AQuietMeasurementEndsTheBackOff) {
  Handover handover(times);
  EXPECT_EQ(passes(handover, 1, 15), "qqQbbbqqQbbbbbb");
  EXPECT_EQ(passes(handover, 0.1, 7), "qqQqqqQ");
  EXPECT_EQ(passes(handover, 1, 8), "qqqQbbbq");
}

TEST(Handover, OtherCellsEndTheBackOff) {
  Handover handover(times);
  passes(handover, 1, 15);
  handover.start(Mode::quiet);
  EXPECT_EQ(passes(handover, 1, 7), "qqQbbbq");
  handover.start(Mode::busy);
  EXPECT_EQ(passes(handover, 1, 4), "bbbq");
}

TEST(Handover, ActivityIsMeasuredAfterAWarmUp) {
  Handover handover(times);
  EXPECT_EQ(handover.advance(1), Look::begins);
  EXPECT_EQ(handover.advance(1), Look::none);
  handover.warm_up_again();  // such as after an edit
  EXPECT_EQ(handover.advance(1), Look::begins);
  EXPECT_EQ(handover.advance(2), Look::ends);
  // The busy kernel needs none, and its stint goes on
  handover.switched();
  handover.warm_up_again();
  EXPECT_EQ(handover.until_look(), 3u);
}

// As on the CPU: both boards can be measured, and units are generations.
TEST(Handover, ABusyKernelThatIsMeasuredIsMeasuredMoreAndMoreRarely) {
  HandoverTimes cpu = times;
  cpu.quiet_warm_up = 0;
  cpu.first_look = 4;
  Handover handover(cpu, Mode::busy);
  for (const std::uint64_t stint : {3, 6, 10, 10}) {
    EXPECT_EQ(handover.until_look(), stint);
    EXPECT_EQ(handover.advance(stint), Look::none);
    EXPECT_EQ(handover.until_look(), 0u);
    EXPECT_FALSE(handover.should_switch({1, 1}));
    handover.stayed();
  }
  EXPECT_TRUE(handover.should_switch({0.7, 1}));
  handover.switched();
  EXPECT_EQ(handover.mode(), Mode::quiet);
  EXPECT_EQ(handover.until_look(), 4u) << "without a warm-up";
  EXPECT_TRUE(handover.should_switch({1, 0.7}));
  handover.switched();
  EXPECT_EQ(handover.mode(), Mode::busy);
  EXPECT_EQ(handover.until_look(), 3u) << "the back-off ended";
}

// Otherwise a world near the limit would move to and fro.
TEST(Handover, TheOtherKernelMustBeClearlyFaster) {
  Handover handover(times);
  for (const Mode mode : {Mode::quiet, Mode::busy}) {
    handover.start(mode);
    EXPECT_FALSE(handover.should_switch({1, 1}));
    EXPECT_FALSE(handover.should_switch({0.85, 1}));
    EXPECT_FALSE(handover.should_switch({1, 0.85}));
    EXPECT_EQ(handover.should_switch({0.75, 1}), mode == Mode::busy);
    EXPECT_EQ(handover.should_switch({1, 0.75}), mode == Mode::quiet);
  }
}

}  // namespace
}  // namespace moorea
