// SPDX-License-Identifier: MIT
// Kernels are refused in one place, by what they declare, before their bind() is called; and what the kernels
// of this build declare is consistent.
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "choose/kernel_table.h"
#include "devices/traits.h"
#include "jit/bound_kernel.h"
#include "kernels/kernel.h"

namespace moorea {
namespace {

using kernels::BlockContract;
using kernels::CudaContract;
using kernels::Layout;
using kernels::RuleSupport;
using kernels::StridedContract;
using kernels::TileContract;

const Rule life, seeds(1u << 2, 0), births_from_nothing(1u << 0 | 1u << 3, 1u << 4);

int calls_of_bind = 0;

void step(const kernels::Block&) {}

kernels::BlockBinding bind(kernels::RuleMask) {
  ++calls_of_bind;
  return {step};
}

kernels::Kernel kernel_for(const RuleSupport& supports) {
  return {.summary = "counts the calls of its bind()",
          .layout = Layout::bytes,
          .max_steps = 1,
          .supports = supports,
          .contract = BlockContract{.bind = bind}};
}

class Refusals : public testing::Test {
 protected:
  void SetUp() override { calls_of_bind = 0; }

  // The reason, or an empty text if the kernel was bound; bind() is called only then.
  static std::string refusal(const kernels::Kernel& kernel, const Rule& rule, Topology topology) {
    RuleCode code(rule);
    const int calls = calls_of_bind;
    const BoundKernel bound = bind_kernel(kernel, topology, code);
    const char* const reason = bound.refusal();
    EXPECT_EQ(calls_of_bind, calls + (reason == nullptr ? 1 : 0));
    EXPECT_EQ(bound.kernel, &kernel);
    return reason != nullptr ? reason : "";
  }
};

TEST_F(Refusals, AreNoneByDefault) {
  const kernels::Kernel kernel = kernel_for({});
  for (const Rule& rule : {life, seeds, births_from_nothing}) {
    for (const Topology topology : {Topology::plane, Topology::torus, Topology::unbounded})
      EXPECT_EQ(refusal(kernel, rule, topology), "") << rule.str();
  }
  EXPECT_EQ(calls_of_bind, 9);
}

TEST_F(Refusals, ComeBeforeBindForOtherFamilies) {
  const Rule brain = seeds.with_states(3);
  struct Case {
    unsigned families;
    Rule rule;
    const char* text;
  };
  for (const Case& each : {Case{kernels::nine_cells, life, "no life-like rules"},
                           Case{kernels::generations, life, "only rules with more than two states"},
                           Case{kernels::life_like | kernels::nine_cells, brain, "only rules of two states"},
                           Case{kernels::nine_cell_generations, life, "moorea kernels"}}) {
    const std::string reason = refusal(kernel_for({.families = each.families}), each.rule, Topology::torus);
    EXPECT_NE(reason.find(each.text), std::string::npos) << reason;
  }
  EXPECT_EQ(refusal(kernel_for({.families = kernels::generations}), brain, Topology::torus), "");
}

TEST_F(Refusals, ComeBeforeBindForOtherTopologies) {
  const kernels::Kernel no_plane = kernel_for({.plane = false}), no_torus = kernel_for({.torus = false});
  for (const Topology topology : {Topology::plane, Topology::unbounded})
    EXPECT_NE(refusal(no_plane, life, topology).find("no planes"), std::string::npos);
  EXPECT_EQ(refusal(no_plane, life, Topology::torus), "");
  EXPECT_NE(refusal(no_torus, life, Topology::torus).find("no tori"), std::string::npos);
  EXPECT_EQ(refusal(no_torus, life, Topology::plane), "");
}

TEST_F(Refusals, ComeBeforeBindForBirthsFromNothing) {
  const kernels::Kernel kernel = kernel_for({.births_from_nothing = false});
  EXPECT_NE(refusal(kernel, births_from_nothing, Topology::torus).find("B0"), std::string::npos);
  EXPECT_EQ(refusal(kernel, life, Topology::torus), "");
}

TEST_F(Refusals, ComeBeforeBindForRulesThatAKernelRefuses) {
  const kernels::Kernel kernel = kernel_for({.refuses = [](kernels::RuleMask rule) {
    return rule.survival != 0 ? nullptr : "only with survivals";
  }});
  EXPECT_EQ(refusal(kernel, seeds, Topology::torus), "only with survivals");
  EXPECT_EQ(refusal(kernel, life, Topology::torus), "");
}

TEST_F(Refusals, ComeBeforeBindOnMachinesThatLackSomething) {
  kernels::Kernel kernel = kernel_for({});
  kernel.needs = {.avx2 = true, .avx512 = true};
  const kernels::InstructionSets sets = machine_instruction_sets();
  EXPECT_EQ(refusal(kernel, life, Topology::torus), !sets.avx2     ? "this CPU has no AVX2"
                                                    : !sets.avx512 ? "this CPU has no AVX-512 (F, BW, DQ, VL)"
                                                                   : "");
}

// The name of a kernel's folder, its layout and its contract agree.
TEST(KernelTable, HasTheContractOfEachLayout) {
  for (const kernels::TableEntry* entry = kernels::table; entry->name != nullptr; ++entry) {
    const kernels::Kernel& kernel = *entry->kernel;
    const std::string name = entry->name;
    EXPECT_EQ(to_string(backend_of(kernel)), name.substr(0, name.find('/')));
    EXPECT_EQ(kernel.file, nullptr) << name;
    std::visit([&](const auto& contract) { EXPECT_NE(contract.bind, nullptr) << name; }, kernel.contract);
    if (std::holds_alternative<BlockContract>(kernel.contract)) {
      EXPECT_TRUE(kernel.layout == Layout::bytes || kernel.layout == Layout::bits) << name;
    }
    if (const auto* const strided = std::get_if<StridedContract>(&kernel.contract)) {
      EXPECT_EQ(kernel.layout, Layout::strided) << name;
      EXPECT_EQ(strided->lanes % 64, 0) << name;
    }
    if (const auto* const tiles = std::get_if<TileContract>(&kernel.contract)) {
      EXPECT_EQ(kernel.layout, Layout::tiles) << name;
      EXPECT_EQ(tiles->lanes % 64, 0) << name;
    }
    const bool wide = name.ends_with("avx512"), narrow = name.ends_with("avx2"), both = name.ends_with("x86");
    EXPECT_EQ(kernel.needs.avx512, wide || both) << name;
    EXPECT_EQ(kernel.needs.avx2, narrow || both) << name;
  }
}

}  // namespace
}  // namespace moorea
