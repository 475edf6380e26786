// SPDX-License-Identifier: MIT
// Ensembles on GPUs. The kernel is compiled for the rule and the size; a launch advances all worlds, which it
// reads and writes once. Worlds in registers are advanced by two streams, so that one half fills the
// multiprocessors on which the last warps of the other end.
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "devices/cuda.h"
#include "devices/cuda/compile.h"
#include "devices/cuda/lane_cells.h"
#include "devices/cuda/lane_source.h"
#include "devices/cuda/runtime.h"
#include "devices/gpu_lanes.h"
#include "model/memory.h"
#include "moorea/error.h"

namespace moorea {
namespace {

using cuda::LanesCall;
using cuda::LanesShape;
using cuda::word;

constexpr std::uint64_t max_launch_steps = 4096;
constexpr std::int64_t counted_bytes = 128 << 20;  // of populations, in one launch
constexpr std::int64_t staging_bytes = 64 << 20;
constexpr int scratch_blocks = 2;  // thread blocks a multiprocessor with cells in global memory
constexpr int max_streams = 2;

kernels::World size_of(const WorldSpec& world) { return {world.width, world.height, world.is_torus()}; }

class CudaLanes final : public GpuLanes {
 public:
  CudaLanes(int device, const WorldSpec& world, std::int64_t arrays)
      : device_(used(device)),
        shape_(cuda::lanes_shape(size_of(world))),
        arrays_(arrays),
        rule_(world.rule),
        properties_(properties_of(device)),
        code_(lanes_source(size_of(world), properties_.sharedMemPerBlockOptin)) {
    kernels_ = compiled(code_.definitions);
    std::size_t scratch_bytes = 0;
    if (code_.memory == LanesMemory::global) {
      max_blocks_ = scratch_blocks * properties_.multiProcessorCount;
      scratch_bytes = static_cast<std::size_t>(std::min(groups(), max_blocks_)) * code_.cell_bytes;
    } else if (code_.memory == LanesMemory::shared) {
      shared_bytes_ = code_.cell_bytes;
      MOOREA_CUDA(cudaFuncSetAttribute(kernels_->functions()[0], cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(shared_bytes_)));
    }
    staged_arrays_ = std::clamp<std::int64_t>(staging_bytes / array_bytes(), 1, arrays);
    const std::size_t cell_bytes =
        static_cast<std::size_t>(groups() * cuda::group_words(shape_)) * sizeof(word);
    const std::size_t staged = static_cast<std::size_t>(staged_arrays_ * array_bytes());
    require_memory_for(world, cell_bytes + scratch_bytes + staged);
    if (scratch_bytes > 0) scratch_ = cuda::DeviceMemory(scratch_bytes);
    cells_ = cuda::DeviceMemory(cell_bytes);
    staging_ = cuda::DeviceMemory(staged);
    MOOREA_CUDA(cudaDeviceSynchronize());  // the memory must be cleared before the streams begin
  }

  void write(const std::uint64_t* cells) override {
    MOOREA_CUDA(cudaSetDevice(device_));
    for (std::int64_t first = 0; first < arrays_; first += staged_arrays_) {
      const std::int64_t count = std::min(staged_arrays_, arrays_ - first);
      MOOREA_CUDA(cudaMemcpyAsync(staging_.data(), cells + first * array_words(),
                                  static_cast<std::size_t>(count * array_bytes()), cudaMemcpyHostToDevice,
                                  streams_[0]));
      cuda::pack_lanes(shape_, staging_.as<std::uint64_t>(), count, cells_of(first), streams_[0]);
      MOOREA_CUDA(cudaGetLastError());
    }
    streams_[0].wait();
  }

  void read(std::uint64_t* cells) const override {
    MOOREA_CUDA(cudaSetDevice(device_));
    for (std::int64_t first = 0; first < arrays_; first += staged_arrays_) {
      const std::int64_t count = std::min(staged_arrays_, arrays_ - first);
      cuda::unpack_lanes(shape_, cells_of(first), count, staging_.as<std::uint64_t>(), streams_[0]);
      MOOREA_CUDA(cudaGetLastError());
      MOOREA_CUDA(cudaMemcpyAsync(cells + first * array_words(), staging_.data(),
                                  static_cast<std::size_t>(count * array_bytes()), cudaMemcpyDeviceToHost,
                                  streams_[0]));
    }
    streams_[0].wait();
  }

  void advance(std::uint64_t generations) override {
    MOOREA_CUDA(cudaSetDevice(device_));
    while (generations > 0) {
      const std::uint64_t steps = std::min(generations, max_launch_steps);
      launch(*kernels_, steps, nullptr);
      generations -= steps;
    }
    wait();
  }

  std::uint64_t max_counted() const override {
    if (code_.counting.empty()) return 0;
    const std::int64_t bytes_a_generation = worlds() * count_bytes();
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(counted_bytes / bytes_a_generation), 1,
                                     max_launch_steps);
  }

  LaneCounts advance_counting(std::uint64_t generations) override {
    MOOREA_CUDA(cudaSetDevice(device_));
    if (counting_ == nullptr) {
      counting_ = compiled(code_.counting);
      populations_ = cuda::DeviceMemory(max_counted() * static_cast<std::size_t>(worlds() * count_bytes()));
    }
    launch(*counting_, generations, populations_.data());
    wait();
    if (count_bytes() == sizeof(std::uint16_t)) return counts<std::uint16_t>(generations);
    return counts<std::uint32_t>(generations);
  }

 private:
  // Makes the device the current one before members are created there.
  static int used(int device) {
    MOOREA_CUDA(cudaSetDevice(device));
    return device;
  }

  std::shared_ptr<const cuda::CompiledKernels> compiled(const std::string& definitions) const {
    kernels::RuntimeSource source = code_.source;
    source.definitions = definitions.c_str();
    return cuda::compile(source, rule_);
  }

  // One launch per stream.
  void launch(const cuda::CompiledKernels& kernels, std::uint64_t steps, void* populations) {
    const std::int64_t parts = code_.memory == LanesMemory::registers ? max_streams : 1;
    const std::int64_t blocks = (groups() + code_.groups_a_block - 1) / code_.groups_a_block;
    for (std::int64_t part = 0; part < parts; ++part) {
      const std::int64_t first = blocks * part / parts, end = blocks * (part + 1) / parts;
      if (first == end) continue;
      LanesCall call{cells_.as<word>(),
                     scratch_.as<word>(),
                     populations,
                     static_cast<int>(first * code_.groups_a_block),
                     static_cast<int>(std::min(end * code_.groups_a_block, groups())),
                     static_cast<int>(groups()),
                     static_cast<int>(steps)};
      void* arguments[] = {&call};
      MOOREA_CUDA(cudaLaunchKernel(
          kernels.functions()[0], dim3(static_cast<unsigned>(std::min(end - first, max_blocks_))),
          dim3(static_cast<unsigned>(code_.threads)), arguments, shared_bytes_, streams_[part]));
    }
  }

  template <class Count>
  std::vector<Count> counts(std::uint64_t generations) const {
    std::vector<Count> populations(generations * static_cast<std::size_t>(worlds()));
    MOOREA_CUDA(cudaMemcpyAsync(populations.data(), populations_.data(), populations.size() * sizeof(Count),
                                cudaMemcpyDeviceToHost, streams_[0]));
    streams_[0].wait();
    return populations;
  }

  void wait() const {
    for (const cuda::Stream& stream : streams_) stream.wait();
  }

  static cudaDeviceProp properties_of(int device) {
    cudaDeviceProp properties{};
    MOOREA_CUDA(cudaGetDeviceProperties(&properties, device));
    return properties;
  }

  void require_memory_for(const WorldSpec& world, std::size_t needed) const {
    std::size_t available = 0, whole = 0;
    MOOREA_CUDA(cudaMemGetInfo(&available, &whole));
    if (needed <= available) return;
    throw Error(
        fmt::format("{} worlds of {} x {} cells need {} of the GPU's memory, {} of {} are available: "
                    "fewer worlds",
                    64 * arrays_, world.width, world.height, human_bytes(static_cast<double>(needed)),
                    human_bytes(static_cast<double>(available)), human_bytes(static_cast<double>(whole))));
  }

  std::int64_t worlds() const { return 64 * arrays_; }
  std::int64_t groups() const { return arrays_ * cuda::groups_an_array(shape_); }
  std::int64_t array_words() const { return std::int64_t{shape_.width} * shape_.height; }
  std::int64_t array_bytes() const {
    return array_words() * static_cast<std::int64_t>(sizeof(std::uint64_t));
  }
  // Bytes of a population, see LanesCall
  std::int64_t count_bytes() const { return array_words() < 65536 ? 2 : 4; }
  word* cells_of(std::int64_t array) const {
    return cells_.as<word>() + array * cuda::groups_an_array(shape_) * cuda::group_words(shape_);
  }

  int device_;
  LanesShape shape_;
  std::int64_t arrays_, staged_arrays_ = 0;
  std::int64_t max_blocks_ = std::numeric_limits<int>::max();
  Rule rule_;
  cudaDeviceProp properties_;
  LanesSource code_;
  std::shared_ptr<const cuda::CompiledKernels> kernels_, counting_;  // the second is compiled at first use
  std::size_t shared_bytes_ = 0;
  cuda::DeviceMemory cells_, scratch_, populations_, staging_;
  cuda::Stream streams_[max_streams];
};

}  // namespace

std::unique_ptr<GpuLanes> make_gpu_lanes(int device, const WorldSpec& world, std::int64_t arrays) {
  constexpr std::int64_t max_words = std::int64_t{1} << 30;  // of a world, so that indices are 32 bits
  constexpr std::int64_t max_arrays = std::int64_t{1} << 24;
  for (const char* reason : {cuda_unavailable_reason(), cuda_compiler_unavailable_reason()}) {
    if (reason != nullptr)
      throw Error(fmt::format("ensembles cannot run on a GPU: {}", reason), ErrorKind::unavailable);
  }
  if (world.width > max_words / world.height || arrays > max_arrays) {
    throw Error(
        fmt::format("{} worlds of {} x {} cells are too many or too large for a GPU's ensemble: choose "
                    "the CPU",
                    64 * arrays, world.width, world.height),
        ErrorKind::unavailable);
  }
  return std::make_unique<CudaLanes>(device, world, arrays);
}

}  // namespace moorea
