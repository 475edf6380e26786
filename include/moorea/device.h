// SPDX-License-Identifier: MIT
// Devices that run kernels, and how they are named.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace moorea {

/// The programming interface by which a kernel runs.
enum class Backend { cpu, cuda, opencl };

/// "cpu", "cuda" or "opencl".
std::string_view to_string(Backend backend);

/// The backend of a device name or of a request for one: "cuda" and "cuda:1" are Backend::cuda, "opencl:pocl"
/// is Backend::opencl; nothing for "auto" and other words.
std::optional<Backend> backend_of_device(std::string_view name);

/// One device of this machine. The CPU's threads are one device; GPUs and OpenCL devices are counted from 0.
struct DeviceRef {
  Backend backend = Backend::cpu;
  int index = 0;

  /// Reads "cpu", "cuda:1" and "opencl:0"; "cuda" and "opencl" are their first device. Nothing for other
  /// words; whether there is such a device is not looked at.
  static std::optional<DeviceRef> parse(std::string_view name);

  /// The canonical name: "cpu", "cuda:0".
  std::string str() const;

  friend bool operator==(const DeviceRef&, const DeviceRef&) = default;
};

}  // namespace moorea
#pragma GCC visibility pop
