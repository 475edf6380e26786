// SPDX-License-Identifier: MIT
// Search of the periods of many worlds on a GPU: the cells are double-buffered, so that those at the start of
// an interval remain for the records of worlds whose period is found.
#include <fmt/core.h>

#include <algorithm>
#include <mutex>

#include "devices/cuda.h"
#include "devices/cuda/compile.h"
#include "devices/cuda/host_array.h"
#include "devices/cuda/lane_cells.h"
#include "devices/cuda/lane_source.h"
#include "devices/cuda/runtime.h"
#include "devices/gpu_lanes.h"
#include "moorea/error.h"

namespace moorea {
namespace {

using cuda::HostArray;
using cuda::word;

constexpr int buffers = 3;            // of cells: at the start, now, and at the stop
constexpr double memory_share = 0.8;  // of the available memory at most, for the cells
constexpr std::size_t converted_worlds_bytes = 8 << 20;

class CudaSearch final : public GpuSearch {
 public:
  CudaSearch(int device, const WorldSpec& world, std::uint64_t places)
      : device_(used(device)),
        shape_(cuda::lanes_shape({world.width, world.height, world.is_torus()})),
        code_(search_source({world.width, world.height, world.is_torus()})),
        words_per_row_((world.width + 63) / 64) {
    kernels::RuntimeSource source = code_.source;
    source.definitions = code_.definitions.c_str();
    kernels_ = cuda::compile(source, world.rule);
    // Searches of several threads that begin together must not count on the same memory
    static std::mutex allocating;
    const std::lock_guard lock(allocating);
    std::size_t available = 0, whole = 0;
    MOOREA_CUDA(cudaMemGetInfo(&available, &whole));
    const auto room =
        static_cast<std::uint64_t>(memory_share * static_cast<double>(available)) / (buffers * group_bytes());
    groups_ = std::clamp<std::uint64_t>((places + worlds_a_group() - 1) / worlds_a_group(), 1,
                                        std::max<std::uint64_t>(room, 1));
    for (cuda::DeviceMemory& each : cells_) each = cuda::DeviceMemory(groups_ * group_bytes());
    for (cuda::DeviceMemory& each : device_masks_) each = cuda::DeviceMemory(groups_ * sizeof(word));
    for (HostArray<word>& each : masks_) each = {device, groups_};
    device_periods_ = cuda::DeviceMemory(this->places() * sizeof(std::uint16_t));
    periods_ = {device, this->places()};
    at_once_ = std::max<std::size_t>(converted_worlds_bytes / world_bytes(), 1);
    packed_ = cuda::DeviceMemory(at_once_ * world_bytes());
    staging_ = {device, at_once_ * world_words()};
    filled_ = {device, at_once_};
    gathered_ = {device, at_once_};
    list_ = cuda::DeviceMemory(std::max(filled_.bytes(), gathered_.bytes()));
    MOOREA_CUDA(cudaDeviceSynchronize());  // the memory must be cleared before the stream begins
  }

  std::uint32_t places() const override { return static_cast<std::uint32_t>(groups_) * worlds_a_group(); }
  std::uint32_t worlds_a_group() const override { return 32u / static_cast<unsigned>(shape_.segments); }

  void fill(std::span<const std::uint32_t> places, std::span<const std::uint64_t> cells) override {
    MOOREA_CUDA(cudaSetDevice(device_));
    for (std::size_t first = 0; first < places.size(); first += at_once_) {
      const std::size_t count = std::min(at_once_, places.size() - first);
      fill_some(places.subspan(first, count), cells.subspan(first * world_words(), count * world_words()));
    }
  }

  std::span<const std::uint16_t> advance(const SearchInterval& interval,
                                         std::span<const std::uint32_t> active,
                                         std::span<const std::uint32_t> searched,
                                         std::span<const std::uint32_t> limited) override {
    MOOREA_CUDA(cudaSetDevice(device_));
    const std::span<const std::uint32_t> given[] = {active, searched, limited};
    for (std::size_t i = 0; i < std::size(given); ++i) {
      std::ranges::copy(given[i].first(groups_), masks_[i].data());
      MOOREA_CUDA(cudaMemcpyAsync(device_masks_[i].data(), masks_[i].data(), masks_[i].bytes(),
                                  cudaMemcpyHostToDevice, stream_));
    }
    MOOREA_CUDA(cudaMemsetAsync(device_periods_.data(), 0, periods_.bytes(), stream_));
    std::swap(now_, start_);
    cuda::SearchCall call{cells_[start_].as<word>(),
                          cells_[now_].as<word>(),
                          cells_[stopped_].as<word>(),
                          device_masks_[0].as<word>(),
                          device_masks_[1].as<word>(),
                          device_masks_[2].as<word>(),
                          device_periods_.as<unsigned short>(),
                          static_cast<int>(groups_),
                          static_cast<int>(interval.generations),
                          static_cast<int>(interval.stop),
                          static_cast<int>(interval.max_period)};
    void* arguments[] = {&call};
    const std::uint64_t blocks = (groups_ + static_cast<std::uint64_t>(code_.groups_a_block) - 1) /
                                 static_cast<std::uint64_t>(code_.groups_a_block);
    MOOREA_CUDA(cudaLaunchKernel(kernels_->functions()[0], dim3(static_cast<unsigned>(blocks)),
                                 dim3(static_cast<unsigned>(code_.threads)), arguments, 0, stream_));
    MOOREA_CUDA(cudaMemcpyAsync(periods_.data(), device_periods_.data(), periods_.bytes(),
                                cudaMemcpyDeviceToHost, stream_));
    stream_.wait();
    return periods_.all();
  }

  void read(std::span<const std::uint32_t> places, When when,
            std::vector<std::uint64_t>& cells) const override {
    MOOREA_CUDA(cudaSetDevice(device_));
    const int buffer = when == When::now ? now_ : when == When::start ? start_ : stopped_;
    cells.resize(places.size() * world_words());
    for (std::size_t first = 0; first < places.size(); first += at_once_) {
      const std::size_t count = std::min(at_once_, places.size() - first);
      std::copy_n(&places[first], count, gathered_.data());
      MOOREA_CUDA(cudaMemcpyAsync(list_.data(), gathered_.data(), count * sizeof(std::uint32_t),
                                  cudaMemcpyHostToDevice, stream_));
      cuda::gather_lanes(shape_, cells_[buffer].as<word>(), list_.as<std::uint32_t>(),
                         static_cast<int>(count), {packed_.as<std::uint64_t>(), words_per_row_}, stream_);
      MOOREA_CUDA(cudaGetLastError());
      MOOREA_CUDA(cudaMemcpyAsync(staging_.data(), packed_.data(), count * world_bytes(),
                                  cudaMemcpyDeviceToHost, stream_));
      stream_.wait();
      std::copy_n(staging_.data(), count * world_words(), &cells[first * world_words()]);
    }
  }

 private:
  // Makes the device the current one before members are created there.
  static int used(int device) {
    MOOREA_CUDA(cudaSetDevice(device));
    return device;
  }

  void fill_some(std::span<const std::uint32_t> places, std::span<const std::uint64_t> cells) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto group = static_cast<int>(places[i] / worlds_a_group());
      if (count == 0 || filled_.data()[count - 1].group != group)
        filled_.data()[count++] = {group, 0, static_cast<int>(i)};
      filled_.data()[count - 1].mask |= word{1} << places[i] % worlds_a_group();
    }
    std::ranges::copy(cells, staging_.data());
    MOOREA_CUDA(cudaMemcpyAsync(packed_.data(), staging_.data(), cells.size_bytes(), cudaMemcpyHostToDevice,
                                stream_));
    MOOREA_CUDA(cudaMemcpyAsync(list_.data(), filled_.data(), count * sizeof(cuda::FilledGroup),
                                cudaMemcpyHostToDevice, stream_));
    cuda::fill_lanes(shape_, {packed_.as<std::uint64_t>(), words_per_row_}, list_.as<cuda::FilledGroup>(),
                     static_cast<int>(count), cells_[now_].as<word>(), stream_);
    MOOREA_CUDA(cudaGetLastError());
    stream_.wait();
  }

  std::uint64_t group_bytes() const {
    return static_cast<std::uint64_t>(cuda::group_words(shape_)) * sizeof(word);
  }
  std::size_t world_words() const { return static_cast<std::size_t>(words_per_row_ * shape_.height); }
  std::size_t world_bytes() const { return world_words() * sizeof(std::uint64_t); }

  int device_;
  cuda::LanesShape shape_;
  LanesSource code_;
  std::int64_t words_per_row_;
  std::shared_ptr<const cuda::CompiledKernels> kernels_;
  std::uint64_t groups_ = 0;
  std::size_t at_once_ = 0;  // worlds that are converted
  int start_ = 0, now_ = 1, stopped_ = 2;
  cuda::DeviceMemory cells_[buffers], device_masks_[3], device_periods_, packed_, list_;
  HostArray<word> masks_[3];
  HostArray<std::uint16_t> periods_;
  HostArray<std::uint64_t> staging_;  // packed worlds
  HostArray<cuda::FilledGroup> filled_;
  HostArray<std::uint32_t> gathered_;
  cuda::Stream stream_;
};

}  // namespace

std::unique_ptr<GpuSearch> make_gpu_search(int device, const WorldSpec& world, std::uint64_t places) {
  for (const char* reason : {cuda_unavailable_reason(), cuda_compiler_unavailable_reason()}) {
    if (reason != nullptr)
      throw Error(fmt::format("many worlds cannot be advanced on a GPU: {}", reason), ErrorKind::unavailable);
  }
  return std::make_unique<CudaSearch>(device, world, places);
}

}  // namespace moorea
