// SPDX-License-Identifier: MIT
// Findings about registers and thread blocks, from made-up measurements: no GPU is needed.
#include "lab/study_occupancy.h"

#include <gtest/gtest.h>

namespace app {
namespace {

Measurement measurement(const char* kernel, int threads, int registers, double occupancy, double speed) {
  Measurement each;
  each.row = {{"kernel", kernel},
              {"rule", "B3/S23"},
              {"block", {{"width", threads}, {"height", 1}}},
              {"registers_per_thread", registers},
              {"occupancy", occupancy},
              {"cells_per_second", speed}};
  each.cells = 1e6;
  const double seconds = each.cells / speed;
  for (int i = 0; i < 20; ++i) each.seconds.samples.push_back(seconds * (1 + 1e-4 * i));
  each.seconds.rounds = {seconds, seconds, seconds};
  return each;
}

Results results() {
  Results results;
  results.measurements = {measurement("cuda/ladder/10_template_strips", 1024, 32, 1, 9e11),
                          measurement("cuda/ladder/10_template_strips", 64, 32, 1, 7e11),
                          measurement("cuda/ladder/09_runtime_strips_4", 64, 56, 0.5625, 6e11),
                          measurement("cuda/ladder/09_runtime_strips_4", 1024, 56, 0.5, 3e11)};
  return results;
}

TEST(Occupancy, FindingsNameRegistersOccupancyAndTheBestBlock) {
  const std::vector<std::string> findings = occupancy_findings(results());
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(
      findings[0],
      "cuda/ladder/10_template_strips: 32 registers a thread; in blocks of 64 threads 100 % of the threads "
      "that a "
      "multiprocessor can hold, in blocks of 1024 100 %. Its fastest block has 1024 threads: 900 G cells per "
      "second, 1.29 times as many as the slowest, of 64.");
  EXPECT_NE(findings[1].find("56 registers a thread; in blocks of 64 threads 56 %"), std::string::npos)
      << findings[1];
  EXPECT_NE(findings[1].find("in blocks of 1024 50 %. Its fastest block has 64 threads"), std::string::npos)
      << findings[1];
  EXPECT_EQ(findings[2],
            "B3/S23, each with its fastest block: the kernel of its family alone is 1.5 times as fast as the "
            "kernel of "
            "all families.");
}

TEST(Occupancy, ChartHasALineForEachKernelByThreads) {
  const Chart chart = occupancy_chart(results());
  ASSERT_EQ(chart.series.size(), 2u);
  EXPECT_EQ(chart.series[0].name, "cuda/ladder/10_template_strips");
  EXPECT_EQ(chart.series[0].points[0].x, 64);
  EXPECT_EQ(chart.series[1].points[0].y, 0.5625);
  EXPECT_EQ(chart.series[1].points[1].x, 1024);
  EXPECT_EQ(chart.series[1].points[1].y, 0.5);
}

}  // namespace
}  // namespace app
