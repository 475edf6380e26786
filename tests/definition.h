// SPDX-License-Identifier: MIT
// The definition of a generation, without halo, layout or speed: what the tests compare everything with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "moorea/grid.h"
#include "moorea/rule.h"
#include "moorea/topology.h"

namespace moorea::test {

/// One generation: for each cell the eight neighbours are looked up one by one, modulo the size on a torus.
Grid next_generation(const Grid& world, const Rule& rule, Topology topology);

/// Some generations; the same ones are computed once and remembered.
Grid after(const Grid& world, const Rule& rule, Topology topology, int generations);

/// A rule of the 2^18 by number, for samples.
Rule numbered_rule(unsigned number);

/// All rules with names, the corners of the family and `sample` more drawn with a fixed seed.
std::vector<Rule> rules_to_test(int sample);

/// Whether a test is to run the whole product that it else takes a sample of: `./test --all`.
bool test_everything();

/// A kernel's name as a part of a test's: letters, digits and underscores.
std::string test_name(std::string_view kernel);

}  // namespace moorea::test
