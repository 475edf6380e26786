// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "boards/adaptive_board.h"
#include "boards/block_board.h"
#include "boards/mesh_board.h"
#include "boards/sparse_board.h"
#include "boards/states_board.h"
#include "boards/strided_board.h"
#include "boards/tile_board.h"
#include "choose/backend.h"
#include "devices/cpu/ceilings.h"
#include "devices/cpu/facts.h"
#include "devices/cpu/threads.h"
#include "devices/traits.h"
#include "model/memory.h"
#include "moorea/lab/ceilings.h"

namespace moorea {
namespace {

using kernels::MeshContract;
using kernels::StatesContract;
using kernels::StridedContract;
using kernels::TileContract;

// The choice for busy times alone.
Choice busy_choice(const Choice& choice) {
  Choice busy = choice;
  busy.quiet = nullptr;
  return busy;
}

// Of a generation, in cells of the strided layout.
double busy_cost(const kernels::Kernel& kernel, Size size) {
  return std::holds_alternative<StridedContract>(kernel.contract) ? AdaptiveBoard::strided_cost(kernel, size)
                                                                  : size.area();
}

class CpuDriver final : public BackendDriver {
 public:
  const char* unavailable() const override { return nullptr; }

  std::vector<DeviceInfo> devices() const override {
    const kernels::InstructionSets traits = machine_instruction_sets();
    const char* vectors = traits.avx512 ? "AVX-512" : traits.avx2 ? "AVX2" : "no AVX2";
    return {{"cpu", fmt::format("{}, {}", cpu_name(), vectors), usable_threads(), available_memory(), true}};
  }

  std::optional<int> find(std::string_view name) const override {
    return name == "cpu" ? std::optional(0) : std::nullopt;
  }

  // Kernels that are not here run only if they are named; those of another processor are not in the table.
  std::vector<Candidate> candidates(const WorldSpec& world, int) const override {
    if (world.is_surface())
      return {{"cpu/mesh/words_avx512", ""}, {"cpu/mesh/words_avx2", ""}, {"cpu/mesh/words", ""}};
    return {{"cpu/strided_avx512", "cpu/tiles_avx512"},
            {"cpu/strided_avx2", "cpu/tiles_avx2"},
            {"cpu/strided", "cpu/tiles"},
            // For rules that do not count, without machine code
            {"cpu/reference", ""},
            // For rules with more than two states
            {"cpu/states/planes_avx512", ""},
            {"cpu/states/planes_avx2", ""},
            {"cpu/states/planes", ""},
            {"cpu/states/lookup", ""},
            {"cpu/states/reference", ""},
            // For Larger than Life
            {"cpu/wide/planes_avx512", ""},
            {"cpu/wide/planes_avx2", ""},
            {"cpu/wide/planes", ""},
            {"cpu/wide/reference", ""},
            // For rules of blocks
            {"cpu/blocks/planes_avx512", ""},
            {"cpu/blocks/planes_avx2", ""},
            {"cpu/blocks/planes", ""},
            {"cpu/blocks/reference", ""}};
  }

  bool can_switch(const kernels::Kernel& busy, const kernels::Kernel& quiet) const override {
    return !std::holds_alternative<TileContract>(busy.contract) &&
           std::holds_alternative<TileContract>(quiet.contract);
  }

  const char* refusal(const WorldSpec&, const Choice&) const override { return nullptr; }
  bool in_main_memory(int) const override { return true; }

  std::unique_ptr<Board> make_board(const WorldSpec& world, const Choice& choice) const override {
    const kernels::Kernel& kernel = *choice.entry->kernel;
    if (choice.quiet != nullptr) {
      BusyBoard busy{[=, this, only = busy_choice(choice)] { return make_board(world, only); },
                     [&kernel](Size size) { return busy_cost(kernel, size); }};
      return std::make_unique<AdaptiveBoard>(world, std::move(busy),
                                             [world, quiet = choice.quiet_bound, threads = choice.threads] {
                                               return std::make_unique<TileBoard>(world, quiet, threads);
                                             });
    }
    if (std::holds_alternative<StridedContract>(kernel.contract))
      return std::make_unique<StridedBoard>(world, choice.bound, choice.threads);
    if (std::holds_alternative<TileContract>(kernel.contract))
      return std::make_unique<TileBoard>(world, choice.bound, choice.threads);
    if (std::holds_alternative<StatesContract>(kernel.contract))
      return std::make_unique<StatesBoard>(world, choice.bound, choice.threads);
    if (std::holds_alternative<MeshContract>(kernel.contract))
      return std::make_unique<MeshBoard>(world, choice.bound, choice.threads, choice.numbering);
    return std::make_unique<BlockBoard>(world, kernel, std::get<kernels::BlockBinding>(choice.bound.binding),
                                        choice.threads, choice.tiling.value_or(Tiling()));
  }

  std::unique_ptr<Board> make_unbounded_board(const Rule& rule, const Choice& choice,
                                              std::uint64_t max_bytes) const override {
    if (!has_sparse_plane(choice)) return make_growing_board(rule, choice, max_bytes);
    const kernels::Kernel& kernel = *choice.entry->kernel;
    if (choice.quiet != nullptr) {
      BusyBoard busy{[=, only = busy_choice(choice)] { return make_growing_board(rule, only, max_bytes); },
                     [&kernel](Size size) { return busy_cost(kernel, size); }};
      return std::make_unique<AdaptiveBoard>(WorldSpec{rule, Topology::unbounded, 0, 0}, std::move(busy),
                                             [=, quiet = choice.quiet_bound, threads = choice.threads] {
                                               return std::make_unique<SparseBoard>(rule, quiet, threads,
                                                                                    max_bytes);
                                             });
    }
    return std::make_unique<SparseBoard>(rule, choice.bound, choice.threads, max_bytes);
  }

  double board_bytes(const WorldSpec& world, const Choice& choice) const override {
    const kernels::Kernel& kernel = *choice.entry->kernel;
    // The larger of the two; while the world moves it takes more if there is more
    if (choice.quiet != nullptr)
      return std::max(board_bytes(world, busy_choice(choice)), TileBoard::bytes(world));
    if (std::holds_alternative<StridedContract>(kernel.contract))
      return StridedBoard::bytes(kernel, world.box().size(), choice.threads);
    if (std::holds_alternative<TileContract>(kernel.contract)) return TileBoard::bytes(world);
    if (std::holds_alternative<MeshContract>(kernel.contract)) return MeshBoard::bytes(world);
    if (std::holds_alternative<StatesContract>(kernel.contract))
      return StatesBoard::bytes(kernel, world, choice.threads);
    double flags = 0;
    if (std::get<kernels::BlockContract>(kernel.contract).activity == kernels::Activity::skipped) {
      const TileSize tile = choice.tiling->tile;
      flags = 2 * (static_cast<double>(world.width / tile.width) + 3) *
              (static_cast<double>(world.height / tile.height) + 3);
    }
    return 2 * field_bytes(kernel.layout, world.width, world.height, kernel.max_steps) + flags;
  }

  Ceilings ceilings(const Choice& choice) const override { return measure_cpu_ceilings(choice.threads); }
  DeviceFacts facts(int) const override { return cpu_facts(); }
};

}  // namespace

const BackendDriver& cpu_driver() {
  static const CpuDriver driver;
  return driver;
}

}  // namespace moorea
