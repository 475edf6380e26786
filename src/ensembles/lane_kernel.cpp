// SPDX-License-Identifier: MIT
#include "ensembles/lane_kernel.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "choose/kernel_table.h"
#include "devices/cpu/threads.h"
#include "devices/cuda.h"
#include "devices/traits.h"
#include "ensembles/lane_board.h"
#include "moorea/error.h"
#include "moorea/support/life_like.h"
#include "moorea/support/nine_cells.h"

namespace moorea {
namespace {

constexpr std::array lane_kernel_names = {"cpu/strided", "cpu/strided_avx2", "cpu/strided_avx512"};
constexpr int max_ensemble_threads = 4096;

// Size up to which a board of AVX-512 may have vacant lanes: its three-input logic instructions advance a
// vector 1.0 to 1.4 times as fast as the portable kernel a word, for worlds of 16 x 16 to 256 x 256. Of
// larger boards vacant lanes cost more memory traffic than that gains
// (bench/results/ensembles-xeon2-2026-11-24.json).
constexpr double max_vacant_bytes = 8 << 20;

std::uint64_t largest_group(const EnsembleSpec& spec) {
  std::uint64_t worlds = 0;
  for (const RuleGroup& group : spec.groups) worlds = std::max(worlds, group.worlds);
  return worlds;
}

bool supports_rules(const kernels::Kernel& kernel, const EnsembleSpec& spec) {
  if ((kernel.supports.families & kernels::nine_cells) != 0) return true;
  return std::ranges::all_of(spec.groups, [](const RuleGroup& group) { return group.rule.is_life_like(); });
}

// Returns the widest kernel that the machine supports, or a narrower one whose lanes suffice for each group,
// unless the wider one is that of AVX-512 and its board small. If
// none supports the rules, bind_lanes() says why.
const kernels::TableEntry& fitting_kernel(const EnsembleSpec& spec) {
  const std::uint64_t worlds = largest_group(spec);
  const kernels::TableEntry* chosen = nullptr;
  for (const char* const each : lane_kernel_names) {
    const kernels::TableEntry* const entry = find_kernel(each);
    if (entry == nullptr || unavailable_reason(*entry->kernel) != nullptr) continue;
    if (!supports_rules(*entry->kernel, spec)) continue;
    const bool vacant = chosen != nullptr && static_cast<std::uint64_t>(lanes_of(*chosen)) >= worlds;
    const bool worthwhile =
        entry->kernel->needs.avx512 && LaneBoard::bytes(*entry->kernel, spec.size) <= max_vacant_bytes;
    if (!vacant || worthwhile) chosen = entry;
  }
  return chosen != nullptr ? *chosen : named_kernel(lane_kernel_names.front());
}

}  // namespace

std::optional<int> gpu_named(const std::string& device, std::string_view what) {
  if (device == "cpu") return std::nullopt;
  if (device != "cuda" && !device.starts_with("cuda:"))
    throw Error(fmt::format("device \"{}\" does not advance {}: expected cpu, cuda or cuda:N", device, what),
                ErrorKind::usage);
  const std::vector<DeviceInfo> gpus = list_gpus();
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (device == "cuda" || gpus[i].name == device) return static_cast<int>(i);
  }
  const char* const reason = cuda_unavailable_reason();
  throw Error(fmt::format("device \"{}\" is not available: {}", device,
                          reason != nullptr ? reason : "moorea kernels lists the devices"),
              ErrorKind::unavailable);
}

std::optional<int> gpu_of(const EnsembleOptions& options) { return gpu_named(options.device, "ensembles"); }

int lanes_of(const kernels::TableEntry& entry) {
  return std::get<kernels::StridedContract>(entry.kernel->contract).lanes;
}

const kernels::TableEntry& lane_kernel(const EnsembleSpec& spec, const EnsembleOptions& options) {
  const std::string& name = options.kernel;
  if (gpu_of(options)) {
    for (const RuleGroup& group : spec.groups) require_life_like(group.rule, "an ensemble on a GPU");
    if (name.empty()) return named_kernel(lane_kernel_names.front());
    throw Error(fmt::format("kernel {} is for the CPU: leave it out, or the device {}", name, options.device),
                ErrorKind::usage);
  }
  if (!name.empty()) {
    const kernels::TableEntry& entry = named_kernel(name);
    if (!std::holds_alternative<kernels::StridedContract>(entry.kernel->contract)) {
      throw Error(fmt::format("kernel {} does not advance ensembles: choose cpu/strided, cpu/strided_avx2 or "
                              "cpu/strided_avx512, or none",
                              name),
                  ErrorKind::usage);
    }
    if (const char* reason = unavailable_reason(*entry.kernel))
      throw Error(fmt::format("kernel {} cannot run here: {}", name, reason), ErrorKind::unavailable);
    return entry;
  }
  return fitting_kernel(spec);
}

BoundKernel bind_lanes(const kernels::TableEntry& entry, Topology topology, const Rule& rule) {
  RuleCode code(rule);
  BoundKernel bound = bind_kernel(*entry.kernel, topology, code);
  if (const char* reason = bound.refusal()) {
    throw Error(fmt::format("kernel {} cannot run {}: {}", entry.name, rule.str(), reason),
                ErrorKind::unavailable);
  }
  return bound;
}

int ensemble_threads(const EnsembleOptions& options) {
  if (options.threads < 0 || options.threads > max_ensemble_threads) {
    throw Error(fmt::format("{} threads: expected 1 to {}, or 0 for all cores", options.threads,
                            max_ensemble_threads),
                ErrorKind::usage);
  }
  return options.threads != 0 ? options.threads : usable_threads();
}

void check_ensemble(const EnsembleSpec& spec) {
  if (spec.topology != Topology::plane && spec.topology != Topology::torus) {
    throw Error(
        fmt::format("an ensemble of topology \"{}\": expected plane or torus", to_string(spec.topology)),
        ErrorKind::usage);
  }
  if (spec.size.width < 1 || spec.size.height < 1 || spec.size.width > max_coordinate ||
      spec.size.height > max_coordinate) {
    throw Error(fmt::format("an ensemble of worlds of {} x {} cells: expected at least 1 x 1",
                            spec.size.width, spec.size.height),
                ErrorKind::usage);
  }
  constexpr double max_cells = 0x1p48;  // of a world; those of the lanes of a kernel are counted in 64 bits
  if (spec.size.area() > max_cells) {
    throw Error(fmt::format("an ensemble of worlds of {} x {} cells: expected at most 2^48 cells each",
                            spec.size.width, spec.size.height),
                ErrorKind::usage);
  }
  for (const RuleGroup& group : spec.groups) require_nine_cells(group.rule, "an ensemble");
  if (spec.worlds() == 0) throw Error("an ensemble without worlds: give their number", ErrorKind::usage);
  if (!spec.start && !(spec.density >= 0 && spec.density <= 1))
    throw Error(fmt::format("a density of {} is not between 0 and 1", spec.density), ErrorKind::usage);
}

}  // namespace moorea
