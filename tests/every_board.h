// SPDX-License-Identifier: MIT
// Names of the table's kernels, and the fixture of the tests that run for each of them through the public
// Simulation. Several files share the fixture; boards_test.cpp instantiates it, once.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
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

/// Whether this build has the kernel, and this machine a device for it.
inline bool runs_here(const std::string& name) {
  const std::vector<KernelInfo> kernels = list_kernels();
  return std::any_of(kernels.begin(), kernels.end(),
                     [&](const KernelInfo& kernel) { return kernel.name == name && kernel.runs; });
}

/// Kernels of the table, and worlds that are divided among parts of the CPU and, where there is one, an
/// OpenCL device: "cpu/strided on cpu,cpu,cpu".
inline std::vector<std::string> kernel_names_and_divided() {
  std::vector<std::string> names = kernel_names();
  for (const char* divided :
       {"cpu/strided on cpu,cpu,cpu", "cpu/tiles on cpu,cpu", "cpu/bits on cpu,cpu,cpu,cpu,cpu"})
    names.emplace_back(divided);
  if (runs_here("opencl/strided")) names.emplace_back("cpu/strided,opencl/strided on cpu,opencl");
  return names;
}

/// Kernel and device of a name of kernel_names_and_divided().
inline Options options_of(const std::string& name, int threads) {
  Options options;
  const std::size_t on = name.find(" on ");
  options.kernel = name.substr(0, on);
  if (on != std::string::npos) options.device = name.substr(on + 4);
  options.threads = threads;
  return options;
}

class EveryBoard : public testing::TestWithParam<std::string> {
 protected:
  Options with(int threads) const { return options_of(GetParam(), threads); }
  std::string first_kernel() const {
    const std::string kernels = with(1).kernel;
    return kernels.substr(0, kernels.find(','));
  }
  bool is_divided() const { return with(1).device != "auto"; }

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

  bool runs(const Rule& rule) const { return kernel_info(first_kernel(), rule).runs; }
};

}  // namespace moorea::test
