// SPDX-License-Identifier: MIT
// A few cells at every internal border, for every kernel of the table: systematically around the sides of
// tiles, words and bands, and at random with every kind of entry into a board.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "definition.h"
#include "every_board.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "sparse_worlds.h"

namespace moorea::test {
namespace {

// Succeeds if the result is correct or the kernel does not support the world.
testing::AssertionResult agrees(SparseCase test, const Options& options, const Options& earlier) {
  const std::vector<SparseState> expected = sparse_states(test);
  try {
    const std::string what = run_sparse_case(test, expected, options, earlier);
    if (what.empty()) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << options.kernel << ", " << options.threads << " threads: " << what << "; " << to_string(test);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::unavailable) return testing::AssertionSuccess();
    throw;
  }
}

std::vector<std::string> kernels_and_pairs() {
  std::vector<std::string> names = kernel_names();
  names.insert(names.begin(), {"cpu/strided + cpu/tiles", "cpu/bits + cpu/tiles"});
  return names;
}

class FewCells : public testing::TestWithParam<std::string> {
 protected:
  // Creating boards of devices takes long, and sanitizers are slow
  static int one_in() {
#ifdef MOOREA_SANITIZED
    constexpr int slowness = 40;
#else
    constexpr int slowness = 1;
#endif
    // Kernels of meshes make a table of neighbours for each board, and know no borders but the world's
    const int tables = GetParam().find("/mesh/") != std::string::npos ? 10 : 1;
    // Boards are the same code for most kernels: each takes a third, others than the next kernel; those that
    // users run by default take all
    const bool is_default = GetParam().starts_with("cpu/strided") || GetParam().starts_with("cpu/bits");
    const int kernels = test_everything() || is_default ? 1 : 3;
    const int parts = is_default ? 1 : static_cast<int>(test_part().step);
    return (GetParam().starts_with("cpu/")    ? tables * parts
            : GetParam().starts_with("cuda/") ? 20
                                              : 100) *
           slowness * kernels;
  }

  // Position in the table, by which the kernels' samples differ.
  static int kernel_number() {
    const std::vector<std::string> names = kernels_and_pairs();
    return static_cast<int>(std::find(names.begin(), names.end(), GetParam()) - names.begin());
  }

  void SetUp() override {
    const std::vector<KernelInfo> kernels = list_kernels();
    const auto info = std::find_if(kernels.begin(), kernels.end(),
                                   [](const KernelInfo& kernel) { return kernel.name == GetParam(); });
    if (info != kernels.end() && !info->runs) GTEST_SKIP() << info->reason;
  }
};

// A glider or a block at each row of the rows around a multiple of an internal side, in worlds whose heights
// end around one; then the same in columns.
TEST_P(FewCells, LiveAtEveryBorder) {
  const Grid things[] = {parse_pattern("x = 3, y = 3\nbo$2bo$3o!", "glider").cells,
                         parse_pattern("x = 3, y = 3\n3o$o$bo!", "glider upwards").cells,
                         parse_pattern("x = 2, y = 2\n2o$2o!", "block").cells};
  // Parts have worlds between those of the other parts
  const int every = 4 * one_in(), part = static_cast<int>(test_part().first);
  int turn = kernel_number() + part * every / static_cast<int>(test_part().step), taken = turn;
  for (const bool rows : {true, false}) {
    for (const std::int64_t unit : {48, 52, 64}) {
      for (const std::int64_t multiple : {1, 2, 3}) {
        for (std::int64_t beyond = -7; beyond <= 7; ++beyond) {
          const std::int64_t side = unit * multiple + beyond;
          for (std::int64_t at = 0; at < side; ++at) {
            const std::int64_t to_border = std::min(at % unit, unit - at % unit);
            if (std::min({to_border, at, side - at}) > 10 || ++turn % every != 0) continue;
            SparseCase test;
            ++taken;
            test.topology = taken % 5 == 0 ? Topology::plane : Topology::torus;
            test.width = rows ? 70 : side;
            test.height = rows ? side : 70;
            test.at = rows ? Position{9, at} : Position{at, 9};
            test.cells = things[taken % 3];
            test.portions = {4, 9};
            Options options;
            options.kernel = GetParam();
            options.threads = 1 + taken / 3 % 2;
            ASSERT_TRUE(agrees(test, options, options));
          }
        }
      }
    }
  }
}

TEST_P(FewCells, ComeInEveryWay) {
  std::mt19937_64 random(20261122 + static_cast<unsigned>(kernel_number()) + 1000 * test_part().first);
  const Draw draw = [&](std::uint64_t below) { return random() % below; };
  SparseLimits limits;
  limits.longest_side = 2600;
  limits.unnamed_rules = false;
  const std::string device = GetParam().substr(0, GetParam().find('/'));
  std::vector<std::string> before;
  for (const KernelInfo& kernel : list_kernels()) {
    if (kernel.runs && to_string(kernel.backend) == device) before.push_back(kernel.name);
  }
  for (int left = 600 / one_in(); left >= 0; --left) {
    SparseCase test = draw_sparse_case(draw, limits);
    const Options options = draw_options(draw, GetParam(), device);
    const Options earlier = draw_options(draw, before[draw(before.size())], device);
    ASSERT_TRUE(agrees(test, options, earlier)) << "before it " << earlier.kernel;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, FewCells, testing::ValuesIn(kernels_and_pairs()),
                         [](const auto& test_case) { return test_name(test_case.param); });

}  // namespace
}  // namespace moorea::test
