// SPDX-License-Identifier: MIT
// A CudaBoard's kernels with their launch parameters, memory and code compiled at run time.
#include <fmt/core.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "devices/cuda/board.h"
#include "logic/transition_text.h"
#include "moorea/error.h"

namespace moorea::cuda {
namespace {

constexpr std::size_t default_shared_bytes = 48 << 10;  // per thread block; more requires an attribute

// Allows the maximum of dynamic shared memory, because boards share functions.
void allow_shared_memory(const void* function, int device) {
  int maximum = 0;
  cudaFuncAttributes attributes;
  MOOREA_CUDA(cudaDeviceGetAttribute(&maximum, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  MOOREA_CUDA(cudaFuncGetAttributes(&attributes, function));
  MOOREA_CUDA(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   maximum - static_cast<int>(attributes.sharedSizeBytes)));
}

// Refuses a thread block that needs more registers or shared memory than a multiprocessor has: its launch
// would fail.
void require_block(const kernels::DeviceFunction& step, kernels::BlockShape block, int device) {
  int shared = 0;
  cudaFuncAttributes attributes;
  MOOREA_CUDA(cudaFuncGetAttributes(&attributes, step.function));
  if (step.threads > attributes.maxThreadsPerBlock) {
    throw Error(fmt::format("this GPU runs the kernel in thread blocks of at most {} threads, {} x {} were "
                            "asked for: name smaller ones",
                            attributes.maxThreadsPerBlock, block.width, block.height),
                ErrorKind::unavailable);
  }
  MOOREA_CUDA(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  const std::size_t needed = attributes.sharedSizeBytes + step.shared_bytes;
  if (needed <= static_cast<std::size_t>(shared)) return;
  throw Error(
      fmt::format("this GPU has {} bytes of shared memory for a thread block, with {} x {} threads the "
                  "kernel needs {}: name smaller ones",
                  shared, block.width, block.height, needed),
      ErrorKind::unavailable);
}

}  // namespace

CudaBoard::Engine::Engine(const GpuKernel& bound, const kernels::Launch& how)
    : kernel(bound.kernel),
      contract(&std::get<kernels::CudaContract>(bound.kernel->contract)),
      binding(bound.binding),
      launch(how) {}

// Sets the launch parameters that depend on the device, the rule and the world.
void CudaBoard::prepare(Engine& engine) {
  const kernels::CudaContract& contract = *engine.contract;
  const kernels::CudaBinding& binding = engine.binding;
  const kernels::World world = kernel_world(world_);
  kernels::Launch& launch = engine.launch;
  launch.stream = static_cast<cudaStream_t>(stream_);
  if (launch.block.width == 0) launch.block = contract.block;
  if (launch.bytes_a_thread == 0) launch.bytes_a_thread = contract.bytes_a_thread;
  launch.item = binding.item;
  launch.reach = world_.rule.reach();
  if (mesh_) launch.mesh = &mesh_->tables();
  MOOREA_CUDA(cudaDeviceGetAttribute(&launch.multiprocessors, cudaDevAttrMultiProcessorCount, device_));
  int major = 0;
  MOOREA_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device_));
  launch.launches_early = major >= 9;
  if (contract.scratch_bytes != nullptr)
    engine.scratch = DeviceMemory(static_cast<std::size_t>(contract.scratch_bytes(world)));
  launch.scratch = engine.scratch.data();
  if (engine.kernel->supports.transition_form == kernels::TransitionForm::gpu_text) send_tables(engine);
  if (contract.counts) {
    populations_ = DeviceMemory(counts_at_once * 8);
    launch.populations = populations_.as<unsigned long long>();
  }
  if (binding.file_source != nullptr || binding.source != nullptr) {
    engine.compiled = compile(
        binding.file_source != nullptr ? *binding.file_source : binding.source(world, launch.multiprocessors),
        world_.rule);
    const auto functions = engine.compiled->functions();
    std::copy(functions.begin(), functions.end(), launch.functions);
  }
  if (binding.device_function != nullptr) {
    const kernels::DeviceFunction step =
        binding.device_function(call(engine.kernel->max_steps, all_rows()), launch);
    if (contract.block.width > 0) require_block(step, launch.block, device_);
    if (step.shared_bytes > default_shared_bytes) allow_shared_memory(step.function, device_);
  }
  engine.ready = true;
}

// The memory is a multiple of 16 bytes, which kernels copy at a time.
void CudaBoard::send_tables(Engine& engine) {
  const std::vector<std::uint8_t> bytes = table_bytes(gpu_transitions(world_.rule));
  engine.tables = DeviceMemory(bytes.size() / 16 * 16 + 16);
  MOOREA_CUDA(
      cudaMemcpyAsync(engine.tables.data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice, stream_));
  stream_.wait();
  engine.launch.tables = engine.tables.data();
  engine.launch.table_bytes = std::ssize(bytes);
  int maximum = 0;
  MOOREA_CUDA(cudaDeviceGetAttribute(&maximum, cudaDevAttrMaxSharedMemoryPerBlockOptin, device_));
  engine.launch.max_shared_bytes = maximum;
}

void CudaBoard::lay_out_mesh(Numbering numbering) {
  if (engine_.contract->mesh == kernels::MeshTable::none) return;
  mesh_.emplace(lay_out(world_, {engine_.contract->mesh, 32}, numbering));
}

}  // namespace moorea::cuda
