// SPDX-License-Identifier: MIT
// Kernels of a rule, for tests of families of rules.
#pragma once

#include <string>
#include <vector>

#include "definition.h"
#include "moorea/inventory.h"
#include "moorea/simulation.h"

namespace moorea::test {

/// The empty name, with which Moorea chooses, and the kernels that run a rule here.
inline std::vector<std::string> kernels_for(const Rule& rule) {
  std::vector<std::string> names = {""};
  for (const KernelInfo& kernel : list_kernels(rule))
    if (kernel.runs) names.push_back(kernel.name);
  return names;
}

/// The same for the `number`th of many rules: kernels that OpenCL compiles for each, which takes seconds, run
/// some of them.
inline std::vector<std::string> kernels_for(const Rule& rule, std::size_t number) {
  std::vector<std::string> names = kernels_for(rule);
  if (!test_everything() && number % 4 != 0)
    std::erase_if(names, [](const std::string& name) { return name.starts_with("opencl/"); });
  return names;
}

/// Whether the kernel has worlds of this size.
inline bool takes(const std::string& kernel, const Size& size) {
  return !kernel.ends_with("/blocks/strided") || (size.width + 31) / 32 % 2 == 0;
}

inline Options with(const std::string& kernel, int threads) {
  Options options;
  options.kernel = kernel;
  options.threads = threads;
  return options;
}

/// Of so many worlds one is computed.
inline unsigned sampled_worlds() {
#ifdef MOOREA_SANITIZED
  return 48;
#else
  return test_everything() ? 1 : 4;
#endif
}

/// The size of a world with borders of bands and of threads' parts, or of the strips of a GPU's warps.
template <class Random>
Size size_with_borders(int number, Random& random) {
  const auto up_to = [&](unsigned below) { return static_cast<std::int64_t>(random() % below); };
  if (number % 2 == 1) return {4000 + 32 * up_to(100), 20 + up_to(20)};
  return {60 + up_to(100), 400 + up_to(300)};
}

}  // namespace moorea::test
