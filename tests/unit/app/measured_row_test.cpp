// SPDX-License-Identifier: MIT
#include "lab/measured_row.h"

#include <gtest/gtest.h>
#include "moorea/lab/ceilings.h"

namespace app {
namespace {

// Nine samples of 0.25 s for 8 generations of 64 x 32 cells, of which one was disturbed.
MeasuredRow measured() {
  MeasuredRow row;
  row.configuration.kernel.name = "cpu/bits";
  row.configuration.kernel.max_steps = 4;
  row.configuration.kernel.bits_moved_per_cell = 2;
  row.configuration.kernel.operations_per_word = 16;
  row.configuration.start.size = {64, 32};
  row.asked = asked(row.configuration);
  row.facts.device = "cpu";
  row.facts.threads = 2;
  row.facts.checked_with = reference_kernel;
  row.samples.rounds = 3;
  row.samples.generations = 8;
  row.samples.times.assign(9, {0.25, 0});
  row.samples.times.push_back({0.5, 0.5});
  row.samples.round_medians = {0.25, 0.25, 0.25};
  row.samples.watched_seconds = 4;
  row.samples.taken_seconds = 0.5;
  row.samples.joules = 64;
  row.samples.joule_seconds = 2;
  row.samples.frequency.add(
      "cpufreq",
      {0.01, {{0, {3000, 3200, 3100}}, {10, {2000, 0, 2000}}, {2, {2500, 2500, 2600}}}, 0.03, 0.0001});
  return row;
}

const moorea::Ceilings limit{32768, 16384, "and"};

TEST(MeasuredRow, IsRelatedToTheLimits) {
  const ResultRow row = measured().result(limit);
  EXPECT_EQ(row.generations_per_second, 32);
  EXPECT_EQ(row.cells_per_second, 65536);
  EXPECT_EQ(row.bytes_per_second, 4096);  // a quarter of a byte for four generations
  EXPECT_EQ(row.part_of_copy_bandwidth, 0.125);
  EXPECT_EQ(row.part_of_logic_throughput, 1);
  EXPECT_EQ(row.joules_per_billion_updates, 32 / 65536. * 1e9);
  EXPECT_EQ(row.core_megahertz.dump(), R"({"0":3100.0,"2":2500.0,"10":2000.0})");
}

TEST(MeasuredRow, DiscardsDisturbedSamples) {
  const ResultRow row = measured().result(limit);
  EXPECT_EQ(row.samples, 9u);
  EXPECT_EQ(row.discarded_samples, 1u);
  EXPECT_EQ(row.cpu_taken, 0.125);
  EXPECT_FALSE(row.busy);
}

TEST(MeasuredRow, OfAKernelThatSkipsTilesHasNoTraffic) {
  MeasuredRow measurement = measured();
  measurement.configuration.kernel.skips = true;
  const ResultRow row = measurement.result(limit);
  EXPECT_FALSE(row.bytes_per_second);
  EXPECT_FALSE(row.part_of_copy_bandwidth);
  EXPECT_FALSE(row.part_of_logic_throughput);
}

TEST(MeasuredRow, IsAdoptedFromItsResult) {
  const MeasuredRow before = measured();
  const Json json = row_json(before.result(limit));
  MeasuredRow now;
  now.configuration = before.configuration;
  now.asked = before.asked;
  now.adopt(read_row(json));
  EXPECT_TRUE(now.checked);
  EXPECT_EQ(row_json(now.result(limit)), json);
}

}  // namespace
}  // namespace app
