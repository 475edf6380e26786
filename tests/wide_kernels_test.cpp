// SPDX-License-Identifier: MIT
// The choice between kernels of Larger than Life for narrow and for wide worlds.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "moorea/cells.h"
#include "moorea/error.h"
#include "moorea/pattern.h"
#include "moorea/plan.h"
#include "moorea/simulation.h"
#include "rule_kernels.h"

namespace moorea::test {
namespace {

#ifdef MOOREA_SANITIZED
constexpr int max_grown_side = 400;
#else
constexpr int max_grown_side = 1400;
#endif

// An unbounded plane has a kernel for narrow and one for wide planes; it grows through the widths at which
// they change, whatever the instruction sets. The other answer is from a large plane with one kernel.
TEST(WideKernels, PlanesThatGrowChangeTheirKernel) {
  for (const char* const name : {"R5,C3,M0,S5..40,B6..14,NM", "R6,C2,M0,S5..30,B6..10,NC"}) {
    const Rule rule = Rule::parse(name);
    const int reach = rule.reach(), generations = max_grown_side / (2 * reach);
    Pattern start;
    start.cells = Grid::random(3, 3, 1, 0);
    start.position = Position{0, 0};
    const std::int64_t side = max_grown_side + 200, middle = side / 2;
    Cells placed(side, side, rule.states());
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x) placed.set(middle + x, middle + y, 1);
    Simulation bounded({rule, Topology::plane, side, side}, placed, with("cpu/wide/planes", 2));
    bounded.step(static_cast<std::uint64_t>(generations));
    ASSERT_GT(bounded.bounding_box()->width, max_grown_side / 2) << name;
    for (const char* const kernel : {"", "cpu/wide/planes + cpu/wide/sums", "cpu/wide/sums"}) {
      Simulation grown = Simulation::unbounded(rule, start, with(kernel, 2));
      if (*kernel == 0) {
        EXPECT_NE(grown.kernel().find(" + cpu/wide/sums"), std::string::npos) << grown.kernel();
      }
      for (int i = 0; i < generations; i += 7) {
        grown.step(static_cast<std::uint64_t>(std::min(7, generations - i)));
        ASSERT_LE(grown.bounding_box()->width, 3 + 2 * reach * (i + 7)) << name << ", " << kernel;
      }
      const Box box = {-middle, -middle, side, side};
      ASSERT_EQ(grown.states(box), bounded.states(bounded.box())) << name << ", " << kernel;
    }
  }
  const Rule rule = Rule::parse("R5,C0,M1,S34..58,B34..45,NM");
  EXPECT_THROW(
      Simulation({rule, Topology::torus, 64, 64}, Grid(64, 64), with("cpu/wide/sums + cpu/wide/planes", 1)),
      Error);
}

// Bounded worlds have one of the kernels, by their width.
TEST(WideKernels, NarrowWorldsHaveABytePerCell) {
  const auto kernel_of = [](const char* rule, std::int64_t width) {
    return plan_run({Rule::parse(rule), Topology::torus, width, 64}, with("", 1)).kernel;
  };
  const char* const large = "R100,C0,M1,S10350..15740,B9350..12360,NM";
  EXPECT_TRUE(kernel_of(large, 1000).starts_with("cpu/wide/sums"));
  EXPECT_TRUE(kernel_of(large, 20000).starts_with("cpu/wide/planes"));
  EXPECT_TRUE(kernel_of("R2,C0,M0,S6..11,B6..8,NM", 1000).starts_with("cpu/wide/planes"));
}

}  // namespace
}  // namespace moorea::test
