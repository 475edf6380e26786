// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "boards/adaptive_board.h"
#include "boards/block_board.h"
#include "boards/growing_board.h"
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
#include "moorea/larger_than_life.h"

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

Choice quiet_choice(const Choice& choice) {
  Choice quiet = busy_choice(choice);
  quiet.entry = choice.quiet;
  quiet.bound = choice.quiet_bound;
  return quiet;
}

// The widest world that kernels with a byte per cell compute faster than those of planes of so many lanes.
// Measured: such kernels take a time for each cell, planes up to that width a time for each row, which grows
// with the neighbourhood. Runs cost a sum each, squares one for all.
std::int64_t narrow_width(const LargerThanLife& counts, bool has_vectors) {
  const bool is_square = counts.shape() == LargerThanLife::Shape::moore;
  return counts.radius() * (has_vectors ? 100 : 25) / (is_square ? 1 : 3);
}

// Kernels of Larger than Life by their instruction sets, for wide worlds and for narrow ones.
struct WideKernels {
  const char *planes, *sums;
  bool has_vectors;
};
constexpr WideKernels wide_kernels[] = {{"cpu/wide/planes_avx512", "cpu/wide/sums_avx512", true},
                                        {"cpu/wide/planes_avx2", "cpu/wide/sums_avx2", true},
                                        {"cpu/wide/planes", "cpu/wide/sums", false}};

bool is_narrow(const WorldSpec& world, bool has_vectors) {
  return world.width <= narrow_width(*world.rule.larger_than_life(), has_vectors);
}

std::vector<Candidate> wide_candidates(const WorldSpec& world) {
  std::vector<Candidate> candidates;
  for (const WideKernels& kernels : wide_kernels) {
    if (world.width == 0)  // a plane that grows, or a size that is not known yet
      candidates.push_back({kernels.planes, kernels.sums});
    else
      candidates.push_back({is_narrow(world, kernels.has_vectors) ? kernels.sums : kernels.planes, ""});
  }
  candidates.push_back({"cpu/wide/reference", ""});
  return candidates;
}

// Whether the kernels of a pair are for planes of different widths.
bool is_pair_by_width(const Choice& choice) {
  return choice.quiet != nullptr && std::holds_alternative<StatesContract>(choice.quiet->kernel->contract);
}

// The kernel for a plane that grows, most of whose columns are free.
Choice choice_by_width(const WorldSpec& world, const Choice& choice) {
  WorldSpec live = world;
  live.width = std::max<std::int64_t>(live.width - 2 * growing_margin(world.rule), 0);
  const bool has_vectors = std::get<StatesContract>(choice.entry->kernel->contract).lanes > 64;
  return is_narrow(live, has_vectors) ? quiet_choice(choice) : busy_choice(choice);
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
    if (world.rule.larger_than_life() != nullptr) return wide_candidates(world);
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
            // For rules of blocks
            {"cpu/blocks/planes_avx512", ""},
            {"cpu/blocks/planes_avx2", ""},
            {"cpu/blocks/planes", ""},
            {"cpu/blocks/reference", ""}};
  }

  bool can_switch(const kernels::Kernel& busy, const kernels::Kernel& quiet) const override {
    if (busy.supports.families == kernels::larger_than_life)
      return busy.layout == kernels::Layout::planes && quiet.layout == kernels::Layout::bytes &&
             quiet.supports.families == kernels::larger_than_life;
    return !std::holds_alternative<TileContract>(busy.contract) &&
           std::holds_alternative<TileContract>(quiet.contract);
  }

  const char* refusal(const WorldSpec&, const Choice&) const override { return nullptr; }
  bool in_main_memory(int) const override { return true; }

  std::unique_ptr<Board> make_board(const WorldSpec& world, const Choice& choice) const override {
    if (is_pair_by_width(choice)) return make_board(world, choice_by_width(world, choice));
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
    if (is_pair_by_width(choice)) return board_bytes(world, choice_by_width(world, choice));
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
