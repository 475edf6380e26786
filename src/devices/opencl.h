// SPDX-License-Identifier: MIT
// The OpenCL devices of this machine, as the rest of the program sees them. A build without OpenCL has none.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "boards/board.h"
#include "kernels/kernel.h"
#include "moorea/inventory.h"
#include "moorea/lab/ceilings.h"
#include "moorea/lab/device_facts.h"
#include "moorea/topology.h"

namespace moorea {

/// "opencl:0", "opencl:1", ... of all platforms; empty where there is none, and opencl_unavailable_reason()
/// says why.
std::vector<DeviceInfo> list_opencl();

/// Why no OpenCL kernel can run, or null.
const char* opencl_unavailable_reason();

/// The device that "opencl", "opencl:1" or "opencl:pocl", a part of a platform's or device's name in any
/// case, means; -1: there is none such.
int find_opencl(std::string_view name);

/// Whether it is a CPU, which wants other kernels than a GPU.
bool opencl_is_cpu(int device);

/// Whether its memory is the machine's, as that of CPUs and of GPUs on the same chip.
bool opencl_in_main_memory(int device);

/// Versions, memory and maximum clock.
DeviceFacts opencl_facts(int device);

/// The device's copy bandwidth; what its logic does is not measured (0).
Ceilings measure_opencl_ceilings(int device);

/// An OpenCL kernel, its text for the rule, and the work-group that was asked for; 0 x 0: the kernel's own.
struct OpenClKernel {
  const kernels::Kernel* kernel = nullptr;
  kernels::OpenClBinding binding;
  kernels::BlockShape group = {};
  Numbering numbering = Numbering::given;  ///< of the faces, for kernels of meshes
};

/// A world on OpenCL device `device`.
std::unique_ptr<Board> make_opencl_board(const WorldSpec& world, int device, const OpenClKernel& kernel);

/// Bytes of the device's memory that make_opencl_board() asks for.
double opencl_board_bytes(const WorldSpec& world, int device, const OpenClKernel& kernel);

}  // namespace moorea
