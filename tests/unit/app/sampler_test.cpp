// SPDX-License-Identifier: MIT
#include "lab/sampler.h"

#include <gtest/gtest.h>

namespace app {
namespace {

constexpr double disturbed = 2 * max_part_taken;

TEST(StoppingCriterion, WantsSamplesWithLittleNoise) {
  const StoppingCriterion criterion(1, 9);
  const std::vector<TimedSample> equal(9, {0.02, 0});
  EXPECT_FALSE(criterion.is_met(0.1, std::vector<TimedSample>(8, {0.02, 0})));
  EXPECT_TRUE(criterion.is_met(0.1, equal));
  std::vector<TimedSample> noisy;
  for (int i = 0; i < 12; ++i) noisy.push_back({0.02 + 0.002 * i, 0});
  EXPECT_FALSE(criterion.is_met(0.9, noisy));
  EXPECT_TRUE(criterion.is_met(1, noisy));  // the budget is spent
}

TEST(StoppingCriterion, ReplacesDisturbedSamplesForALimitedTime) {
  const StoppingCriterion criterion(1, 9);
  EXPECT_FALSE(criterion.is_met(2, std::vector<TimedSample>(26, {0.02, disturbed})));
  EXPECT_TRUE(criterion.is_met(2, std::vector<TimedSample>(27, {0.02, disturbed})));
  EXPECT_FALSE(criterion.is_met(0.5, std::vector<TimedSample>(27, {0.02, disturbed})));
  EXPECT_TRUE(criterion.is_met(20, std::vector<TimedSample>(1, {0.02, disturbed})));
}

TEST(StoppingCriterion, HasAMinimumTimeForSeries) {
  const StoppingCriterion criterion(1, 9, 0.5);
  const std::vector<TimedSample> equal(9, {0.02, 0});
  EXPECT_FALSE(criterion.is_met(0.4, equal));
  EXPECT_TRUE(criterion.is_met(0.5, equal));
  EXPECT_FALSE(StoppingCriterion(0.01, 9, 0.5).is_met(0.4, equal));  // also beyond the budget
}

TEST(Sampler, SamplesOfFixedLengthEndWithTheWorld) {
  const Devices devices;
  Worlds worlds;
  Sampler sampler(devices, worlds, {.budget = 0.01, .rounds = 1});
  Configuration configuration;
  configuration.kernel.name = automatic;
  configuration.start.size = {64, 64};
  configuration.start.world = "diehards:64";  // dies in generation 130
  for (const std::uint64_t asked : {100u, 1000u}) {
    configuration.sample_generations = asked;
    Samples samples;
    samples.generations = asked;
    moorea::Simulation simulation(configuration.start.rule, configuration.start.topology,
                                  *worlds.at(configuration.start));
    ASSERT_TRUE(sampler.sample(configuration, simulation, samples));
    EXPECT_EQ(samples.generations, std::min<std::uint64_t>(asked, 130));
    EXPECT_EQ(samples.dies_after.has_value(), asked > 130);
  }
}

TEST(Sampler, AWorldThatDiesHasShorterSamples) {
  const Devices devices;
  Worlds worlds;
  Sampler sampler(devices, worlds, {.budget = 0.01, .rounds = 1});
  Configuration configuration;
  configuration.kernel.name = automatic;
  configuration.kernel.max_steps = 32;
  configuration.start.size = {64, 64};
  configuration.start.world = "diehards:64";  // dies in generation 130
  Samples samples;
  samples.generations = first_generations(configuration);
  EXPECT_EQ(samples.generations, 32u);
  moorea::Simulation simulation(configuration.start.rule, configuration.start.topology,
                                *worlds.at(configuration.start));
  ASSERT_TRUE(sampler.sample(configuration, simulation, samples));
  EXPECT_EQ(samples.dies_after, 130u);
  EXPECT_LE(samples.generations, 130u);
  EXPECT_EQ(samples.rounds, 1);
  EXPECT_EQ(samples.round_medians.size(), 1u);
  EXPECT_GE(samples.times.size(), min_samples);
}

}  // namespace
}  // namespace app
