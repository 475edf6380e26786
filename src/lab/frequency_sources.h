// SPDX-License-Identifier: MIT
// Sources of the clock frequency of CPUs, which FrequencyMeter samples.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace moorea {

class FrequencySource {
 public:
  virtual ~FrequencySource() = default;
  virtual const char* name() const = 0;
  /// Prepares a series of read() calls, in the thread that starts them.
  virtual void begin() {}
  /// Sets `megahertz` of each CPU that the source was created for, in that order; 0: unknown.
  virtual void read(std::vector<int>& megahertz) = 0;
};

/// A source, or null and the reason why the machine does not have it.
struct SourceSearch {
  std::unique_ptr<FrequencySource> source;
  std::string reason;
};

/// The first source that the machine has.
struct FoundSource {
  std::unique_ptr<FrequencySource> source;
  std::string tried;  ///< the sources before it, with the reasons
};

/// The files of Linux's cpufreq drivers. `root` is prepended to /sys.
SourceSearch find_cpufreq(const std::vector<int>& cpus, const std::string& root);

/// Lines "cpu MHz" of /proc/cpuinfo below `root`. Without the processor flag "aperfmperf" and a cpufreq
/// driver, Linux writes the nominal frequency there (arch_freq_get_on_cpu() in
/// arch/x86/kernel/cpu/aperfmperf.c); `nominal` selects such files, otherwise they are refused.
SourceSearch find_cpuinfo(const std::vector<int>& cpus, const std::string& root, bool nominal);

/// Cycles and CPU time of this process's threads, if `root` has the perf events of the kernel.
SourceSearch find_cycles(const std::vector<int>& cpus, const std::string& root);

}  // namespace moorea
