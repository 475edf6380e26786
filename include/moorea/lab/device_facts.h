// SPDX-License-Identifier: MIT
// Facts of a device that measurements depend on: versions of its software, memory, clocks.
#pragma once

#include <cstdint>
#include <string>

#pragma GCC visibility push(default)
namespace moorea {

/// A clock frequency in megahertz; 0 where the system does not report it.
struct ClockFrequency {
  double now = 0;  ///< at the time of the call, when an idle device may have lowered it
  double maximum = 0;
};

/// Facts of a device; empty or 0 where the system does not report them.
struct DeviceFacts {
  std::string driver;        ///< version of the driver of a CUDA or OpenCL device
  std::string api;           ///< interface of that driver with its version, "CUDA 12.8"
  std::string runtime;       ///< runtime library of this build's toolkit, for CUDA devices: "CUDA 12.4"
  std::uint64_t memory = 0;  ///< bytes, those in use included
  ClockFrequency cores;      ///< of the first CPU core, of a GPU's multiprocessors
  ClockFrequency memory_clock;
};

/// `device` is a DeviceInfo::name. Throws Error (unavailable) for an unknown device.
DeviceFacts device_facts(const std::string& device);

}  // namespace moorea
#pragma GCC visibility pop
