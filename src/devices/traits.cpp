// SPDX-License-Identifier: MIT
#include "devices/traits.h"

#include <algorithm>
#include <fstream>

#include "devices/cuda.h"
#include "devices/opencl.h"

namespace moorea {

kernels::DeviceTraits machine_traits() {
  kernels::DeviceTraits traits;
  traits.cuda_unavailable_reason = cuda_unavailable_reason;
  traits.cuda_compiler_unavailable_reason = cuda_compiler_unavailable_reason;
  traits.opencl_unavailable_reason = opencl_unavailable_reason;
#if defined(__x86_64__)
  // These builtins also ask the system whether it saves the wide registers
  traits.avx2 = __builtin_cpu_supports("avx2") != 0;
  traits.avx512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                  __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
#endif
  return traits;
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(std::min(line.find(": ") + 2, line.size()));
  }
  return "unknown CPU";
}

}  // namespace moorea
