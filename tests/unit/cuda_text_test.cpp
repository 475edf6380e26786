// SPDX-License-Identifier: MIT
// Text of CUDA kernels for rules of more than two states and of wide neighbourhoods, compiled for the CPU and
// compared with the reference kernels: their logic is tested where no GPU is.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "boards/state_rows.h"
#include "definition.h"
#include "devices/cuda.h"
#include "jit/bound_kernel.h"
#include "jit/system_compiler.h"
#include "kernels/common/segments.h"
#include "kernels/kernel.h"
#include "logic/rule_mask.h"
#include "logic/transition_text.h"
#include "moorea/cells.h"
#include "moorea/error.h"
#include "moorea/simulation.h"
#include "transition_rules.h"

namespace moorea {
namespace {

namespace gpu_calls {
using word = std::uint32_t;
#include "kernels/cuda/strided_call.h"
#include "kernels/cuda/wide_call.h"
struct uint4 {
  word of[4];
};
#include "kernels/cuda/transitions_call.h"
}  // namespace gpu_calls

using kernels::CudaContract;

constexpr std::int64_t row_margin = 128;  // words on both sides of a row

const kernels::Kernel* cuda_kernel(std::string_view name) {
  for (const kernels::TableEntry* entry = kernels::table; entry->name != nullptr; ++entry)
    if (entry->name == name) return entry->kernel;
  return nullptr;
}

// A world as a board of a GPU has it: rows of words, of which bit i of word j is column j + stride * i, for
// each digit of a cell.
class StridedCells {
 public:
  explicit StridedCells(const WorldSpec& world)
      : world_(world),
        digits_(digits_of(world.rule.states())),
        stride_((world.width + 31) / 32),
        digit_pitch_((stride_ + 3) / 4 * 4 + 2 * row_margin),
        words_(static_cast<std::size_t>(world.height * pitch() + 4)) {}

  std::int64_t stride() const { return stride_; }
  std::int64_t pitch() const { return digits_ * digit_pitch_; }
  std::uint32_t* first() { return aligned() + row_margin; }

  // Also fills `halo` words on both sides of a row, and the bits that are not cells of the world.
  void put(const Cells& cells, std::int64_t halo) {
    for (std::int64_t y = 0; y < world_.height; ++y) {
      for (std::int64_t j = -halo; j < stride_ + halo; ++j) {
        for (std::int64_t i = 0; i < 32; ++i) set(j, y, i, state_at(cells, j + stride_ * i, y));
      }
    }
  }

  Cells cells() {
    Cells cells(world_.width, world_.height, world_.rule.states());
    for (std::int64_t y = 0; y < world_.height; ++y) {
      for (std::int64_t x = 0; x < world_.width; ++x) {
        int state = 0;
        for (int k = 0; k < digits_; ++k)
          state |= static_cast<int>(*at(x % stride_, y, k) >> (x / stride_) & 1) << k;
        cells.set(x, y, state);
      }
    }
    return cells;
  }

 private:
  // Vectors of a lane are 16 bytes.
  std::uint32_t* aligned() {
    auto* const begin = words_.data();
    return begin + (16 - reinterpret_cast<std::uintptr_t>(begin) % 16) % 16 / sizeof *begin;
  }
  std::uint32_t* at(std::int64_t j, std::int64_t y, int digit) {
    return first() + y * pitch() + digit * digit_pitch_ + j;
  }

  int state_at(const Cells& cells, std::int64_t x, std::int64_t y) const {
    if (world_.is_torus()) return cells.state((x % world_.width + world_.width) % world_.width, y);
    return x >= 0 && x < world_.width ? cells.state(x, y) : 0;
  }

  void set(std::int64_t j, std::int64_t y, std::int64_t i, int state) {
    for (int k = 0; k < digits_; ++k) {
      const std::uint32_t bit = std::uint32_t{1} << i;
      *at(j, y, k) = (*at(j, y, k) & ~bit) | ((state >> k & 1) != 0 ? bit : 0);
    }
  }

  WorldSpec world_;
  int digits_;
  std::int64_t stride_, digit_pitch_;
  std::vector<std::uint32_t> words_;
};

// A kernel's functions for a rule, compiled for this CPU.
class HostKernel {
 public:
  HostKernel(const std::string& name, const Rule& rule) : kernel_(cuda_kernel(name)), rule_(rule) {
    const auto binding = std::get<CudaContract>(kernel_->contract).bind(mask_of(rule));
    const kernels::RuntimeSource source = binding.source({1 << 16, 1 << 16, true}, 132);
    halo_ = defined(source.definitions, "MOOREA_HALO", defined(source.definitions, "MOOREA_DEPTH", 6));
    const std::string path = testing::TempDir() + "moorea_cuda_text_" + std::to_string(getpid()) + ".cpp";
    const bool is_wide = rule.larger_than_life() != nullptr;
    const char* const call = is_wide ? "WideCall" : is_by_transitions() ? "TransitionsCall" : "StridedCall";
    const char* const threads = is_wide ? "wide_threads" : is_by_transitions() ? "transition_threads" : "32";
    std::ofstream text(path);
    text << "#include \"" MOOREA_SOURCE_DIR "/tests/cuda_on_cpu.h\"\n" << gpu_text(source, rule);
    text << "extern \"C\" __attribute__((visibility(\"default\"))) void run(const void* call, int which, "
            "unsigned width, unsigned height) {\n"
         << "  cuda_on_cpu::run_grid({width, height}, " << threads << ", [=] { (which == 0 ? "
         << source.functions[0] << " : " << source.functions[source.functions[1] != nullptr ? 1 : 0]
         << ")(*static_cast<const " << call << "*>(call)); });\n}\n";
    text.close();
    setenv("CXXFLAGS", "-O1 -w", 1);  // the text is compiled in half the time
    run_ = reinterpret_cast<Run>(compile_and_find(path, "run"));
    unsetenv("CXXFLAGS");
    std::filesystem::remove(path);
  }

  int max_steps() const { return kernel_->max_steps; }
  bool is_by_transitions() const {
    return kernel_->supports.transition_form == kernels::TransitionForm::gpu_text;
  }

  // Advances by generations from an odd or even one on, which matters to blocks.
  Cells advance(const Cells& cells, Topology topology, int steps, bool odd) const {
    const WorldSpec world = {rule_, topology, cells.width(), cells.height()};
    StridedCells from(world), to(world);
    if (rule_.larger_than_life() != nullptr)
      advance_wide(world, cells, from, to);
    else if (is_by_transitions())
      advance_by_transitions(world, cells, from, to);
    else
      advance_strided(world, cells, steps, odd, from, to);
    return to.cells();
  }

 private:
  using Run = void (*)(const void* call, int which, unsigned width, unsigned height);

  // The number that a line of definitions gives a name.
  static int defined(const std::string& definitions, const std::string& name, int otherwise) {
    const std::string begin = "#define " + name + " ";
    const std::size_t at = definitions.find(begin);
    return at == std::string::npos ? otherwise : std::stoi(definitions.substr(at + begin.size()));
  }

  // As kernels/cuda/strided_launch.h does it, for a GPU that is small enough for several segments.
  void advance_strided(const WorldSpec& world, const Cells& cells, int steps, bool odd, StridedCells& from,
                       StridedCells& to) const {
    const int depth = kernel_->max_steps;
    gpu_calls::StridedCall call = {};
    call.from = from.first();
    call.to = to.first();
    call.pitch = from.pitch();
    call.stride = static_cast<int>(from.stride());
    call.width = static_cast<int>(world.width);
    call.height = static_cast<int>(world.height);
    call.steps = steps;
    call.torus = world.is_torus() ? 1 : 0;
    call.wrapped =
        std::get<CudaContract>(kernel_->contract).fills_halo_columns(kernel_world(world), steps) ? 1 : 0;
    from.put(cells, call.wrapped != 0 ? 0 : depth);
    call.odd = odd ? 1 : 0;
    // Vectors of a segment, by the rules of strided_call.h for the halo of this kernel
    const int useful = gpu_calls::strip - 2 * halo_;
    const int granularity = halo_ % 4 != 0 ? 4 : useful % 16 == 0 ? 16 : 8;
    kernels::SegmentedWorld whole;
    whole.height = call.height;
    whole.vectors = (call.stride + 2 * halo_ + granularity - 1) / granularity * granularity;
    whole.needed = call.stride;
    whole.useful = useful;
    const kernels::Segments partition = cut_into_segments(whole, 2);
    call.segments = static_cast<int>(partition.number);
    call.segment_rows = static_cast<int>(partition.rows);
    call.segment_vectors = static_cast<int>(whole.vectors);
    run_(&call, world.is_torus() && steps == depth ? 0 : 1, static_cast<unsigned>(partition.strips), 1);
  }

  void advance_wide(const WorldSpec& world, const Cells& cells, StridedCells& from, StridedCells& to) const {
    const int reach = rule_.reach();
    from.put(cells, reach);
    gpu_calls::WideCall call = {};
    call.from = from.first();
    call.to = to.first();
    call.pitch = from.pitch();
    call.stride = static_cast<int>(from.stride());
    call.height = static_cast<int>(world.height);
    call.segment_rows = 16;
    call.torus = world.is_torus() ? 1 : 0;
    const int useful = gpu_calls::wide_strip - 2 * reach;
    run_(&call, 0, static_cast<unsigned>((call.stride + useful - 1) / useful),
         static_cast<unsigned>((call.height + call.segment_rows - 1) / call.segment_rows));
  }

  // Tables in shared memory, and of planes in global memory.
  void advance_by_transitions(const WorldSpec& world, const Cells& cells, StridedCells& from,
                              StridedCells& to) const {
    from.put(cells, 1);
    std::vector<std::uint8_t> tables = table_bytes(gpu_transitions(rule_));
    tables.resize(tables.size() / 16 * 16 + 16);
    gpu_calls::TransitionsCall call = {};
    call.from = from.first();
    call.to = to.first();
    call.tables = reinterpret_cast<const gpu_calls::uint4*>(tables.data());
    call.pitch = from.pitch();
    call.stride = static_cast<int>(from.stride());
    call.height = static_cast<int>(world.height);
    call.torus = world.is_torus() ? 1 : 0;
    run_(&call, world.is_torus() ? 0 : 1, 2, 1);
  }

  const kernels::Kernel* kernel_;
  Rule rule_;
  int halo_ = 0;  // vectors that a strip does not store on either side
  Run run_;
};

void expect_text_is_exact(const std::string& kernel, const Rule& rule, const std::string& reference) {
  const HostKernel host(kernel, rule);
  Options options;
  options.kernel = reference;
  const bool has_blocks = rule.blocks() != nullptr;
  for (const auto& [width, height] : {Size{1, 1}, {65, 33}, {192, 34}, {200, 40}, {4096, 20}, {4500, 18}}) {
    if (has_blocks && ((width + 31) / 32 % 2 != 0 || width % 2 != 0)) continue;
    for (const Topology topology : {Topology::torus, Topology::plane}) {
      for (const int steps : {host.max_steps(), host.max_steps() / 2}) {
        if (steps == 0) continue;
        Cells start = Cells::random(width, height, 0.4, 1, rule.states());
        // So few of the boundary that most cells are not beside it
        for (std::int64_t x = 0; rule.has_history() && x < width; ++x) {
          for (std::int64_t y = 0; y < height; ++y)
            if (start.state(x, y) == 6 && (x + y) % 16 != 0) start.set(x, y, 0);
        }
        for (const bool odd : {false, true}) {
          if (odd && !has_blocks) continue;
          // The text begins with the odd generation after the start
          Simulation expected({rule, topology, width, height}, start, options);
          if (odd) expected.step(1);
          const Cells begin = expected.states(expected.box());
          expected.step(static_cast<std::uint64_t>(steps));
          ASSERT_EQ(host.advance(begin, topology, steps, odd), expected.states(expected.box()))
              << kernel << ", " << rule.str() << ", " << to_string(topology) << ", " << width << " x "
              << height << ", " << steps << " generations" << (odd ? " from an odd one on" : "");
        }
      }
    }
  }
}

// All rules for `./test --all`: each takes a second.
TEST(TextForGpus, RulesOfMoreStates) {
  if (cuda_kernel("cuda/states/strided") == nullptr) GTEST_SKIP() << "a build without CUDA";
  std::vector<const char*> of_six = {"/2/3", "345/24/6", "LifeHistory"}, of_four = {"B2-a/S12History"};
  if (test::test_everything()) {
    of_six.insert(of_six.end(), {"345/2/4", "345/24/5", "/2/7", "345/24/8", "WireWorld", "B2-a/S12/G4"});
    of_four.insert(of_four.end(), {"345/24/25", "/2/256", "HighLifeHistory"});
  }
  for (const char* const rule : of_six)
    expect_text_is_exact("cuda/states/strided", Rule::parse(rule), "cpu/states/reference");
  for (const char* const rule : of_four)
    expect_text_is_exact("cuda/states/strided_four", Rule::parse(rule), "cpu/states/reference");
}

TEST(TextForGpus, RulesOfTwoStatesAndOfBlocks) {
  if (cuda_kernel("cuda/strided_two") == nullptr) GTEST_SKIP() << "a build without CUDA";
  expect_text_is_exact("cuda/strided_two", Rule::parse("B2-a/S12"), "cpu/reference");
  std::vector<const char*> blocks = {"Critters"};
  if (test::test_everything()) blocks.push_back("BBM");
  for (const char* const rule : blocks)
    expect_text_is_exact("cuda/blocks/strided", Rule::parse(rule), "cpu/blocks/reference");
}

TEST(TextForGpus, RulesOfWideNeighbourhoods) {
  if (cuda_kernel("cuda/wide/sliding") == nullptr) GTEST_SKIP() << "a build without CUDA";
  std::vector<const char*> rules = {"R3,C4,S4-9,12,B5-7,NC", "R5,C3,S33-57,B34-45"};
  if (test::test_everything()) rules.insert(rules.end(), {"Bugs", "R9,C20,S100-150,B90-120"});
  for (const char* const rule : rules)
    expect_text_is_exact("cuda/wide/sliding", Rule::parse(rule), "cpu/wide/reference");
}

TEST(TextForGpus, RulesByTransitions) {
  if (cuda_kernel("cuda/states/transitions") == nullptr) GTEST_SKIP() << "a build without CUDA";
  std::mt19937 random(5);
  // Gates, and look-ups
  std::vector<Rule> rules = {test::random_transitions(5, false, random, 3),
                             test::random_transitions(8, true, random, 20)};
  EXPECT_NE(gpu_transitions(rules[0]).network, nullptr);
  EXPECT_NE(gpu_transitions(rules[1]).lookups, nullptr);
  if (test::test_everything()) {
    rules.push_back(test::random_transitions(3, true, random));
    rules.push_back(test::random_transitions(29, false, random));
    rules.push_back(test::random_transitions(100, true, random));
    rules.push_back(test::random_transitions(256, false, random));
  }
  for (const Rule& rule : rules)
    expect_text_is_exact("cuda/states/transitions", rule, "cpu/states/reference");
}

}  // namespace
}  // namespace moorea
