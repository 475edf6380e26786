// SPDX-License-Identifier: MIT
// Names of the table's kernels, and the fixture of the tests that run for each of them through the public
// Simulation. Several files share the fixture; boards_test.cpp instantiates it, once.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/kernel.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/simulation.h"

namespace moorea::test {

/// Names of all kernels of the table.
inline std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto* entry = kernels::table; entry->name != nullptr; ++entry) names.emplace_back(entry->name);
  return names;
}

class EveryBoard : public testing::TestWithParam<std::string> {
 protected:
  Options with(int threads) const {
    Options options;
    options.kernel = GetParam();
    options.threads = threads;
    return options;
  }

  // Some kernels are for worlds of certain sizes
  template <class Make>
  static bool is_available(const Make& make) {
    try {
      make();
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::unavailable) << error.what();
      return false;
    }
  }
  bool takes(const Rule& rule, Topology topology, const Grid& world) const {
    return is_available([&] { Simulation(rule, topology, world, with(1)); });
  }
  bool takes_growing(const Rule& rule, const Pattern& start) const {
    return is_available([&] { Simulation::unbounded(rule, start, with(1)); });
  }

  bool runs(const Rule& rule) const { return kernel_info(GetParam(), rule).runs; }
};

}  // namespace moorea::test
