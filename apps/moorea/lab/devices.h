// SPDX-License-Identifier: MIT
// Devices of this machine, listed once for a sweep: which of them compute on the CPUs.
#pragma once

#include <string>
#include <vector>

#include "moorea/inventory.h"

namespace app {

class Devices {
 public:
  /// Whether the device, or one of several with commas between them, computes on the CPUs, so that other
  /// processes can delay it. A GPU's time is its own,
  /// and the host thread waits most of it.
  bool uses_cpus(const std::string& name) const;

  /// Whether a value of --device can select an OpenCL device on the CPUs.
  bool can_be_opencl_on_cpus(const std::string& requested) const;

 private:
  std::vector<moorea::DeviceInfo> list_ = moorea::list_devices();
};

}  // namespace app
