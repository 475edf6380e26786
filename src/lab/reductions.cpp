// SPDX-License-Identifier: MIT
// Which reduction on which GPU, and whether it can be.
#include <fmt/core.h>

#include <bit>
#include <string_view>

#include "choose/choose.h"
#include "devices/cuda.h"
#include "kernels/reduction.h"
#include "moorea/error.h"
#include "moorea/lab/reduction.h"

namespace moorea {
namespace {

using kernels::Reduction;
using kernels::ReductionEntry;

constexpr int min_threads = 32, max_threads = 1024;  // of a thread block

const ReductionEntry& find_reduction(std::string_view name) {
  std::string names;
  for (const ReductionEntry* entry = kernels::reduction_table; entry->name != nullptr; ++entry) {
    if (entry->name == name) return *entry;
    names += (names.empty() ? "" : ", ") + std::string(entry->name);
  }
  throw Error(fmt::format("there is no reduction \"{}\": {}", name, names), ErrorKind::usage);
}

Choice choose_gpu(const std::string& device) {
  Options options;
  options.device = device == "auto" ? "cuda" : device;
  Choice choice = choose({}, options);
  if (choice.device.backend != Backend::cuda) {
    throw Error(fmt::format("reductions run on GPUs, not on device {}", device), ErrorKind::usage);
  }
  return choice;
}

int threads_for(const ReductionEntry& entry, int threads) {
  const int usual = entry.reduction->default_threads;
  if (threads == 0) return usual;
  if (usual == 0) {
    throw Error(fmt::format("reduction {} chooses its threads itself", entry.name), ErrorKind::usage);
  }
  if (threads < min_threads || threads > max_threads ||
      !std::has_single_bit(static_cast<unsigned>(threads))) {
    throw Error(fmt::format("{} threads per block: expected a power of two from {} to {}, or 0 for {}",
                            threads, min_threads, max_threads, usual),
                ErrorKind::usage);
  }
  return threads;
}

}  // namespace

std::vector<ReductionInfo> list_reductions() {
  std::vector<ReductionInfo> infos;
  const char* reason = cuda_unavailable_reason();
  for (const ReductionEntry* entry = kernels::reduction_table; entry->name != nullptr; ++entry) {
    const Reduction& reduction = *entry->reduction;
    infos.push_back({entry->name, reduction.summary, reduction.default_threads, reason == nullptr,
                     reason == nullptr ? "" : reason});
  }
  return infos;
}

ReductionTiming time_reduction(const ReductionTask& task) {
  const Choice choice = choose_gpu(task.device);
  const ReductionEntry& entry = find_reduction(task.name);
  ReductionTask checked = task;
  checked.threads = threads_for(entry, task.threads);
  if (task.values < 0 || task.values > largest_reduction) {
    throw Error(fmt::format("{} values: expected 0 to {}", task.values, largest_reduction), ErrorKind::usage);
  }
  if (task.samples < 0)
    throw Error(fmt::format("{} samples: expected 0 or more", task.samples), ErrorKind::usage);
  if (task.type == ReductionType::floats && entry.reduction->launch_floats == nullptr)
    throw Error(fmt::format("reduction {} adds integers only", entry.name), ErrorKind::usage);
  ReductionTiming timing = time_gpu_reduction(choice.device.index, *entry.reduction, checked);
  timing.name = task.name;
  timing.device = choice.device.str();
  return timing;
}

}  // namespace moorea
