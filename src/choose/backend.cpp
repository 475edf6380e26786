// SPDX-License-Identifier: MIT
#include "choose/backend.h"

#include <fmt/core.h>

#include <cstdlib>
#include <utility>

#include "model/memory.h"
#include "moorea/error.h"

namespace moorea {

std::shared_ptr<std::uint64_t[]> BackendDriver::host_memory(int, std::size_t words) const {
  // calloc returns pages that occupy no memory until they are written
  auto* const memory = static_cast<std::uint64_t*>(std::calloc(words, sizeof(std::uint64_t)));
  if (memory == nullptr) {
    throw Error(fmt::format("the system refused {} of memory for rows out of core",
                            human_bytes(static_cast<double>(words) * sizeof(std::uint64_t))),
                ErrorKind::memory);
  }
  return {memory, [](std::uint64_t* first) { std::free(first); }};
}

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
