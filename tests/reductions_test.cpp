// SPDX-License-Identifier: MIT
// Every reduction x sizes around a warp, a block and many blocks x every block size, against the sum of the
// same values on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "devices/cuda.h"
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
};

TEST_P(Reductions, AddUpAnyArrayExactly) {
  for (const std::int64_t n : sizes) {
    for (const int threads : blocks) {
      const int asked = GetParam().threads == 0 ? 0 : threads;
      const auto seed = static_cast<std::uint32_t>(n + threads);
      const ReductionTiming timing = time_reduction(GetParam().name, device, n, asked, 0, seed);
      ASSERT_EQ(timing.sum, timing.expected) << n << " values, " << threads << " threads";
      ASSERT_EQ(timing.bytes_read, static_cast<std::uint64_t>(4 * n));
      ASSERT_TRUE(timing.seconds.empty());
    }
  }
}

TEST_P(Reductions, AreTimed) {
  const ReductionTiming timing = time_reduction(GetParam().name, device, 100'000, 0, 3);
  EXPECT_EQ(timing.sum, timing.expected);
  EXPECT_GT(timing.expected, 0u);
  ASSERT_EQ(timing.seconds.size(), 3u);
  for (const double seconds : timing.seconds) EXPECT_GT(seconds, 0);
  EXPECT_EQ(timing.threads, GetParam().threads);
  EXPECT_EQ(timing.device, device);
}

TEST_P(Reductions, RefuseWhatCannotBe) {
  const auto kind_of = [](std::int64_t n, int threads, int samples) {
    try {
      time_reduction(GetParam().name, device, n, threads, samples);
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

TEST(TimeReduction, WithoutAGpuSaysWhy) {
  if (cuda_unavailable_reason() == nullptr) GTEST_SKIP() << "there is a GPU";
  try {
    time_reduction("reduce/ladder/06_atomic", device, 1, 0, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    EXPECT_NE(std::strstr(error.what(), cuda_unavailable_reason()), nullptr) << error.what();
  }
}

TEST(TimeReduction, WantsAGpuAndANameOfTheTable) {
  const auto kind_of = [](const char* name, const char* on) {
    try {
      time_reduction(name, on, 1, 0, 0);
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
