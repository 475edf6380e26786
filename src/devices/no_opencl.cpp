// SPDX-License-Identifier: MIT
// A build without OpenCL.
#ifndef MOOREA_OPENCL_ENABLED

#include "devices/opencl.h"
#include "moorea/error.h"
#include "moorea/lab/ceilings.h"

namespace moorea {
namespace {

constexpr const char* reason = "this build has no OpenCL (MOOREA_OPENCL)";

}  // namespace

std::vector<DeviceInfo> list_opencl() { return {}; }
const char* opencl_unavailable_reason() { return reason; }
int find_opencl(std::string_view) { return -1; }
bool opencl_is_cpu(int) { return false; }
bool opencl_in_main_memory(int) { return false; }
DeviceFacts opencl_facts(int) { throw Error(reason, ErrorKind::unavailable); }
Ceilings measure_opencl_ceilings(int) { throw Error(reason, ErrorKind::unavailable); }

std::unique_ptr<Board> make_opencl_board(const WorldSpec&, int, const OpenClKernel&) {
  throw Error(reason, ErrorKind::unavailable);
}

double opencl_board_bytes(const WorldSpec&, int, const OpenClKernel&) { return 0; }

}  // namespace moorea

#endif
