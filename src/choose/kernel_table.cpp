// SPDX-License-Identifier: MIT
#include "choose/kernel_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "boards/state_rows.h"
#include "choose/kernel_file.h"
#include "choose/kernel_options.h"
#include "jit/bound_kernel.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/support/nearest.h"

namespace moorea {

using kernels::BlockContract;
using kernels::CudaContract;
using kernels::OpenClContract;
using kernels::StridedContract;
using kernels::TableEntry;
using kernels::TileContract;

namespace {

// Whether the kernel skips inactive regions.
bool skips(const kernels::Kernel& kernel) {
  struct Skips {
    bool operator()(const TileContract&) const { return true; }
    bool operator()(const StridedContract&) const { return false; }
    bool operator()(const kernels::MeshContract&) const { return false; }
    bool operator()(const kernels::StatesContract&) const { return false; }
    bool operator()(const BlockContract& block) const { return is_skipped(block.activity); }
    bool operator()(const CudaContract& cuda) const { return is_skipped(cuda.activity); }
    bool operator()(const OpenClContract& opencl) const { return is_skipped(opencl.activity); }
    static bool is_skipped(kernels::Activity activity) { return activity == kernels::Activity::skipped; }
  };
  return std::visit(Skips(), kernel.contract);
}

}  // namespace

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

Backend backend_of(const kernels::Kernel& kernel) {
  if (std::holds_alternative<CudaContract>(kernel.contract)) return Backend::cuda;
  if (std::holds_alternative<OpenClContract>(kernel.contract)) return Backend::opencl;
  return Backend::cpu;
}

bool passes_chosen(const TableEntry& entry) {
  const kernels::Kernel& kernel = *entry.kernel;
  if (kernel.max_steps == 1 || std::holds_alternative<TileContract>(kernel.contract) || skips(kernel))
    return false;
  const auto* const cuda = std::get_if<CudaContract>(&kernel.contract);
  return cuda == nullptr || cuda->longest_call == 0;
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
constexpr int min_states_of_planes = 3;

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
    case kernels::Layout::planes:
      return "planes";
    case kernels::Layout::digits:
      return "digits";
    case kernels::Layout::tiles:
      return "tiles";
    case kernels::Layout::faces:
      return "faces";
    case kernels::Layout::face_bits:
      return "face bits";
  }
  return "";
}

// The kernel for the rule, in the topology that it supports if there is only one.
BoundKernel bind_in_any_topology(const kernels::Kernel& kernel, RuleCode& code) {
  return bind_kernel(kernel, kernel.supports.torus ? Topology::torus : Topology::plane, code);
}

// Operations as the kernel states them; 0: unknown, or those of the rule's network.
double stated_operations(const kernels::Kernel& kernel) {
  if (const auto* const block = std::get_if<BlockContract>(&kernel.contract))
    return block->operations_per_word;
  if (const auto* const cuda = std::get_if<CudaContract>(&kernel.contract)) return cuda->operations_per_word;
  return 0;
}

// Cells per vector of a kernel that computes the rule's network; 0: it does not.
int lanes_of(const kernels::Kernel& kernel) {
  constexpr int cuda_lanes = 32;
  struct Lanes {
    int operator()(const BlockContract&) const { return 0; }
    int operator()(const StridedContract& strided) const { return strided.lanes; }
    int operator()(const TileContract& tiles) const { return tiles.lanes; }
    int operator()(const kernels::MeshContract&) const { return 0; }
    int operator()(const kernels::StatesContract& states) const {
      return states.lanes > 1 ? states.lanes : 0;
    }
    int operator()(const CudaContract&) const {
      return layout == kernels::Layout::strided || layout == kernels::Layout::digits ? cuda_lanes : 0;
    }
    int operator()(const OpenClContract& opencl) const { return opencl.lanes; }
    kernels::Layout layout;
  };
  return std::visit(Lanes{kernel.layout}, kernel.contract);
}

// Cells read and written, and the neighbour table of a face with eight neighbours: MeshTable::words needs
// little, as long as most words have a pattern.
double bits_moved_per_cell(const kernels::Kernel& kernel, const Rule& rule) {
  constexpr double index_bits = 32, word_bits = 64;
  switch (mesh_table_of(kernel)) {
    case kernels::MeshTable::structures:
      return 16 + 9 * index_bits;
    case kernels::MeshTable::arrays:
      return 16 + 8 * index_bits;
    case kernels::MeshTable::edges:
      return 16 + 4 * index_bits;
    case kernels::MeshTable::words:
      return 2 + (index_bits + word_bits) / word_bits;
    case kernels::MeshTable::none:
      break;
  }
  if (kernel.layout == kernels::Layout::digits) return 2 * digits_of(rule.states());
  // A kernel of more states describes itself under rules of two, too
  if (kernel.layout == kernels::Layout::planes)
    return 2 * StateRowForm::planes_of(
                   rule.states() < min_states_of_planes ? rule.with_states(min_states_of_planes) : rule);
  return kernel.layout == kernels::Layout::bytes ? 16 : kernel.layout == kernels::Layout::ints ? 64 : 2;
}

void add_logic(KernelInfo& info, const BoundKernel& bound, const RuleCost& cost) {
  const int lanes = lanes_of(*bound.kernel);
  if (!info.runs || lanes == 0) return;
  info.logic = bound.code ? "machine code"
               : bound.code_unavailable_reason != nullptr
                   ? fmt::format("masks: {}", bound.code_unavailable_reason)
                   : "network";
  const bool gates = lanes == 512 || info.backend == Backend::cuda;
  info.operations_per_word = gates ? cost.gates_per_word : cost.operations_per_word;
  // The compiler of an OpenCL device decides how many instructions they become
  if (info.backend == Backend::opencl) info.operations_per_word = 0;
  if (std::holds_alternative<TileContract>(bound.kernel->contract)) info.operations_per_word += shifts_a_word;
}

KernelInfo info_of(const TableEntry& entry, RuleCode& code, const RuleCost& cost) {
  const kernels::Kernel& kernel = *entry.kernel;
  const BoundKernel bound = bind_in_any_topology(kernel, code);
  KernelInfo info;
  info.name = entry.name;
  info.backend = backend_of(kernel);
  info.summary = kernel.summary;
  info.layout = layout_name(kernel.layout);
  info.max_steps = kernel.max_steps;
  info.passes_chosen = passes_chosen(entry);
  if (const auto* const block = std::get_if<BlockContract>(&kernel.contract)) {
    info.tile = {block->tile.width, block->tile.height};
    info.wide_share = block->wide_share;
  }
  const LaunchShape launch = default_launch_shape(kernel);
  info.block = launch.block;
  info.bytes_a_thread = launch.bytes_a_thread;
  info.bits_moved_per_cell = bits_moved_per_cell(kernel, code.rule());
  if (mesh_table_of(kernel) != kernels::MeshTable::none)
    info.numbering = to_string(default_numbering(mesh_table_of(kernel)));
  info.operations_per_word = stated_operations(kernel);
  info.skips = skips(kernel);
  const char* const refusal = bound.refusal();
  info.runs = refusal == nullptr;
  if (refusal != nullptr) info.reason = refusal;
  add_logic(info, bound, cost);
  return info;
}

}  // namespace

std::vector<KernelInfo> list_kernels(const Rule& rule) {
  std::vector<KernelInfo> infos;
  const RuleCost cost = rule_cost(rule);
  RuleCode code(rule);
  for (const TableEntry* entry = kernels::table; entry->name != nullptr; ++entry)
    infos.push_back(info_of(*entry, code, cost));
  return infos;
}

KernelInfo kernel_info(const std::string& name, const Rule& rule) {
  RuleCode code(rule);
  const KernelPair pair = KernelPair::parse(name);
  KernelInfo info = info_of(named_kernel(pair.busy), code, rule_cost(rule));
  if (is_kernel_file(pair.busy)) {
    info.fingerprint = fingerprint_of_file(pair.busy);
    info.warnings = warnings_of_file(pair.busy);
  }
  if (!pair.quiet.empty()) {
    named_kernel(pair.quiet);
    info.name = name;
    info.skips = true;
  }
  return info;
}

}  // namespace moorea
