// SPDX-License-Identifier: MIT
#include "devices/traits.h"

#include <algorithm>
#include <fstream>
#include <variant>

#include "devices/cuda.h"
#include "devices/opencl.h"

namespace moorea {

kernels::InstructionSets machine_instruction_sets() {
  kernels::InstructionSets sets;
#if defined(__x86_64__)
  // These builtins also ask the system whether it saves the wide registers
  sets.avx2 = __builtin_cpu_supports("avx2") != 0;
  sets.avx512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
#endif
  return sets;
}

const char* unavailable_reason(const kernels::Kernel& kernel) {
  if (std::holds_alternative<kernels::CudaContract>(kernel.contract)) return cuda_unavailable_reason();
  if (std::holds_alternative<kernels::OpenClContract>(kernel.contract)) return opencl_unavailable_reason();
  const kernels::InstructionSets sets = machine_instruction_sets();
  if (kernel.needs.avx2 && !sets.avx2) return "this CPU has no AVX2";
  if (kernel.needs.avx512 && !sets.avx512) return "this CPU has no AVX-512 (F, BW, DQ, VL)";
  return nullptr;
}

const char* unavailable_reason(const kernels::CudaBinding& binding) {
  const bool compiles = binding.source != nullptr || binding.file_source != nullptr;
  return compiles ? cuda_compiler_unavailable_reason() : nullptr;
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(std::min(line.find(": ") + 2, line.size()));
  }
  return "unknown CPU";
}

}  // namespace moorea
