// SPDX-License-Identifier: MIT
// Names of the table's kernels, and the fixture of the tests that run for each of them through the public
// Simulation. Several files share the fixture; boards_test.cpp instantiates it, once.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "definition.h"
#include "kernels/kernel.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/simulation.h"

namespace moorea::test {

/// Names of the table's kernels: all, or a part of those of OpenCL (test_part), whose programs are compiled
/// for half of the time.
inline std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  std::size_t item = 0;
  for (const auto* entry = kernels::table; entry->name != nullptr; ++entry) {
    const std::string name = entry->name;
    if (!name.starts_with("opencl/") || test_part().has(item++)) names.push_back(name);
  }
  return names;
}

/// Whether this build has the kernel, of a pair as "cpu/strided + cpu/tiles" the first one, and this machine
/// a device for it.
inline bool runs_here(const std::string& name) {
  const std::vector<KernelInfo> kernels = list_kernels();
  const std::string first = name.substr(0, name.find(" + "));
  return std::any_of(kernels.begin(), kernels.end(),
                     [&](const KernelInfo& kernel) { return kernel.name == first && kernel.runs; });
}

constexpr std::string_view out_of_core = " out of core";

/// Kernels of the table, and worlds that are divided among parts of the CPU and, where there is one, an
/// OpenCL device: "cpu/strided on cpu,cpu,cpu"; or out of core: "cpu/strided on cpu out of core".
inline std::vector<std::string> kernel_names_and_divided() {
  std::vector<std::string> names = kernel_names();
  for (const char* divided :
       {"cpu/strided on cpu,cpu,cpu", "cpu/tiles on cpu,cpu", "cpu/bits on cpu,cpu,cpu,cpu,cpu"})
    names.emplace_back(divided);
  if (runs_here("opencl/strided")) names.emplace_back("cpu/strided,opencl/strided on cpu,opencl");
  for (const char* kernel : {"cpu/strided", "cpu/tiles", "opencl/strided", "cuda/strided", "cuda/bits"}) {
    const std::string name = kernel;
    if (runs_here(name))
      names.push_back(name + " on " + name.substr(0, name.find('/')) + std::string(out_of_core));
  }
  return names;
}

/// Kernel and device of a name of kernel_names_and_divided(). A third of the rows of a world that is out of
/// core is resident.
inline Options options_of(const std::string& name, int threads) {
  Options options;
  const std::size_t on = name.find(" on ");
  options.kernel = name.substr(0, on);
  if (on != std::string::npos) options.device = name.substr(on + 4);
  if (options.device.ends_with(out_of_core)) {
    options.device.resize(options.device.size() - out_of_core.size());
    options.out_of_core = OutOfCore{.host_share = 0.67, .band_rows = 40, .generations_a_visit = 5};
  }
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
