// SPDX-License-Identifier: MIT
// What a machine tells of itself while it works: the energy it uses and how fast its cores run.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace moorea {

/// The energy that a device uses. A CPU's is that of its packages, from the running average power limit
/// (RAPL) counters of Linux, which most systems let only root read; a GPU's is the whole board's, from NVML.
/// Other processes' work is in both.
class EnergyMeter {
 public:
  /// `device` as DeviceInfo::name; `powercap` is where Linux keeps RAPL's files.
  explicit EnergyMeter(const std::string& device, std::string powercap = "/sys/class/powercap");

  /// Why it cannot be told here; empty where it can.
  const std::string& absent() const { return absent_; }

  /// Joules since the last call, or since the meter was made; nothing where it is absent. RAPL's counters
  /// wrap around, so it is asked more often than once a minute.
  std::optional<double> joules();

 private:
  struct Counter {
    std::string file;
    double last = 0;   // microjoules
    double range = 0;  // where it wraps around
  };
  std::optional<double> gpu_joules() const;

  std::string absent_;
  std::vector<Counter> counters_;
  int gpu_ = -1;
  double gpu_last_ = 0;
};

/// Samples the frequency of each core that this process may use, every 50 milliseconds in a thread of its
/// own.
class FrequencyMeter {
 public:
  /// `cpus` is where Linux keeps its files about processors.
  explicit FrequencyMeter(const std::string& cpus = "/sys/devices/system/cpu");
  ~FrequencyMeter();
  FrequencyMeter(const FrequencyMeter&) = delete;
  FrequencyMeter& operator=(const FrequencyMeter&) = delete;

  /// Why there is nothing to sample; empty where there is.
  const std::string& absent() const;

  void start();
  void stop();

  /// The median of each core's samples between start() and stop(), all such times together, in megahertz by
  /// the number of the core.
  std::map<int, double> megahertz() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace moorea
