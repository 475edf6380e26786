// SPDX-License-Identifier: MIT
#include "choose/backend.h"

#include <utility>

namespace moorea {

const BackendDriver& driver_of(Backend backend) {
  switch (backend) {
    case Backend::cpu:
      return cpu_driver();
    case Backend::cuda:
      return cuda_driver();
    case Backend::opencl:
      return opencl_driver();
  }
  return cpu_driver();
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> devices;
  for (const Backend backend : {Backend::cpu, Backend::cuda, Backend::opencl}) {
    for (DeviceInfo& device : driver_of(backend).devices()) devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace moorea
