// SPDX-License-Identifier: MIT
#include <variant>

#include "choose/backend.h"
#include "devices/opencl.h"
#include "moorea/lab/ceilings.h"

namespace moorea {
namespace {

// A plane that grows may have any size; this one is no power of two.
constexpr std::int64_t grown_plane = 192;

OpenClKernel kernel_of(const Choice& choice) {
  const kernels::BlockShape group =
      choice.launch_shape ? block_of(*choice.launch_shape) : kernels::BlockShape{};
  return {choice.bound.kernel, std::get<kernels::OpenClBinding>(choice.bound.binding), group,
          choice.numbering};
}

class OpenClDriver final : public BackendDriver {
 public:
  const char* unavailable() const override { return opencl_unavailable_reason(); }
  std::vector<DeviceInfo> devices() const override { return list_opencl(); }

  std::optional<int> find(std::string_view name) const override {
    const int index = find_opencl(name);
    return index < 0 ? std::nullopt : std::optional(index);
  }

  std::vector<Candidate> candidates(const WorldSpec& world, int device) const override {
    if (world.is_surface()) return {{"opencl/mesh/words", ""}};
    return {{opencl_is_cpu(device) ? "opencl/strided_vector" : "opencl/strided", ""},
            {"opencl/states/strided", ""},  // for rules with more than two states
            {"opencl/states/transitions", ""},
            {"opencl/blocks/strided", ""},  // for rules of blocks
            {"opencl/wide/sliding", ""}};   // for Larger than Life
  }

  bool can_switch(const kernels::Kernel&, const kernels::Kernel&) const override { return false; }

  const char* refusal(const WorldSpec& world, const Choice& choice) const override {
    const auto refuses = std::get<kernels::OpenClContract>(choice.entry->kernel->contract).refuses;
    if (refuses == nullptr) return nullptr;
    return refuses(world.width != 0 ? kernel_world(world) : kernels::World{grown_plane, grown_plane, false});
  }

  bool in_main_memory(int device) const override { return opencl_in_main_memory(device); }

  std::unique_ptr<Board> make_board(const WorldSpec& world, const Choice& choice) const override {
    return make_opencl_board(world, choice.device.index, kernel_of(choice));
  }

  double board_bytes(const WorldSpec& world, const Choice& choice) const override {
    return opencl_board_bytes(world, choice.device.index, kernel_of(choice));
  }

  Ceilings ceilings(const Choice& choice) const override {
    return measure_opencl_ceilings(choice.device.index);
  }

  DeviceFacts facts(int device) const override { return opencl_facts(device); }
};

}  // namespace

const BackendDriver& opencl_driver() {
  static const OpenClDriver driver;
  return driver;
}

}  // namespace moorea
