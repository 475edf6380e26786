// SPDX-License-Identifier: MIT
// Energy used by a device, measured while a program runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace moorea {

/// Energy used by a device, other processes included. For the CPU it is that of its packages, read from
/// Linux's RAPL (running average power limit) counters, which most systems restrict to root; for a GPU that
/// of the whole board, read through NVML.
class EnergyMeter {
 public:
  /// `device` is a DeviceInfo::name; `powercap` is the folder of RAPL's files.
  explicit EnergyMeter(const std::string& device, std::string powercap = "/sys/class/powercap");

  /// Why energy cannot be measured on this machine; empty if it can.
  const std::string& unavailable_reason() const { return absent_; }

  /// Joules since the previous call, or since construction; empty if unavailable_reason() is not. Call it at
  /// least once a minute: RAPL's counters wrap around.
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

}  // namespace moorea
#pragma GCC visibility pop
