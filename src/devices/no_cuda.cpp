// SPDX-License-Identifier: MIT
// Stand-in for src/devices/cuda in a build without CUDA.
#ifndef MOOREA_CUDA_ENABLED

#include "devices/cuda.h"
#include "devices/cuda_rows.h"
#include "devices/gpu_lanes.h"
#include "devices/gpu_soups.h"
#include "moorea/device_cells.h"
#include "moorea/error.h"
#include "moorea/lab/ceilings.h"
#include "moorea/ranks.h"

namespace moorea {
namespace {

constexpr const char* reason = "this build has no CUDA (MOOREA_CUDA)";

}  // namespace

std::vector<DeviceInfo> list_gpus() { return {}; }
const char* cuda_unavailable_reason() { return reason; }
const char* cuda_compiler_unavailable_reason() { return reason; }

std::string gpu_text(const kernels::RuntimeSource&, const Rule&) { return {}; }

std::vector<char> compile_for_gpu(const kernels::RuntimeSource&, const Rule&, int) {
  throw Error(reason, ErrorKind::unavailable);
}

kernels::LaunchStep gpu_launch_from_file() { return nullptr; }
GpuFunctionOf gpu_function_from_file() { return nullptr; }

std::unique_ptr<Board> make_gpu_board(const WorldSpec&, int, const GpuKernels&, const kernels::Launch&) {
  throw Error(reason, ErrorKind::unavailable);
}

std::shared_ptr<std::uint64_t[]> gpu_host_memory(int, std::size_t) {
  throw Error(reason, ErrorKind::unavailable);
}

const char* gpu_refusal(int, const kernels::Kernel&, const kernels::World&) { return reason; }
bool gpu_in_main_memory(int) { return false; }
std::unique_ptr<GpuLanes> make_gpu_lanes(int, const WorldSpec&, std::int64_t) {
  throw Error(reason, ErrorKind::unavailable);
}
LanesSource lanes_source(const kernels::World&, std::size_t) { throw Error(reason, ErrorKind::unavailable); }
LanesSource search_source(const kernels::World&) { throw Error(reason, ErrorKind::unavailable); }
bool gpu_finds_periods(const kernels::World&) { return false; }
std::unique_ptr<GpuSearch> make_gpu_search(int, const WorldSpec&, std::uint64_t) {
  throw Error(reason, ErrorKind::unavailable);
}
SoupsSource soups_source(std::int64_t, std::int64_t) { throw Error(reason, ErrorKind::unavailable); }
std::unique_ptr<GpuSoupTables> make_gpu_soup_tables(int) { throw Error(reason, ErrorKind::unavailable); }
void compile_gpu_soups(int, const Rule&, std::int64_t, std::int64_t) {
  throw Error(reason, ErrorKind::unavailable);
}
kernels::RuntimeSource SoupsSource::source() const { throw Error(reason, ErrorKind::unavailable); }
std::unique_ptr<GpuSoups> make_gpu_soups(int, const GpuSoupsSpec&) {
  throw Error(reason, ErrorKind::unavailable);
}
double gpu_board_bytes(const WorldSpec&, const kernels::Kernel&) { return 0; }
std::optional<double> gpu_energy(int) { return std::nullopt; }
DeviceFacts gpu_facts(int) { throw Error(reason, ErrorKind::unavailable); }
Ceilings measure_gpu_ceilings(int) { throw Error(reason, ErrorKind::unavailable); }

std::string nccl_text() { return std::string("no NCCL: ") + reason; }

std::unique_ptr<GpuRows> make_gpu_rows(const DeviceView&) { throw Error(reason, ErrorKind::unavailable); }

// device_cells() throws, and names the device that the cells are on
DeviceCells copy_packed_cells(const Simulation& simulation) {
  (void)simulation.device_cells();
  throw Error(reason, ErrorKind::unavailable);
}

DeviceCells copy_byte_cells(const Simulation& simulation, const Box&) {
  return copy_packed_cells(simulation);
}

Grid pack_device_cells(const DeviceBytes&) { throw Error(reason, ErrorKind::unavailable); }

KeepsCudaDevice::KeepsCudaDevice(bool) {}
KeepsCudaDevice::~KeepsCudaDevice() { (void)device_; }  // nothing to restore

ReductionTiming time_gpu_reduction(int, const kernels::Reduction&, const ReductionTask&) {
  throw Error(reason, ErrorKind::unavailable);
}

}  // namespace moorea

#endif
