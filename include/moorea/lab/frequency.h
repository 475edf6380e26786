// SPDX-License-Identifier: MIT
// Clock frequency of the CPUs over time, sampled while a program runs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace moorea {

/// Clock frequencies, sampled at equal intervals.
struct FrequencySamples {
  double interval_seconds = 0;
  /// By CPU number: the frequency in megahertz at i * interval_seconds after the start; 0: no sample. All
  /// CPUs have equally many.
  std::map<int, std::vector<int>> megahertz;
  double seconds = 0;          ///< from start() to stop()
  double sampler_seconds = 0;  ///< CPU time of the sampling thread

  /// Number of samples of each CPU, missing ones included.
  std::size_t ticks() const { return megahertz.empty() ? 0 : megahertz.begin()->second.size(); }
};

/// Samples the clock frequency of each CPU available to this process in a thread that sleeps between two
/// samples. The first of these sources that the machine has is used:
/// - "cpufreq": /sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq;
/// - "cpuinfo": "cpu MHz" in /proc/cpuinfo, if the kernel computes it from the processor's APERF and MPERF;
/// - "cycles": the cycles that each thread of this process spends in user mode, relative to its CPU time
///   (perf_event_open(2)), assigned to the CPU on which the thread runs;
/// - "nominal": "cpu MHz" in /proc/cpuinfo otherwise, as in most virtual machines: a constant.
class FrequencyMeter {
 public:
  struct Settings {
    double interval_seconds = 0.01;
    std::string root;  ///< prepended to /proc and /sys, for tests
  };

  /// Throws Error (usage) for an interval below 0.1 ms.
  explicit FrequencyMeter(const Settings& settings);
  FrequencyMeter() : FrequencyMeter(Settings()) {}
  ~FrequencyMeter();
  FrequencyMeter(const FrequencyMeter&) = delete;
  FrequencyMeter& operator=(const FrequencyMeter&) = delete;

  /// Name of the source; empty if there is none.
  std::string source() const;

  /// The sources before source() and why this machine does not have them, all of them if there is none.
  const std::string& tried() const;

  /// Starts the thread, after the threads that are to be sampled. Samples of an earlier start() are
  /// discarded.
  void start();
  void stop();

  /// Samples taken since start(). Reading takes at most a twentieth of one CPU: where it takes longer,
  /// samples are missing.
  FrequencySamples samples() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace moorea
#pragma GCC visibility pop
