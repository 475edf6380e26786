// SPDX-License-Identifier: MIT
#include "ensembles/lane_kernel.h"

#include <fmt/core.h>

#include <array>
#include <vector>

#include "choose/kernel_table.h"
#include "devices/cpu/threads.h"
#include "devices/cuda.h"
#include "devices/traits.h"
#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::array lane_kernel_names = {"cpu/strided", "cpu/strided_avx2", "cpu/strided_avx512"};
constexpr int max_ensemble_threads = 4096;

}  // namespace

std::optional<int> gpu_of(const EnsembleOptions& options) {
  if (options.device == "cpu") return std::nullopt;
  if (options.device != "cuda" && !options.device.starts_with("cuda:")) {
    throw Error(
        fmt::format("device \"{}\" does not advance ensembles: expected cpu, cuda or cuda:N", options.device),
        ErrorKind::usage);
  }
  const std::vector<DeviceInfo> gpus = list_gpus();
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (options.device == "cuda" || gpus[i].name == options.device) return static_cast<int>(i);
  }
  const char* const reason = cuda_unavailable_reason();
  throw Error(fmt::format("device \"{}\" is not available: {}", options.device,
                          reason != nullptr ? reason : "moorea kernels lists the devices"),
              ErrorKind::unavailable);
}

int lanes_of(const kernels::TableEntry& entry) {
  return std::get<kernels::StridedContract>(entry.kernel->contract).lanes;
}

const kernels::TableEntry& lane_kernel(const EnsembleOptions& options, std::uint64_t worlds) {
  const std::string& name = options.kernel;
  if (gpu_of(options)) {
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
  const kernels::TableEntry* widest = nullptr;
  for (const char* const each : lane_kernel_names) {
    const kernels::TableEntry* const entry = find_kernel(each);
    if (entry == nullptr || unavailable_reason(*entry->kernel) != nullptr) continue;
    widest = entry;
    if (static_cast<std::uint64_t>(lanes_of(*entry)) >= worlds) break;
  }
  return *widest;
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
  if (spec.worlds() == 0) throw Error("an ensemble without worlds: give their number", ErrorKind::usage);
  if (!spec.start && !(spec.density >= 0 && spec.density <= 1))
    throw Error(fmt::format("a density of {} is not between 0 and 1", spec.density), ErrorKind::usage);
}

}  // namespace moorea
