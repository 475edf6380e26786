// SPDX-License-Identifier: MIT
#include "devices/cpu/ceilings.h"
#include "choose/choose.h"
#include "devices/cuda.h"
#include "devices/opencl.h"
#include "moorea/inventory.h"

namespace moorea {

Ceilings measure_ceilings(const std::string& device, int threads) {
  Options options;
  options.device = device;
  options.threads = threads;
  const Choice choice = choose({}, options);
  switch (choice.device.backend) {
    case Backend::cpu:
      return measure_cpu_ceilings(choice.threads);
    case Backend::cuda:
      return measure_gpu_ceilings(choice.device.index);
    case Backend::opencl:
      return measure_opencl_ceilings(choice.device.index);
  }
  return {};
}

}  // namespace moorea
