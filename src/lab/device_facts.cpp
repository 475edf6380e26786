// SPDX-License-Identifier: MIT
#include "moorea/lab/device_facts.h"

#include <fmt/core.h>

#include "choose/backend.h"
#include "moorea/error.h"

namespace moorea {

DeviceFacts device_facts(const std::string& device) {
  if (const std::optional<Backend> backend = backend_of_device(device)) {
    const BackendDriver& driver = driver_of(*backend);
    if (const std::optional<int> index = driver.find(device)) return driver.facts(*index);
  }
  throw Error(fmt::format("device \"{}\" is not available", device), ErrorKind::unavailable);
}

}  // namespace moorea
