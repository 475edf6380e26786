// SPDX-License-Identifier: MIT
#include "cli/cpu_watch.h"

#include <gtest/gtest.h>

namespace app {
namespace {

// A twentieth of a second, in which the threads of a team used `cpu` seconds of CPU time and waited for a
// CPU, each scheduled `times` times.
double part(double cpu, const std::map<int, double>& waited, int cpus, int threads, double stolen = 0,
            double times = 0) {
  const CpuReading before{100, 7, true, {{1, {3, 70}}, {2, {4, 80}}}, 50, 12};
  CpuReading after = before;
  after.wall += 0.05, after.cpu += cpu, after.stolen += stolen;
  for (const auto& [thread, seconds] : waited) {
    after.waited[thread].seconds += seconds;
    after.waited[thread].times += times;
  }
  return part_taken(before, after, cpus, threads);
}

TEST(CpuWatch, AThreadThatWaitedForACpuWasHeldBack) {
  EXPECT_DOUBLE_EQ(part(0.05, {}, 1, 1), 0);
  EXPECT_NEAR(part(0.025, {{1, 0.025}}, 1, 1), 0.5, 1e-9);
  // The other threads of a team wait for the slowest
  EXPECT_NEAR(part(0.085, {{1, 0.005}, {2, 0.01}}, 2, 2), 0.2, 1e-9);
  // A thread that started meanwhile
  EXPECT_NEAR(part(0.05, {{9, 0.02}}, 2, 2), 0.4, 1e-9);
}

TEST(CpuWatch, WhoSleepsWasNotHeldBack) {
  EXPECT_DOUBLE_EQ(part(0.05, {}, 64, 64), 0);                 // one thread of a team works
  EXPECT_DOUBLE_EQ(part(0.001, {}, 16, 1), 0);                 // the host thread waits for its GPU
  EXPECT_LT(part(0.05, {{1, 0.0003}}, 2, 2), max_part_taken);  // overhead of the system itself
  // A team that sleeps between short passes is woken often, each time after 20 microseconds
  EXPECT_LE(part(0.05, {{1, 0.02}, {2, 0.02}}, 2, 2, 0, 1000), 0);
  // A competitor has ten time slices of 2 ms
  EXPECT_NEAR(part(0.03, {{1, 0.02}}, 1, 1, 0, 10), 0.38, 1e-9);
}

TEST(CpuWatch, ThreadsThatHeldBackEachOtherUsedEveryCpu) {
  EXPECT_NEAR(part(0.1, {{1, 0.04}, {2, 0.04}}, 2, 2), 0, 1e-9);
  CpuWatch many(1 << 20);
  EXPECT_FALSE(many.judges());
  many.begin();
  EXPECT_EQ(many.end(), 0);
}

TEST(CpuWatch, AHypervisorsTimeIsNotThatOfProcesses) {
  // Two CPUs for 0.05 s, half of it stolen; its ticks of 10 ms may overestimate by one per CPU
  EXPECT_NEAR(part(0.05, {{1, 0.025}}, 2, 2, 0.05), 0.4, 1e-9);
  EXPECT_NEAR(part(0.03, {{1, 0.02}}, 2, 2, 0.09), 0, 1e-9);
}

TEST(CpuWatch, InvoluntarySwitchesWhereNoRunDelayIsKept) {
  const CpuReading before{10, 5, false, {}, 100, 0};
  const auto after = [&](double cpu, double switches) {
    return CpuReading{10.02, 5 + cpu, false, {}, 100 + switches, 0};
  };
  EXPECT_DOUBLE_EQ(part_taken(before, after(0.02, 0), 2, 1), 0);
  EXPECT_DOUBLE_EQ(part_taken(before, after(0.01, 0), 2, 1), 0);  // it slept
  EXPECT_NEAR(part_taken(before, after(0.014, 5), 2, 1), 0.3, 1e-9);
  EXPECT_LT(part_taken(before, after(0.0199, 1), 2, 1),
            max_part_taken);  // a short interruption by the system
}

std::vector<TimedSample> of(const std::vector<std::pair<double, double>>& samples) {
  std::vector<TimedSample> list;
  for (const auto& [seconds, taken] : samples) list.push_back({seconds, taken});
  return list;
}

TEST(CpuWatch, KeepsUndisturbedSamples) {
  const KeptSamples good = keep(of({{1, 0}, {9, 0.5}, {2, 0.01}, {3, 0.02}}), 3);
  EXPECT_EQ(good.seconds, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(good.discarded, 1u);
  EXPECT_FALSE(good.busy);
  EXPECT_FALSE(keep(of({{1, 0}, {2, 0}}), 9).busy);  // too few, and none is disturbed
}

TEST(CpuWatch, MarksARowOfWhichTheLeastDisturbedMustDo) {
  const KeptSamples busy = keep(of({{7, 0.3}, {8, 0.3}, {1, 0}, {5, 0.1}, {9, 0.9}}), 3);
  EXPECT_TRUE(busy.busy);
  EXPECT_EQ(busy.seconds, (std::vector<double>{7, 1, 5}));
  EXPECT_EQ(busy.discarded, 2u);
}

TEST(CpuWatch, ReadsThisSystem) {
  const CpuReading before = read_cpus();
  volatile std::uint64_t sum = 0;
  while (read_cpus().cpu - before.cpu < 0.01) sum = sum + 1;
  const CpuReading after = read_cpus();
  EXPECT_GE(after.wall - before.wall, 0);
  const double taken = part_taken(before, after, allowed_cpu_count(), 1);
  EXPECT_TRUE(taken >= 0 && taken <= 1) << taken;
  EXPECT_FALSE(contention_source(after).empty());
}

}  // namespace
}  // namespace app
