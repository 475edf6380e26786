// SPDX-License-Identifier: MIT
// Every kernel x every rule it accepts x widths x heights x topologies x steps, against the definition;
// kernels for tiles also with odd tile sizes. A new kernel is tested without any change here. The buffers of
// kernels that read a halo are poisoned: reads beyond the halo (for kernels that join the edges: of any halo)
// return garbage, and writes beyond the block are detected. Kernels with special layouts are tested together
// with their board.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <variant>
#include <vector>

#include "boards/halo_buffer.h"
#include "boards/mesh_board.h"
#include "boards/strided_board.h"
#include "boards/tile_board.h"
#include "definition.h"
#include "devices/cuda.h"
#include "devices/opencl.h"
#include "jit/bound_kernel.h"
#include "kernels/kernel.h"
#include "logic/rule_mask.h"

namespace moorea::test {
namespace {

using kernels::Kernel;
using kernels::Layout;
using kernels::TableEntry;

constexpr std::byte poison{0xA5};
constexpr std::ptrdiff_t guard = 192;  // bytes after each row
constexpr int guard_rows = 2;

constexpr std::int64_t widths[] = {1, 2, 31, 32, 33, 63, 64, 65, 127, 1000};
constexpr std::int64_t heights[] = {1, 2, 3, 37};
constexpr int generations = 7;
constexpr int unnamed_rules = 32;

// A field in its own memory, surrounded by poison.
class GuardedField {
 public:
  GuardedField(const Kernel& kernel, std::int64_t width, std::int64_t height) : depth_(kernel.max_steps) {
    pitch_ = field_pitch(kernel.layout, width) + guard;
    const std::int64_t rows = height + 2 * (depth_ + guard_rows);
    memory_.assign(static_cast<std::size_t>(pitch_ * rows + 64), poison);
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    const std::ptrdiff_t skip = static_cast<std::ptrdiff_t>(-address % 64) + 64;
    field_ = {kernel.layout, memory_.data() + skip + pitch_ * (depth_ + guard_rows), pitch_, width, height};
  }

  const Field& field() const { return field_; }
  const std::vector<std::byte>& memory() const { return memory_; }

  void load(const Grid& cells) {
    for (std::int64_t y = 0; y < field_.height; ++y) {
      if (field_.layout == Layout::bits) {
        std::memcpy(field_.row(y), cells.row(y), static_cast<std::size_t>(cells.words_per_row()) * 8);
      } else {
        for (std::int64_t x = 0; x < field_.width; ++x) field_.row(y)[x] = std::byte{cells.alive(x, y)};
      }
    }
  }

  Grid cells() const {
    Grid cells(field_.width, field_.height);
    for (std::int64_t y = 0; y < field_.height; ++y) {
      for (std::int64_t x = 0; x < field_.width; ++x) {
        const bool alive = field_.layout == Layout::bits ? field_.words(y)[x / 64] >> x % 64 & 1
                                                         : field_.row(y)[x] == std::byte{1};
        cells.set(x, y, alive);
      }
    }
    return cells;
  }

  // Whether every cell of the byte layout is exactly 0 or 1.
  bool bytes_are_cells() const {
    if (field_.layout == Layout::bits) return true;
    for (std::int64_t y = 0; y < field_.height; ++y) {
      for (std::int64_t x = 0; x < field_.width; ++x) {
        if (field_.row(y)[x] > std::byte{1}) return false;
      }
    }
    return true;
  }

  // Whether everything except the cells of the block (in the bits layout: the words that hold them) is
  // unchanged.
  bool only_cells_differ(const std::vector<std::byte>& before) const {
    const std::ptrdiff_t row = field_.layout == Layout::bits ? (field_.width + 63) / 64 * 8 : field_.width;
    const std::ptrdiff_t first = field_.first - memory_.data(),
                         last = first + (field_.height - 1) * pitch_ + row;
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(memory_.size()); ++i) {
      const bool outside = i < first || i >= last || (i - first) % pitch_ >= row;
      if (outside && memory_[i] != before[i]) return false;
    }
    return true;
  }

 private:
  int depth_;
  std::ptrdiff_t pitch_ = 0;
  std::vector<std::byte> memory_;
  Field field_;
};

class EveryKernel : public testing::TestWithParam<const TableEntry*> {
 protected:
  const Kernel& kernel() const { return *GetParam()->kernel; }

  BoundKernel bind(const Rule& rule, Topology topology) const {
    RuleCode code(rule);
    return bind_kernel(kernel(), topology, code);
  }

  // Why the kernel cannot run Life here, or null.
  const char* refusal() const { return bind(Rule(), Topology::torus).refusal(); }

  // Implementations of this rule by the kernel: its own functions, and machine code if it supports that;
  // empty if it is refused.
  std::vector<BoundKernel> forms(const Rule& rule, Topology topology) const {
    const BoundKernel bound = bind(rule, topology);
    if (bound.refusal() != nullptr) return {};
    if (!bound.code) return {bound};
    const kernels::Binding own =
        std::visit([&](const auto& contract) { return kernels::Binding(contract.bind(mask_of(rule))); },
                   kernel().contract);
    return {{&kernel(), own, nullptr, nullptr}, bound};
  }

  // Blocks that touch a plane's edge are advanced by single steps
  int max_steps(Topology topology) const {
    const bool single = block() != nullptr && topology == Topology::plane && !block()->plane_steps;
    return single ? 1 : kernel().max_steps;
  }

  // Null if the kernel is of another kind; it is then tested together with its board.
  const kernels::BlockContract* block() const {
    return std::get_if<kernels::BlockContract>(&kernel().contract);
  }
  kernels::TileShape default_tile() const {
    return block() != nullptr ? block()->tile : kernels::TileShape();
  }
  kernels::Activity activity() const {
    return block() != nullptr ? block()->activity : kernels::Activity::none;
  }

  std::unique_ptr<Board> board(const BoundKernel& bound, const Rule& rule, Topology topology,
                               const Grid& start) const {
    const WorldSpec world = {rule, topology, start.width(), start.height()};
    if (const auto* const cuda = std::get_if<kernels::CudaBinding>(&bound.binding))
      return make_gpu_board(world, 0, {{&kernel(), *cuda}, {}, {}}, {});
    if (const auto* const opencl = std::get_if<kernels::OpenClBinding>(&bound.binding))
      return make_opencl_board(world, 0, {&kernel(), *opencl, {}});
    if (std::holds_alternative<kernels::MeshBinding>(bound.binding))
      return std::make_unique<MeshBoard>(world, bound, 1, Numbering::given);
    if (std::holds_alternative<kernels::StridedBinding>(bound.binding))
      return std::make_unique<StridedBoard>(world, bound, 1);
    return std::make_unique<TileBoard>(world, bound, 1);
  }

  testing::AssertionResult board_advances(const BoundKernel& bound, const Rule& rule, Topology topology,
                                          const Grid& start, const std::vector<int>& passes,
                                          const Grid& expected) const {
    const std::unique_ptr<Board> world = board(bound, rule, topology, start);
    world->load(start, {});
    for (const int steps : passes) world->advance(static_cast<std::uint64_t>(steps));
    if (world->window({0, 0, start.width(), start.height()}) == expected) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "wrong cells after passes of " << testing::PrintToString(passes)
                                       << " generations" << (bound.code ? " with machine code" : "");
  }

  // Whether the kernel is correct; the message describes the error. `passes` are the steps of each call, made
  // for tiles of the given size.
  testing::AssertionResult advances(const BoundKernel& bound, const Rule& rule, Topology topology,
                                    const Grid& start, const std::vector<int>& passes, const Grid& expected,
                                    const kernels::TileShape& tile = whole) {
    const kernels::World size = {start.width(), start.height(), topology == Topology::torus};
    if (std::holds_alternative<kernels::CudaBinding>(bound.binding) &&
        gpu_refusal(0, kernel(), size) != nullptr)
      return testing::AssertionSuccess();  // see Gpu.WorldsOnTheChip
    const auto* const opencl = std::get_if<kernels::OpenClContract>(&kernel().contract);
    if (opencl != nullptr && opencl->refuses != nullptr && opencl->refuses(size) != nullptr)
      return testing::AssertionSuccess();
    if (block() == nullptr) return board_advances(bound, rule, topology, start, passes, expected);
    GuardedField a(kernel(), start.width(), start.height()), b(kernel(), start.width(), start.height());
    a.load(start);
    GuardedField* from = &a;
    GuardedField* to = &b;
    for (const int steps : passes) {
      if (!block()->wraps) fill_halo(from->field(), topology, steps);
      const std::vector<std::byte> before = from->memory(), target_before = to->memory();
      const Grid now = from->cells(), earlier = to->cells();
      std::vector<Report> reports;
      for (std::int64_t y = 0; y < start.height(); y += tile.height) {
        for (std::int64_t x = 0; x < start.width(); x += tile.width) {
          const Box part{x, y, std::min<std::int64_t>(tile.width, start.width() - x),
                         std::min<std::int64_t>(tile.height, start.height() - y)};
          const std::ptrdiff_t column = kernel().layout == Layout::bits ? x / 8 : x;
          kernels::Block block = {from->field().row(y) + column,
                                  to->field().row(y) + column,
                                  from->field().pitch,
                                  part.width,
                                  part.height,
                                  steps,
                                  mask_of(rule)};
          block.world = size;
          block.x = x;
          block.y = y;
          block.thread = calls_++ % 3;
          block.threads = 3;
          bool changed = false;
          if (activity() != kernels::Activity::none) block.changed = &changed;
          const auto& binding = std::get<kernels::BlockBinding>(bound.binding);
          (binding.wide_step != nullptr && block.thread == 0 ? binding.wide_step : binding.step)(block);
          reports.push_back({part, changed});
        }
      }
      if (from->memory() != before) return testing::AssertionFailure() << "the source was written";
      if (!to->only_cells_differ(target_before)) {
        return testing::AssertionFailure() << "memory outside the block was written";
      }
      if (!to->bytes_are_cells()) return testing::AssertionFailure() << "a cell is neither 0 nor 1";
      if (!reports_are_right(reports, now, earlier, to->cells())) {
        return testing::AssertionFailure() << "a tile's report of changes is wrong";
      }
      std::swap(from, to);
    }
    if (from->cells() == expected) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "wrong cells after passes of " << testing::PrintToString(passes)
                                       << " generations in tiles of " << tile.width << " x " << tile.height;
  }

 private:
  struct Report {
    Box tile;
    bool changed;
  };

  // A kernel reports whether a tile differs from the previous generation; one that skips tiles may instead
  // always report whether it differs from the buffer's earlier content.
  bool reports_are_right(const std::vector<Report>& reports, const Grid& now, const Grid& earlier,
                         const Grid& next) {
    if (activity() == kernels::Activity::none) return true;
    const auto cut = [](const Grid& cells, const Box& box) {
      Grid part(box.width, box.height);
      part.paste(cells, -box.position());
      return part;
    };
    for (const Report& report : reports) {
      const Grid tile = cut(next, report.tile);
      if (report.changed != (tile != cut(now, report.tile))) compares_with_now_ = false;
      if (report.changed != (tile != cut(earlier, report.tile))) compares_with_earlier_ = false;
    }
    return compares_with_now_ || (activity() == kernels::Activity::skipped && compares_with_earlier_);
  }

  static constexpr kernels::TileShape whole = {1 << 20, 1 << 20};
  int calls_ = 0;
  bool compares_with_now_ = true, compares_with_earlier_ = true;
};

// Partitions of the generations into passes that this kernel supports: single steps, its longest passes, and
// odd ones.
std::vector<std::vector<int>> ways(int max_steps) {
  std::vector<std::vector<int>> all;
  for (const int longest : {1, max_steps, std::max(1, max_steps / 2)}) {
    std::vector<int> passes;
    for (int left = generations; left > 0; left -= passes.back()) passes.push_back(std::min(left, longest));
    if (std::find(all.begin(), all.end(), passes) == all.end()) all.push_back(passes);
  }
  return all;
}

// A sanitizer checks memory accesses, which hardly depend on the rule
#ifdef MOOREA_SANITIZED
constexpr std::size_t rule_step = 7;
#else
constexpr std::size_t rule_step = 1;
#endif

// `./test --all` runs the whole product of rules and shapes. The ordinary run takes one shape in `sample` for
// each rule, another one for the next rule, so that each rule, each shape and each topology still meets every
// kernel and each pair of them some kernels; Life has all shapes.
constexpr std::size_t sample = 5;

bool is_sampled(std::size_t rule, std::size_t shape, const Rule& tested) {
  return test_everything() || tested == Rule() || (rule + shape) % sample == 0;
}

std::vector<Rule> one_in(std::size_t step, const std::vector<Rule>& rules) {
  std::vector<Rule> taken;
  for (std::size_t i = 0; i < rules.size(); i += step) taken.push_back(rules[i]);
  return taken;
}

// PoCL compiles each rule of each kernel for up to seconds, so the ordinary run takes those that the tests of
// boards compile anyway and two unnamed ones, others for each kernel; kernels for CPUs run all networks.
std::vector<Rule> opencl_rules(const std::vector<Rule>& rules, std::size_t kernel_number) {
  if (test_everything()) return one_in(3, rules);
  std::vector<Rule> taken;
  for (const char* name : {"Life", "AntiLife", "Anneal", "Seeds", "HighLife", "LifeWithoutDeath"})
    taken.push_back(Rule::parse(name));
  for (std::size_t i = 0; i < 2; ++i)
    taken.push_back(rules[rules.size() - 1 - (2 * kernel_number + i) % unnamed_rules]);
  return taken;
}

// Rules for a kernel. On a GPU the shapes matter most: creating a board takes long, and run-time compilation
// longer.
std::vector<Rule> rules_for(const kernels::Binding& binding, std::size_t kernel_number) {
  const std::vector<Rule> rules = rules_to_test(unnamed_rules);
  if (std::holds_alternative<kernels::OpenClBinding>(binding))
    return one_in(rule_step, opencl_rules(rules, kernel_number));
  const auto* const cuda = std::get_if<kernels::CudaBinding>(&binding);
  return one_in(cuda == nullptr ? rule_step : cuda->source != nullptr ? 9 : 3, rules);
}

TEST_P(EveryKernel, AgreesWithTheDefinitionOnEveryShape) {
  int refused = 0;
  const auto kernel_number = static_cast<std::size_t>(GetParam() - kernels::table);
  const std::vector<Rule> rules =
      rules_for(bind(Rule::parse("B147/S0268"), Topology::torus).binding, kernel_number);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const Rule& rule = rules[i];
    std::size_t shape = kernel_number;  // so that the kernels' samples differ
    for (const Topology topology : {Topology::plane, Topology::torus}) {
      const std::vector<BoundKernel> rule_forms = forms(rule, topology);
      if (rule_forms.empty()) {
        ++refused;
        continue;
      }
      for (const std::int64_t width : widths) {
        for (const std::int64_t height : heights) {
          if (!is_sampled(i, shape++, rule)) continue;
          const Grid start =
              Grid::random(width, height, 0.4, static_cast<std::uint64_t>(width * 100 + height));
          const Grid expected = after(start, rule, topology, generations);
          for (const std::vector<int>& passes : ways(max_steps(topology))) {
            for (const BoundKernel& form : rule_forms) {
              ASSERT_TRUE(advances(form, rule, topology, start, passes, expected))
                  << GetParam()->name << ", " << rule.str() << ", " << to_string(topology) << " " << width
                  << " x " << height;
            }
          }
          if (default_tile().width == 0) continue;
          const kernels::TileShape odd = {kernel().layout == Layout::bits ? 64 : 37, 5};
          ASSERT_TRUE(advances(rule_forms.front(), rule, topology, start, ways(max_steps(topology)).back(),
                               expected, odd))
              << GetParam()->name << ", " << rule.str() << ", " << to_string(topology) << " " << width
              << " x " << height;
        }
      }
    }
  }
  RecordProperty("refused_rules_and_topologies", refused);
}

// Rows of several strips, pieces and vectors of any kernel, and a ragged end.
TEST_P(EveryKernel, WideRows) {
  if (refusal() != nullptr) GTEST_SKIP() << refusal();
  for (const Topology topology : {Topology::plane, Topology::torus}) {
    for (const std::int64_t width : {4096, 12345}) {
      const Grid start = Grid::random(width, 9, 0.5, 1);
      const Grid expected = after(start, Rule(), topology, generations);
      for (const std::vector<int>& passes : ways(max_steps(topology))) {
        ASSERT_TRUE(advances(forms(Rule(), topology).front(), Rule(), topology, start, passes, expected))
            << GetParam()->name << ", " << to_string(topology) << " " << width << " cells wide";
      }
    }
  }
}

// Every number of steps up to the maximum, for kernels with longer passes than above.
TEST_P(EveryKernel, DoesEveryNumberOfSteps) {
  if (refusal() != nullptr) GTEST_SKIP() << refusal();
  for (int steps = 1; steps <= kernel().max_steps; ++steps) {
    for (const Topology topology : {Topology::plane, Topology::torus}) {
      if (steps > max_steps(topology)) continue;  // such calls are not made
      const Grid start = Grid::random(150, 70, 0.5, static_cast<std::uint64_t>(steps));
      ASSERT_TRUE(advances(forms(Rule(), topology).front(), Rule(), topology, start, {steps},
                           after(start, Rule(), topology, steps)))
          << GetParam()->name << ", " << steps << " steps, " << to_string(topology);
    }
  }
}

std::vector<const TableEntry*> entries() {
  std::vector<const TableEntry*> list;
  for (const TableEntry* entry = kernels::table; entry->name != nullptr; ++entry) list.push_back(entry);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryKernel, testing::ValuesIn(entries()),
                         [](const auto& test_case) { return test_name(test_case.param->name); });

}  // namespace
}  // namespace moorea::test
