// SPDX-License-Identifier: MIT
// Properties of CUDA kernels that can be tested without a GPU: run-time code compiles, for rules and worlds
// of all kinds, and cuda/chip supports the worlds that docs/cuda.md promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "definition.h"
#include "devices/cuda.h"
#include "jit/bound_kernel.h"
#include "kernels/kernel.h"
#include "logic/rule_mask.h"
#include "moorea/error.h"
#include "moorea/rule.h"

namespace moorea {
namespace {

using kernels::CudaContract;
using kernels::RuntimeSource;
using kernels::World;

constexpr int h200_multiprocessors = 132;
bool defines(const std::vector<char>& code, std::string_view function) {
  const std::string symbol = std::string(1, '\0') + std::string(function) + '\0';
  return std::search(code.begin(), code.end(), symbol.begin(), symbol.end()) != code.end();
}

// A rule without structure, hence of more than a hundred gates.
constexpr const char* random_map =
    "MAPRCCCPP3m8cJrMPkOx90B5Ih1NKIPCw0Ew27YDnHg/Xe"
    "wdnDrlAvVM1+XParYYZuR/8kR9XzO1Fi7vyzgN1PJvQ";

// Gates, and look-ups.
constexpr const char* cyclic = MOOREA_SOURCE_DIR "/bench/rules/Cyclic8.rule";
constexpr const char* cyclic_of_17 = MOOREA_SOURCE_DIR "/bench/rules/Cyclic17-VonNeumann.rule";

// Every text that a kernel may compile, once per rule. A kernel may have no source for a named rule.
TEST(CodeForGpus, Compiles) {
  if (cuda_compiler_unavailable_reason() != nullptr) GTEST_SKIP() << cuda_compiler_unavailable_reason();
  std::vector<std::tuple<std::string, int>> rules = {{"Life", 90},
                                                     {"B01245/S13678", 75},
                                                     {"B3678/S345", 90},
                                                     {"B01478/S0235", 90},
                                                     {"B147/S0268", 75},
                                                     {"B/S", 90},
                                                     {"Snowflakes", 90},
                                                     {random_map, 75},
                                                     {"/2/3", 90},
                                                     {"345/2/4", 75},
                                                     {"345/24/8", 90},
                                                     {"B2-a/S12/G256", 90},
                                                     {"WireWorld", 90},
                                                     {"LifeHistory", 90},
                                                     {"B2-a/S12History", 75},
                                                     {"Bugs", 90},
                                                     {"R3,C4,S4-9,12,B5-7,NC", 75},
                                                     {"Critters", 90},
                                                     {cyclic, 75},
                                                     {cyclic_of_17, 90}};
  // The other rules are for `./test --all`: the compiler runs for a minute
  if (!test::test_everything())
    rules = {{"Life", 90},        {"B01245/S13678", 75},       {"B0135/S246H", 90}, {"345/24/25", 90},
             {"LifeHistory", 90}, {"R5,C3,S33-57,B34-45", 90}, {cyclic, 75},        {cyclic_of_17, 90}};
  const test::TestPart part = test::test_part();
  std::size_t item = 0;
  std::set<std::string> compiled_kernels;
  for (const kernels::TableEntry* entry = kernels::table; entry->name != nullptr; ++entry) {
    const auto* const contract = std::get_if<CudaContract>(&entry->kernel->contract);
    if (contract == nullptr) continue;
    for (const auto& [name, capability] : rules) {
      const Rule rule = Rule::parse(name);
      const kernels::RuleSupport& supports = entry->kernel->supports;
      if ((supports.families & family_of(rule)) == 0 || rule.states() > supports.max_states ||
          rule.reach() > supports.max_reach)
        continue;
      const kernels::CudaBinding binding = contract->bind(mask_of(rule));
      if (binding.source == nullptr) continue;
      std::set<std::string> known;
      for (const bool torus : {true, false}) {
        for (const std::int64_t width : {32, 1000, 1024, 2048, 4096, 8192, 65536}) {
          const World world = {width, 1000, torus};
          if (contract->refuses != nullptr && contract->refuses(world, h200_multiprocessors) != nullptr)
            continue;
          const RuntimeSource source = binding.source(world, h200_multiprocessors);
          if (!known.insert(std::string(source.definitions) + source.text).second) continue;
          compiled_kernels.insert(entry->name);
          if (!part.has(item++)) continue;
          const std::vector<char> code = compile_for_gpu(source, rule, capability);
          for (const char* function : source.functions) {
            if (function == nullptr) continue;
            EXPECT_TRUE(defines(code, function)) << entry->name << ", " << function;
          }
        }
      }
    }
  }
  EXPECT_EQ(compiled_kernels.count("cuda/strided"), 1u);
  EXPECT_EQ(compiled_kernels.count("cuda/strided_two"), 1u);
  EXPECT_EQ(compiled_kernels.count("cuda/strided_two_lazy"), 1u);
  EXPECT_EQ(compiled_kernels.count("cuda/strided_lazy"), 1u);
  EXPECT_EQ(compiled_kernels.count("cuda/strided_counting"), 1u);
  EXPECT_EQ(compiled_kernels.count("cuda/chip"), 1u);
  EXPECT_EQ(compiled_kernels.count("cuda/states/strided"), 1u);
  EXPECT_EQ(compiled_kernels.count("cuda/states/strided_four"), 1u);
  EXPECT_EQ(compiled_kernels.count("cuda/wide/sliding"), 1u);
}

TEST(CodeForGpus, ErrorsAreTheCompilersWords) {
  if (cuda_compiler_unavailable_reason() != nullptr) GTEST_SKIP() << cuda_compiler_unavailable_reason();
  RuntimeSource source;
  source.text = "no_such_type x;";
  try {
    compile_for_gpu(source, Rule(), 90);
    FAIL() << "it was compiled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run);
    EXPECT_NE(std::string(error.what()).find("no_such_type"), std::string::npos) << error.what();
  }
}

class Chip : public testing::Test {
 protected:
  void SetUp() override {
    for (const kernels::TableEntry* entry = kernels::table; entry->name != nullptr; ++entry) {
      if (entry->name == std::string_view("cuda/chip"))
        contract_ = &std::get<CudaContract>(entry->kernel->contract);
    }
    if (contract_ == nullptr) GTEST_SKIP() << "a build without CUDA";
  }

  bool takes(const World& world, int multiprocessors = h200_multiprocessors) const {
    return contract_->refuses(world, multiprocessors) == nullptr;
  }

  // Maximum number of rows supported at this width, by bisection: support is monotonic.
  std::int64_t max_rows(std::int64_t width, int multiprocessors) const {
    std::int64_t taken = 0, refused = std::int64_t{1} << 40;
    while (refused - taken > 1) {
      const std::int64_t rows = (taken + refused) / 2;
      (takes({width, rows, true}, multiprocessors) ? taken : refused) = rows;
    }
    return taken;
  }

  const CudaContract* contract_ = nullptr;
};

// A lane has 1, 2, 4 or 8 words of a row, and there are 32 lanes. A torus has no padding after a row's end.
TEST_F(Chip, TakesTheWidthsThatFillLanes) {
  for (std::int64_t width = 1; width <= 20000; ++width) {
    const std::int64_t words = (width + 31) / 32;
    bool fills = false;
    for (const int words_a_lane : {1, 2, 4, 8})
      fills = fills || (words % words_a_lane == 0 && words <= 32 * words_a_lane);
    ASSERT_EQ(takes({width, 100, false}), fills) << "a plane of width " << width;
    ASSERT_EQ(takes({width, 100, true}), fills && width % 32 == 0) << "a torus of width " << width;
  }
}

// The ranges that docs/cuda.md states
TEST_F(Chip, TakesTheWidthsOfItsDocument) {
  for (std::int64_t width = 32; width <= 8192; width += 32) {
    const int unit = width <= 1024 ? 32 : width <= 2048 ? 64 : width <= 4096 ? 128 : 256;
    ASSERT_EQ(takes({width, 64, true}), width % unit == 0) << width;
  }
  EXPECT_FALSE(takes({8448, 64, true}));
  EXPECT_FALSE(takes({std::int64_t{1} << 40, 64, true}));
  EXPECT_TRUE(takes({1, 1, false}));
  EXPECT_FALSE(takes({1, 1, true}));
}

// 64 Ki registers per multiprocessor hold the world and its halo, and the measured worlds fit on an H200.
TEST_F(Chip, TakesAsManyRowsAsRegistersHold) {
  for (const std::int64_t size : {1024, 2048, 4096, 8192}) EXPECT_TRUE(takes({size, size, true})) << size;
  for (const std::int64_t width : {32, 1024, 2048, 4096, 8192}) {
    std::int64_t before = 0;
    for (const int multiprocessors : {1, 2, 40, 108, 132, 148}) {
      const std::int64_t rows = max_rows(width, multiprocessors);
      EXPECT_GT(rows, before) << width << " wide, " << multiprocessors << " multiprocessors";
      EXPECT_LT(rows * (width / 32), std::int64_t{65536} * multiprocessors) << width;
      for (std::int64_t fewer = 1; fewer <= rows; ++fewer)
        ASSERT_TRUE(takes({width, fewer, true}, multiprocessors)) << width << " x " << fewer;
      before = rows;
    }
  }
}

// Blocks publish words of 32 cells in two alternating 64-bit slots.
TEST_F(Chip, ScratchHoldsTwoPlacesForEachWord) {
  EXPECT_EQ(contract_->scratch_bytes({1, 1, false}), 16);
  EXPECT_EQ(contract_->scratch_bytes({33, 5, false}), 2 * 5 * 16);
  EXPECT_EQ(contract_->scratch_bytes({8192, 8192, true}), std::int64_t{256} * 8192 * 16);
}

}  // namespace
}  // namespace moorea
