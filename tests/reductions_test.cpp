// SPDX-License-Identifier: MIT
// Every reduction x sizes around a warp, a block and many blocks x every block size, against the sum of the
// same values on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "devices/cuda.h"
#include "kernels/reduction.h"
#include "moorea/error.h"
#include "moorea/lab/reduction.h"

namespace moorea::test {
namespace {

constexpr std::int64_t sizes[] = {0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, 1025, 65537, 1'000'003};
constexpr int blocks[] = {32, 64, 128, 256, 512, 1024};
constexpr const char* device = "cuda:0";

class Reductions : public testing::TestWithParam<ReductionInfo> {
 protected:
  void SetUp() override {
    if (!GetParam().runs) GTEST_SKIP() << GetParam().reason;
  }

  // `threads` per block, if they can be chosen.
  static ReductionTask task(std::int64_t n, int threads) {
    ReductionTask task = {.name = GetParam().name, .device = device, .values = n};
    task.threads = GetParam().threads == 0 ? 0 : threads;
    task.seed = static_cast<std::uint32_t>(n + threads);
    return task;
  }
};

TEST_P(Reductions, AddUpAnyArrayExactly) {
  for (const std::int64_t n : sizes) {
    for (const int threads : blocks) {
      const ReductionTiming timing = time_reduction(task(n, threads));
      ASSERT_EQ(timing.sum, timing.expected) << n << " values, " << threads << " threads";
      ASSERT_EQ(timing.tolerance, 0);
      ASSERT_EQ(timing.bytes_read, static_cast<std::uint64_t>(4 * n));
      ASSERT_TRUE(timing.seconds.empty());
    }
  }
}

// In single precision, so that sums are rounded: of all sizes some must be.
TEST_P(Reductions, AddUpFloatsWithinTheRoundingOfAnyOrder) {
  bool rounded = false;
  for (const std::int64_t n : sizes) {
    for (const int threads : blocks) {
      ReductionTask floats = task(n, threads);
      floats.type = ReductionType::floats;
      const ReductionTiming timing = time_reduction(floats);
      ASSERT_TRUE(is_correct(timing)) << timing.sum << " instead of " << timing.expected << ": " << n
                                      << " values, " << threads << " threads";
      ASSERT_NEAR(timing.expected, 0.75 * static_cast<double>(n), 0.25 * static_cast<double>(n));
      rounded = rounded || timing.sum != timing.expected;
    }
  }
  // CUDA's library adds in double precision
  if (GetParam().threads != 0) {
    EXPECT_TRUE(rounded);
  }
}

TEST_P(Reductions, AreTimed) {
  ReductionTask timed = task(100'000, 0);
  timed.samples = 3;
  const ReductionTiming timing = time_reduction(timed);
  EXPECT_EQ(timing.sum, timing.expected);
  EXPECT_GT(timing.expected, 0);
  ASSERT_EQ(timing.seconds.size(), 3u);
  for (const double seconds : timing.seconds) EXPECT_GT(seconds, 0);
  EXPECT_EQ(timing.threads, GetParam().threads);
  EXPECT_EQ(timing.device, device);
}

TEST_P(Reductions, RefuseWhatCannotBe) {
  const auto kind_of = [](std::int64_t n, int threads, int samples) {
    try {
      time_reduction(
          {.name = GetParam().name, .device = device, .values = n, .threads = threads, .samples = samples});
    } catch (const Error& error) {
      return error.kind();
    }
    ADD_FAILURE() << n << " values, " << threads << " threads, " << samples << " samples";
    return ErrorKind::run;
  };
  EXPECT_EQ(kind_of(-1, 0, 0), ErrorKind::usage);
  EXPECT_EQ(kind_of(largest_reduction + 1, 0, 0), ErrorKind::usage);
  EXPECT_EQ(kind_of(1, 0, -1), ErrorKind::usage);
  for (const int threads : {-32, 1, 16, 33, 96, 2048}) EXPECT_EQ(kind_of(1, threads, 0), ErrorKind::usage);
  if (GetParam().threads == 0) {
    EXPECT_EQ(kind_of(1, 256, 0), ErrorKind::usage);
  }
}

std::string test_name(const testing::TestParamInfo<ReductionInfo>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, Reductions, testing::ValuesIn(list_reductions()), test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Reductions);  // a build without CUDA has none

TEST(ListOfReductions, IsSortedAndSaysWhyNot) {
  const std::vector<ReductionInfo> all = list_reductions();
  EXPECT_TRUE(
      std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const ReductionInfo& info : all) {
    EXPECT_EQ(info.runs, cuda_unavailable_reason() == nullptr) << info.name;
    EXPECT_EQ(info.reason.empty(), info.runs) << info.name;
    EXPECT_FALSE(info.summary.empty()) << info.name;
  }
}

// Sum of the floats of thread blocks, each with 2^levels values, by a tree of additions in single precision;
// the sums of blocks are added in double precision.
double sum_by_trees(std::vector<float> values, int levels) {
  const std::size_t block = std::size_t{1} << levels;
  values.resize((values.size() + block - 1) / block * block);
  double sum = 0;
  for (std::size_t first = 0; first < values.size(); first += block) {
    for (std::size_t distance = block / 2; distance > 0; distance /= 2) {
      for (std::size_t i = 0; i < distance; ++i) values[first + i] += values[first + i + distance];
    }
    sum += static_cast<double>(values[first]);
  }
  return sum;
}

ReductionTiming timing_of(double sum, double expected) {
  ReductionTiming timing;
  timing.type = ReductionType::floats;
  timing.sum = sum;
  timing.expected = expected;
  timing.tolerance = kernels::float_sum_tolerance * expected;
  return timing;
}

// The tolerance accepts every tree of up to 11 levels in any order of the values, and no sum of floats one
// after the other, nor a sum without one of half a million values.
TEST(Floats, ToleranceSeparatesOrdersFromMistakes) {
  std::mt19937 random(1);
  for (const std::size_t n : {1000u, 65537u, 500'000u}) {
    std::vector<float> values;
    std::uint64_t multiples = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto multiple = static_cast<std::uint32_t>(random() >> 9 | 1u << 23);
      multiples += multiple;
      values.push_back(static_cast<float>(multiple) * 0x1p-24f);
    }
    const double expected = static_cast<double>(multiples) * 0x1p-24;
    bool rounded = false;
    for (int trial = 0; trial < 20; ++trial) {
      std::shuffle(values.begin(), values.end(), random);
      const double sum = sum_by_trees(values, 1 + trial % 11);
      EXPECT_TRUE(is_correct(timing_of(sum, expected))) << n << " values, trial " << trial;
      rounded = rounded || sum != expected;
    }
    EXPECT_TRUE(rounded) << n;
    const double smallest = static_cast<double>(*std::min_element(values.begin(), values.end()));
    EXPECT_FALSE(is_correct(timing_of(sum_by_trees(values, 11) - smallest, expected))) << n;
    EXPECT_FALSE(is_correct(timing_of(std::nan(""), expected)));
  }
  std::vector<float> values(500'000, 0.7f);
  const float one_after_the_other = std::accumulate(values.begin(), values.end(), 0.0f);
  EXPECT_FALSE(
      is_correct(timing_of(static_cast<double>(one_after_the_other), 500'000 * static_cast<double>(0.7f))));
}

TEST(TimeReduction, WithoutAGpuSaysWhy) {
  if (cuda_unavailable_reason() == nullptr) GTEST_SKIP() << "there is a GPU";
  try {
    time_reduction({.name = "reduce/ladder/06_atomic", .device = device, .values = 1});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    EXPECT_NE(std::strstr(error.what(), cuda_unavailable_reason()), nullptr) << error.what();
  }
}

TEST(TimeReduction, WantsAGpuAndANameOfTheTable) {
  const auto kind_of = [](const char* name, const char* on) {
    try {
      time_reduction({.name = name, .device = on, .values = 1});
    } catch (const Error& error) {
      return error.kind();
    }
    ADD_FAILURE() << name << " on " << on;
    return ErrorKind::run;
  };
  EXPECT_EQ(kind_of("reduce/ladder/06_atomic", "cpu"), ErrorKind::usage);
  if (cuda_unavailable_reason() == nullptr) {
    EXPECT_EQ(kind_of("reduce/none", device), ErrorKind::usage);
  }
}

}  // namespace
}  // namespace moorea::test
