// SPDX-License-Identifier: MIT
// The frequency meter below a root with synthetic files, laid out as on Linux.
#include "moorea/lab/frequency.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "devices/cpu/placement.h"
#include "moorea/error.h"

namespace moorea {
namespace {

class Frequency : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() / ("moorea_frequency_" + std::to_string(getpid()));
    std::filesystem::create_directories(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text << "\n";
  }

  // Kilohertz in the file of a cpufreq driver.
  void write_cpufreq(int cpu, const std::string& text) const {
    write("sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/scaling_cur_freq", text);
  }

  void write_cpuinfo(const std::string& megahertz, const std::string& flags) const {
    std::string text;
    for (int cpu = 0; cpu <= allowed_cpus().back(); ++cpu)
      text += "processor\t: " + std::to_string(cpu) + "\nmodel name\t: cpu MHz 1\nflags\t\t: " + flags +
              "\ncpu MHz\t\t: " + megahertz + "\n\n";
    write("proc/cpuinfo", text);
  }

  // Samples of at least so many ticks.
  static FrequencySamples sampled(FrequencyMeter& meter, std::size_t ticks) {
    meter.start();
    for (std::size_t i = 0; i < 20'000 && meter.samples().ticks() < ticks; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    meter.stop();
    return meter.samples();
  }

  FrequencyMeter::Settings settings(double interval = 0.002) const { return {interval, root_.string()}; }

  std::filesystem::path root_;
};

TEST_F(Frequency, IsReadFromCpufreqAtEqualIntervals) {
  write_cpuinfo("1000", "aperfmperf");
  for (const int cpu : allowed_cpus()) write_cpufreq(cpu, std::to_string(3'100'000 + 1000 * cpu));
  FrequencyMeter meter(settings());
  EXPECT_EQ(meter.source(), "cpufreq");
  EXPECT_EQ(meter.tried(), "");
  EXPECT_TRUE(meter.samples().megahertz.empty());
  const FrequencySamples samples = sampled(meter, 5);
  EXPECT_EQ(samples.interval_seconds, 0.002);
  EXPECT_GE(samples.ticks(), 5u);
  EXPECT_GE(samples.seconds, 4 * 0.002);
  EXPECT_EQ(samples.megahertz.size(), allowed_cpus().size());
  for (const auto& [cpu, series] : samples.megahertz) {
    EXPECT_EQ(series.size(), samples.ticks());
    for (const int value : series) EXPECT_TRUE(value == 3100 + cpu || value == 0) << value;  // 0: a late one
    EXPECT_EQ(series.front(), 3100 + cpu);
    EXPECT_EQ(series.back(), 3100 + cpu);
  }
  // The thread sleeps between samples
  EXPECT_GT(samples.sampler_seconds, 0);
  EXPECT_LT(samples.sampler_seconds, 0.5 * samples.seconds);
}

TEST_F(Frequency, FollowsTheClockAndStartsAgain) {
  const int cpu = allowed_cpus().front();
  write_cpufreq(cpu, "3000000");
  FrequencyMeter meter(settings());
  meter.start();
  while (meter.samples().ticks() < 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  write_cpufreq(cpu, "2000000");
  while (meter.samples().megahertz.at(cpu).back() != 2000)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  meter.stop();
  const std::vector<int> series = meter.samples().megahertz.at(cpu);
  EXPECT_EQ(series.front(), 3000);
  EXPECT_TRUE(
      std::is_sorted(series.rbegin(), series.rend(), [](int a, int b) { return a != 0 && b != 0 && a < b; }));
  // CPUs without the file have no samples
  for (const auto& [other, values] : meter.samples().megahertz) {
    if (other == cpu) continue;
    EXPECT_EQ(std::set<int>(values.begin(), values.end()), std::set<int>{0});
  }
  EXPECT_EQ(sampled(meter, 1).megahertz.at(cpu).front(), 2000);
}

TEST_F(Frequency, IsReadFromCpuinfoWhereThatIsMeasured) {
  write_cpuinfo("2893.456", "fpu aperfmperf avx2");
  FrequencyMeter meter(settings());
  EXPECT_EQ(meter.source(), "cpuinfo");
  EXPECT_NE(meter.tried().find("cpufreq: no CPU has "), std::string::npos);
  EXPECT_NE(meter.tried().find("scaling_cur_freq"), std::string::npos);
  for (const auto& [cpu, series] : sampled(meter, 2).megahertz) EXPECT_EQ(series.front(), 2893) << cpu;
}

TEST_F(Frequency, ThatIsNominalIsTakenLast) {
  write_cpuinfo("2300.000", "fpu avx2");
  FrequencyMeter meter(settings());
  EXPECT_EQ(meter.source(), "nominal");
  EXPECT_NE(meter.tried().find("lack aperfmperf"), std::string::npos);
  EXPECT_NE(meter.tried().find("perf events: there is no "), std::string::npos);
  EXPECT_EQ(sampled(meter, 1).megahertz.at(allowed_cpus().front()).front(), 2300);
}

TEST_F(Frequency, ThatNothingReportsHasTheReasons) {
  for (const char* text : {"", "<unknown>", "-5", "0", "nan", "1e300"}) {
    write_cpufreq(allowed_cpus().front(), text);
    FrequencyMeter meter(settings());
    EXPECT_EQ(meter.source(), "") << text;
    for (const char* source : {"cpufreq: ", "cpuinfo: ", "perf events: "})
      EXPECT_NE(meter.tried().find(source), std::string::npos) << meter.tried();
    meter.start();
    meter.stop();
    EXPECT_TRUE(meter.samples().megahertz.empty());
    EXPECT_EQ(meter.samples().ticks(), 0u);
  }
  EXPECT_THROW(FrequencyMeter(settings(0)), Error);
  EXPECT_THROW(FrequencyMeter(settings(-1)), Error);
}

// Where this machine permits it, cycles are counted without the files; otherwise the reason is stated.
TEST_F(Frequency, IsCountedInCyclesOfThisProcess) {
  const char* const paranoid = "/proc/sys/kernel/perf_event_paranoid";
  std::string level;
  if (!(std::ifstream(paranoid) >> level)) GTEST_SKIP() << "no perf events";
  write("proc/sys/kernel/perf_event_paranoid", level);
  std::atomic<bool> done = false;
  std::thread worker([&] {
    volatile unsigned sum = 0;
    while (!done) sum = sum + 1;
  });
  FrequencyMeter meter(settings(0.01));
  const FrequencySamples samples = sampled(meter, meter.source().empty() ? 0 : 10);
  done = true;
  worker.join();
  if (meter.source().empty()) {
    EXPECT_TRUE(meter.tried().find("permit") != std::string::npos ||
                meter.tried().find("counter") != std::string::npos ||
                meter.tried().find("perf_event_open: ") != std::string::npos)
        << meter.tried();
    return;
  }
  EXPECT_EQ(meter.source(), "cycles");
  int best = 0;
  for (const auto& [cpu, series] : samples.megahertz)
    best = std::max(best, *std::max_element(series.begin(), series.end()));
  EXPECT_GT(best, 200);
  EXPECT_LT(best, 10'000);
}

}  // namespace
}  // namespace moorea
