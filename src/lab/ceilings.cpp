// SPDX-License-Identifier: MIT
#include "moorea/lab/ceilings.h"
#include "choose/backend.h"
#include "choose/choose.h"
#include "moorea/inventory.h"

namespace moorea {

Ceilings measure_ceilings(const std::string& device, int threads) {
  Options options;
  options.device = device;
  options.threads = threads;
  const Choice choice = choose({}, options);
  return driver_of(choice.device.backend).ceilings(choice);
}

}  // namespace moorea
