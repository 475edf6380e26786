// SPDX-License-Identifier: MIT
#include <variant>

#include "choose/backend.h"
#include "choose/kernel_table.h"
#include "devices/cuda.h"
#include "model/bits.h"
#include "moorea/lab/ceilings.h"

namespace moorea {
namespace {

using kernels::CudaContract;

// Rules of more gates per word are about as fast with two generations per pass, or faster: their logic takes
// longer than two passes over the memory.
constexpr double max_gates_of_six_generations = 32;

GpuKernel gpu_kernel(const BoundKernel& bound) {
  return {bound.kernel, std::get<kernels::CudaBinding>(bound.binding)};
}

class CudaDriver final : public BackendDriver {
 public:
  const char* unavailable() const override { return cuda_unavailable_reason(); }
  std::vector<DeviceInfo> devices() const override { return list_gpus(); }

  std::optional<int> find(std::string_view name) const override {
    const std::optional<DeviceRef> gpu = DeviceRef::parse(name);
    if (!gpu || gpu->backend != Backend::cuda || gpu->index >= std::ssize(list_gpus())) return std::nullopt;
    return gpu->index;
  }

  // A kernel without a partner is fast enough in quiet worlds, or the only one that remains.
  std::vector<Candidate> candidates(const WorldSpec& world, int device) const override {
    if (world.is_surface()) return {{"cuda/mesh/words", ""}};
    std::vector<Candidate> list;
    const Candidate large = gates_per_word(world.rule) > max_gates_of_six_generations
                                ? Candidate{"cuda/strided_two", "cuda/strided_two_lazy"}
                                : Candidate{"cuda/strided", "cuda/strided_lazy"};
    for (const Candidate& candidate : {Candidate{"cuda/chip", ""},
                                       large,
                                       {"cuda/bits", ""},
                                       // For rules with more than two states
                                       {"cuda/states/strided", ""},
                                       {"cuda/states/strided_four", ""},
                                       {"cuda/states/transitions", ""},
                                       // For rules of blocks
                                       {"cuda/blocks/strided", ""},
                                       // For Larger than Life
                                       {"cuda/wide/sliding", ""}}) {
      const kernels::TableEntry* const entry = find_kernel(candidate.busy);
      // A world that grows may outgrow a kernel for small ones
      const kernels::World size =
          world.width != 0 ? kernel_world(world) : kernels::World{1 << 20, 1 << 20, world.is_torus()};
      if (entry != nullptr && gpu_refusal(device, *entry->kernel, size) == nullptr) list.push_back(candidate);
    }
    return list;
  }

  std::string_view counting_kernel() const override { return "cuda/strided_counting"; }

  bool can_switch(const kernels::Kernel& busy, const kernels::Kernel& quiet) const override {
    const auto* const busy_contract = std::get_if<CudaContract>(&busy.contract);
    const auto* const quiet_contract = std::get_if<CudaContract>(&quiet.contract);
    return busy_contract != nullptr && quiet_contract != nullptr && busy.layout == quiet.layout &&
           busy.max_steps == quiet.max_steps && busy_contract->activity == kernels::Activity::none &&
           quiet_contract->activity == kernels::Activity::skipped;
  }

  const char* refusal(const WorldSpec& world, const Choice& choice) const override {
    if (world.width == 0) return nullptr;
    return gpu_refusal(choice.device.index, *choice.entry->kernel, kernel_world(world));
  }

  bool in_main_memory(int device) const override { return gpu_in_main_memory(device); }

  std::unique_ptr<Board> make_board(const WorldSpec& world, const Choice& choice) const override {
    GpuKernels kernels{gpu_kernel(choice.bound), {}, {}, choice.numbering};
    if (choice.quiet != nullptr) kernels.quiet = gpu_kernel(choice.quiet_bound);
    if (choice.counting.kernel != nullptr) kernels.counting = gpu_kernel(choice.counting);
    kernels.urgent = choice.urgent;
    kernels::Launch launch;
    if (choice.launch_shape) {
      launch.block = block_of(*choice.launch_shape);
      launch.bytes_a_thread = choice.launch_shape->bytes_a_thread;
    }
    return make_gpu_board(world, choice.device.index, kernels, launch);
  }

  std::shared_ptr<std::uint64_t[]> host_memory(int device, std::size_t words) const override {
    return gpu_host_memory(device, words);
  }

  double board_bytes(const WorldSpec& world, const Choice& choice) const override {
    // Boards that bands visit also have their packed rows
    const double packed = static_cast<double>(words_for(world.width)) * 8 * static_cast<double>(world.height);
    return gpu_board_bytes(world, *choice.entry->kernel) + (choice.urgent ? packed : 0);
  }

  Ceilings ceilings(const Choice& choice) const override { return measure_gpu_ceilings(choice.device.index); }
  DeviceFacts facts(int device) const override { return gpu_facts(device); }
};

}  // namespace

const BackendDriver& cuda_driver() {
  static const CudaDriver driver;
  return driver;
}

}  // namespace moorea
