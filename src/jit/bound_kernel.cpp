// SPDX-License-Identifier: MIT
#include "jit/bound_kernel.h"

#include <variant>

#include "devices/traits.h"
#include "logic/rule_mask.h"
#include "logic/state_network.h"
#include "logic/transition_text.h"

namespace moorea {
namespace {

using kernels::Binding;
using kernels::CudaBinding;
using kernels::Kernel;
using kernels::Refusal;
using kernels::StatesBinding;
using kernels::StatesContract;
using kernels::StridedBinding;
using kernels::StridedContract;
using kernels::TileBinding;
using kernels::TileContract;

const char* unsupported_family(const kernels::RuleSupport& supports, kernels::RuleFamily family) {
  if ((supports.families & family) != 0) return nullptr;
  if (family == kernels::transitions || family == kernels::wires)
    return "it supports no rules by transitions, such as those of @RULE files: leave the kernel out, or "
           "choose "
           "one of cpu/states, cuda/states or opencl/states";
  if (family == kernels::larger_than_life)
    return "it supports no rules of Larger than Life: leave the kernel out, or choose a kernel of cpu/wide, "
           "cuda/wide or opencl/wide";
  constexpr unsigned histories = kernels::history | kernels::nine_cell_history;
  if ((family & histories) != 0 && (supports.families & histories) == 0)
    return "it supports no rules with history: leave the kernel out, or choose a kernel of cpu/states, "
           "cuda/states or "
           "opencl/states";
  if (family == kernels::blocks)
    return "it supports no rules of blocks: leave the kernel out, or choose a kernel of cpu/blocks, "
           "cuda/blocks or opencl/blocks";
  if ((supports.families & kernels::larger_than_life) != 0)
    return "it supports only rules of Larger than Life";
  if (supports.families == kernels::blocks) return "it supports only rules of blocks";
  constexpr unsigned two_states = kernels::life_like | kernels::nine_cells;
  if ((supports.families & two_states) == 0)
    return family == kernels::nine_cell_generations || family == kernels::nine_cell_history
               ? "it supports only births and survivals that count the eight neighbours: leave the kernel out"
               : "it supports only rules with more than two states; moorea kernels shows which kernels run a "
                 "rule";
  if ((family & two_states) == 0)
    return "it supports only rules of two states: leave the kernel out, or choose a kernel of cpu/states, "
           "cuda/states or opencl/states";
  return family == kernels::life_like
             ? "it supports no life-like rules; moorea kernels shows which kernels run a rule"
             : "it supports only life-like rules, which count the eight neighbours: leave the kernel out";
}

const char* unsupported_transitions(const kernels::RuleSupport& supports, const Rule& rule) {
  using kernels::TransitionForm;
  if (family_of(rule) != kernels::transitions) return nullptr;
  if (supports.transition_form == TransitionForm::gpu_text && !gpu_transitions(rule))
    return "the tables of this rule would be too large: choose the device cpu";
  if (supports.transition_form == TransitionForm::network && state_network(rule) == nullptr)
    return "this rule would have too many gates: leave the kernel out, or choose cpu/states/lookup";
  return nullptr;
}

// Why the kernel does not support such worlds, or null.
const char* unsupported(const Kernel& kernel, const Rule& rule, Topology topology) {
  const kernels::RuleSupport& supports = kernel.supports;
  if (const char* reason = unsupported_family(supports, family_of(rule))) return reason;
  if (const char* reason = unsupported_transitions(supports, rule)) return reason;
  if (rule.states() > supports.max_states)
    return "its rules have fewer states: leave the kernel out; moorea kernels shows which kernels run a rule";
  if (rule.reach() > supports.max_reach)
    return "its neighbourhoods are smaller: leave the kernel out, or choose the device cpu or opencl";
  if (topology == Topology::surface && !supports.surface)
    return "it supports no meshes: choose a kernel of cpu/mesh, cuda/mesh or opencl/mesh";
  if (topology == Topology::torus && !supports.torus)
    return "it supports no tori: choose a plane or another kernel";
  // An unbounded world is computed as a plane
  if ((topology == Topology::plane || topology == Topology::unbounded) && !supports.plane)
    return "it supports no planes: choose a torus or another kernel";
  if (rule.births_from_nothing() && !supports.births_from_nothing)
    return "it supports no rules with B0: choose a rule without births from nothing or another kernel";
  const kernels::RuleMask mask = mask_of(rule);
  if (supports.refuses != nullptr) {
    if (const char* reason = supports.refuses(mask)) return reason;
  }
  if (kernel.file == nullptr || !kernel.file->only_rule) return nullptr;
  const kernels::RuleMask only = *kernel.file->only_rule;
  return only.birth == mask.birth && only.survival == mask.survival ? nullptr : kernel.file->other_rules;
}

Binding binding_of(const Kernel& kernel, const Rule& rule, Topology topology) {
  if (const char* reason = unsupported(kernel, rule, topology)) return Refusal{reason};
  if (const char* reason = unavailable_reason(kernel)) return Refusal{reason};
  if (kernel.file != nullptr) return kernel.file->binding;
  return std::visit([&](const auto& contract) { return Binding(contract.bind(mask_of(rule))); },
                    kernel.contract);
}

// Lets the kernel run machine code for the rule, if it offers that.
void add_code(BoundKernel& bound, int lanes, RuleCode& rule) {
  if (lanes == 64) {
    bound.code_unavailable_reason = "machine code is generated for AVX2 and AVX-512 only";
    return;
  }
  const RuleCode::Made& made = rule.for_unit(lanes == 512 ? VectorUnit::avx512 : VectorUnit::avx2);
  bound.code = made.code;
  bound.code_unavailable_reason = made.reason;
}

// Compiled functions take the masks of life-like rules.
void require_code(BoundKernel& bound, const Rule& rule) {
  if (!rule.is_life_like() && !bound.code) bound.binding = Refusal{bound.code_unavailable_reason};
}

}  // namespace

kernels::RuleFamily family_of(const Rule& rule) {
  if (rule.transitions() != nullptr) return rule.is_wires() ? kernels::wires : kernels::transitions;
  if (rule.larger_than_life() != nullptr) return kernels::larger_than_life;
  if (rule.blocks() != nullptr) return kernels::blocks;
  const bool counts = rule.two_state().is_life_like();
  if (rule.has_history()) return counts ? kernels::history : kernels::nine_cell_history;
  if (rule.states() > 2) return counts ? kernels::generations : kernels::nine_cell_generations;
  return counts ? kernels::life_like : kernels::nine_cells;
}

const char* BoundKernel::refusal() const {
  const auto* const refused = std::get_if<Refusal>(&binding);
  return refused != nullptr ? refused->reason : nullptr;
}

kernels::PairSteps BoundKernel::pair_steps() const {
  if (!code) return {};
  const auto pairs = [](const void* at) {
    return reinterpret_cast<kernels::StepPairs>(const_cast<void*>(at));
  };
  return {pairs(code->rightwards()), pairs(code->leftwards()), pairs(code->rightwards_up()),
          pairs(code->leftwards_up())};
}

kernels::StepPlanes BoundKernel::step_planes() const {
  if (!code) return nullptr;
  return reinterpret_cast<kernels::StepPlanes>(const_cast<void*>(code->planes()));
}

kernels::StepBlocks BoundKernel::step_blocks() const {
  if (!code) return nullptr;
  return reinterpret_cast<kernels::StepBlocks>(const_cast<void*>(code->blocks()));
}

kernels::StepWindow BoundKernel::step_window() const {
  if (!code) return nullptr;
  return reinterpret_cast<kernels::StepWindow>(const_cast<void*>(code->window()));
}

BoundKernel bind_kernel(const Kernel& kernel, Topology topology, RuleCode& code) {
  BoundKernel bound{&kernel, binding_of(kernel, code.rule(), topology), nullptr, nullptr};
  if (auto* const strided = std::get_if<StridedBinding>(&bound.binding)) {
    if (strided->code_sweep == nullptr) return bound;
    add_code(bound, std::get<StridedContract>(kernel.contract).lanes, code);
    if (bound.code) strided->sweep = strided->code_sweep;
    require_code(bound, code.rule());
  } else if (auto* const tiles = std::get_if<TileBinding>(&bound.binding)) {
    if (tiles->code_step == nullptr) return bound;
    add_code(bound, std::get<TileContract>(kernel.contract).lanes, code);
    if (bound.code) tiles->step = tiles->code_step;
    require_code(bound, code.rule());
  } else if (auto* const states = std::get_if<StatesBinding>(&bound.binding)) {
    if (!states->runs_code) return bound;
    add_code(bound, std::get<StatesContract>(kernel.contract).lanes, code);
    if (!bound.code) bound.binding = Refusal{bound.code_unavailable_reason};
  } else if (auto* const cuda = std::get_if<CudaBinding>(&bound.binding)) {
    // Only some rules of a kernel may have code that is compiled at run time
    if (const char* reason = unavailable_reason(*cuda)) bound.binding = Refusal{reason};
  }
  return bound;
}

}  // namespace moorea
