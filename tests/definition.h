// SPDX-License-Identifier: MIT
// Definition of a generation, without halo, layout or optimisation: the reference of all tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "moorea/grid.h"
#include "moorea/rule.h"
#include "moorea/topology.h"

namespace moorea::test {

/// Computes one generation: the cells around each cell are looked up one by one, modulo the size on a torus.
Grid next_generation(const Grid& world, const Rule& rule, Topology topology);

/// Computes several generations; results are cached.
Grid after(const Grid& world, const Rule& rule, Topology topology, int generations);

/// Returns a rule of the 2^18 by number, for samples.
Rule numbered_rule(unsigned number);

/// Returns all named life-like rules, the corners of the family and `sample` more drawn with a fixed seed.
std::vector<Rule> rules_to_test(int sample);

/// Whether tests run the whole product instead of a sample: `./test --all`.
bool test_everything();

/// Which items of a long list this run takes: all, or with MOOREA_TEST_PART = 0, 1 or 2 each third one from
/// that one on.
struct TestPart {
  unsigned first = 0, step = 1;
  bool has(std::size_t item) const { return item % step == first; }
};
TestPart test_part();

/// Whether a sanitizer is at work. It checks memory accesses and threads, which hardly depend on the rule.
#ifdef MOOREA_SANITIZED
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

/// Returns a kernel's name as part of a test's: letters, digits and underscores.
std::string test_name(std::string_view kernel);

}  // namespace moorea::test
