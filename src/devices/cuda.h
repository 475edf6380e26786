// SPDX-License-Identifier: MIT
// The NVIDIA GPUs of this machine, as the rest of the program sees them. A build without CUDA has none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "boards/board.h"
#include "kernels/kernel.h"
#include "kernels/reduction.h"
#include "moorea/inventory.h"
#include "moorea/lab/ceilings.h"
#include "moorea/lab/device_facts.h"
#include "moorea/lab/reduction.h"
#include "moorea/rule.h"
#include "moorea/topology.h"

namespace moorea {

/// "cuda:0", "cuda:1", ...; empty where there is none, and cuda_unavailable_reason() says why.
std::vector<DeviceInfo> list_gpus();

/// Why no CUDA kernel can run, and why none can be compiled at run time; or null.
const char* cuda_unavailable_reason();
const char* cuda_compiler_unavailable_reason();

/// The machine code that a GPU of this compute capability (90 is 9.0) would load; asks for no GPU, only for
/// what cuda_compiler_unavailable_reason() looks for. Throws Error (run) with the compiler's words.
std::vector<char> compile_for_gpu(const kernels::RuntimeSource& source, const Rule& rule, int capability);

/// The text that is compiled for a rule, after the definitions of the type `word` (32 bits) and of the macros
/// LUT3, AND_NOT and MOOREA_STEP of common/networks.h. Empty in a build without CUDA.
std::string gpu_text(const kernels::RuntimeSource& source, const Rule& rule);

/// How a CUDA kernel from a user's file is launched, and what that starts; null in a build without CUDA.
using GpuFunctionOf = kernels::DeviceFunction (*)(const kernels::Block& block, const kernels::Launch& how);
kernels::LaunchStep gpu_launch_from_file();
GpuFunctionOf gpu_function_from_file();

/// A CUDA kernel and its functions for the rule.
struct GpuKernel {
  const kernels::Kernel* kernel = nullptr;
  kernels::CudaBinding binding;
};

/// The kernels of a board, all of one layout.
struct GpuKernels {
  GpuKernel busy;
  std::optional<GpuKernel> quiet;          ///< skips, for times when little happens
  std::optional<GpuKernel> counting;       ///< counts, for advance_counting()
  Numbering numbering = Numbering::given;  ///< of the faces, for kernels of meshes
  bool urgent = false;                     ///< before the work of other boards on the GPU
};

/// A world on GPU `device`. `launch` holds what the user asked for; its stream is not looked at.
std::unique_ptr<Board> make_gpu_board(const WorldSpec& world, int device, const GpuKernels& kernels,
                                      const kernels::Launch& launch);

/// Page-locked words, all 0: boards copy whole rows from and to it without a staging buffer. Throws Error
/// (run) if the system refuses it.
std::shared_ptr<std::uint64_t[]> gpu_host_memory(int device, std::size_t words);

/// Why a GPU's kernel cannot have a world of this size, or null.
const char* gpu_refusal(int device, const kernels::Kernel& kernel, const kernels::World& world);

/// Whether its memory is the machine's, as in systems on a chip, so that what a world takes there is gone
/// here.
bool gpu_in_main_memory(int device);

/// Bytes of the GPU's memory that make_gpu_board() asks for.
double gpu_board_bytes(const WorldSpec& world, const kernels::Kernel& kernel);

/// Energy in joules that a GPU's board has used since its driver was loaded; empty if NVML does not report
/// it.
std::optional<double> gpu_energy(int device);

/// Versions, memory and clocks of a GPU.
DeviceFacts gpu_facts(int device);

/// The speed limits of a GPU.
Ceilings measure_gpu_ceilings(int device);

/// As time_reduction(), without the names; `task.threads` are what the reduction takes.
ReductionTiming time_gpu_reduction(int device, const kernels::Reduction& reduction,
                                   const ReductionTask& task);

}  // namespace moorea
