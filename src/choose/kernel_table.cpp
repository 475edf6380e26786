// SPDX-License-Identifier: MIT
#include "choose/kernel_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "boards/board.h"
#include "choose/kernel_file.h"
#include "jit/rule_code.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/nearest.h"

namespace moorea {

using kernels::TableEntry;

const TableEntry* find_kernel(std::string_view name) {
  if (is_kernel_file(name)) return &kernel_from_file(std::string(name));
  for (const TableEntry* entry = kernels::table; entry->name != nullptr; ++entry) {
    if (entry->name == name) return entry;
  }
  return nullptr;
}

const TableEntry& named_kernel(const std::string& name) {
  if (const TableEntry* entry = find_kernel(name)) return *entry;
  std::vector<std::string> names;
  for (const TableEntry* entry = kernels::table; entry->name != nullptr; ++entry)
    names.emplace_back(entry->name);
  for (const auto& [backend, title] : {std::pair("cuda/", "CUDA"), std::pair("opencl/", "OpenCL")}) {
    if (!name.starts_with(backend)) continue;
    if (std::any_of(names.begin(), names.end(),
                    [&prefix = backend](const auto& each) { return each.starts_with(prefix); }))
      continue;
    throw Error(fmt::format("kernel {} cannot run here: this build has no {} (MOOREA_{})", name, title,
                            name.starts_with("cuda") ? "CUDA" : "OPENCL"),
                ErrorKind::unavailable);
  }
  throw Error(fmt::format("there is no kernel \"{}\"{} moorea kernels lists all of them", name,
                          nearest_name(name, names).empty() ? ";" : did_you_mean(name, names)),
              ErrorKind::usage);
}

Backend backend_of(const TableEntry& entry) {
  const std::string_view name = entry.name;
  if (is_kernel_file(name)) return backend_of_file(name);
  return backend_of_device(name.substr(0, name.find('/'))).value_or(Backend::cpu);
}

bool passes_chosen(const TableEntry& entry) {
  const kernels::Kernel& kernel = *entry.kernel;
  return kernel.max_steps > 1 && kernel.longest_call == 0 && kernel.layout != kernels::Layout::tiles &&
         kernel.activity != kernels::Activity::skipped;
}

KernelPair KernelPair::parse(const std::string& text) {
  constexpr std::string_view joint = " + ";
  // The path of a file may contain the joint
  const std::size_t at = is_kernel_file(text) ? std::string::npos : text.rfind(joint);
  if (at == std::string::npos || at + joint.size() == text.size()) return {text, {}};
  return {text.substr(0, at), text.substr(at + joint.size())};
}

std::string KernelPair::str() const { return quiet.empty() ? busy : busy + " + " + quiet; }

namespace {

constexpr double shifts_a_word = 2;  // of the tiles' rows

const char* layout_name(kernels::Layout layout) {
  switch (layout) {
    case kernels::Layout::bytes:
      return "bytes";
    case kernels::Layout::bits:
      return "bits";
    case kernels::Layout::ints:
      return "ints";
    case kernels::Layout::patches:
      return "patches";
    case kernels::Layout::strided:
      return "strided";
    case kernels::Layout::tiles:
      return "tiles";
  }
  return "";
}

KernelInfo info_of(const TableEntry& entry, RuleCode& code, const RuleCost& cost) {
  const kernels::Kernel& kernel = *entry.kernel;
  const BoundKernel bound = bind_kernel(kernel, code);
  const kernels::Binding& binding = bound.binding;
  KernelInfo info;
  info.name = entry.name;
  info.backend = backend_of(entry);
  info.summary = kernel.summary;
  info.layout = layout_name(kernel.layout);
  info.max_steps = kernel.max_steps;
  info.passes_chosen = passes_chosen(entry);
  info.tile = {kernel.tile.width, kernel.tile.height};
  info.block = {kernel.block.width, kernel.block.height};
  info.bytes_a_thread = kernel.bytes_a_thread;
  info.bits_moved_per_cell = kernel.layout == kernels::Layout::bytes  ? 16
                             : kernel.layout == kernels::Layout::ints ? 64
                                                                      : 2;
  info.operations_per_word = binding.operations_per_word;
  info.skips = kernel.layout == kernels::Layout::tiles || kernel.activity == kernels::Activity::skipped;
  info.runs = binding.refusal == nullptr;
  if (!info.runs) info.reason = binding.refusal;
  if (info.runs && kernel.lanes != 0) {
    info.logic = bound.code ? "machine code"
                 : bound.code_unavailable_reason != nullptr
                     ? fmt::format("masks: {}", bound.code_unavailable_reason)
                     : "network";
    const bool gates = kernel.lanes == 512 || info.backend == Backend::cuda;
    info.operations_per_word = gates ? cost.gates_per_word : cost.operations_per_word;
    // What an OpenCL device's compiler makes of them is its own
    if (info.backend == Backend::opencl) info.operations_per_word = 0;
    if (kernel.layout == kernels::Layout::tiles) info.operations_per_word += shifts_a_word;
  }
  return info;
}

}  // namespace

std::vector<KernelInfo> list_kernels(const Rule& rule) {
  std::vector<KernelInfo> infos;
  const RuleCost cost = rule_cost(rule);
  RuleCode code(mask_of(rule));
  for (const TableEntry* entry = kernels::table; entry->name != nullptr; ++entry)
    infos.push_back(info_of(*entry, code, cost));
  return infos;
}

KernelInfo kernel_info(const std::string& name, const Rule& rule) {
  RuleCode code(mask_of(rule));
  const KernelPair pair = KernelPair::parse(name);
  KernelInfo info = info_of(named_kernel(pair.busy), code, rule_cost(rule));
  if (is_kernel_file(pair.busy)) info.fingerprint = fingerprint_of_file(pair.busy);
  if (!pair.quiet.empty()) {
    named_kernel(pair.quiet);
    info.name = name;
    info.skips = true;
  }
  return info;
}

}  // namespace moorea
