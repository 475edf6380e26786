// SPDX-License-Identifier: MIT
// What ensembles are compared with: one Simulation for each world.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "moorea/ensemble.h"
#include "moorea/error.h"
#include "moorea/simulation.h"

namespace ensembles {

using moorea::Ensemble;
using moorea::EnsembleSpec;
using moorea::Grid;
using moorea::Rule;
using moorea::Topology;

/// The names of kernels that this machine supports.
inline std::vector<std::string> kernels() {
  std::vector<std::string> names;
  for (const char* name : {"cpu/strided", "cpu/strided_avx2", "cpu/strided_avx512"}) {
    EnsembleSpec spec;
    spec.size = {1, 1};
    spec.groups = {{Rule(), 1}};
    try {
      Ensemble(spec, {name, 1});
      names.emplace_back(name);
    } catch (const moorea::Error& error) {
      EXPECT_NE(error.kind(), moorea::ErrorKind::run) << error.what();
    }
  }
  return names;
}

inline moorea::Simulation simulation_of(const EnsembleSpec& spec, std::uint64_t world) {
  moorea::Options options;
  options.device = "cpu";
  options.threads = 1;
  return {spec.rule(world), spec.topology, spec.cells(world), options};
}

/// Smallest distance at which the state recurs, by brute force; 0 if there is none up to `max_period`.
inline std::uint32_t period_of(const moorea::Simulation& now, std::uint32_t max_period) {
  const Grid start = now.window(now.box());
  moorea::Options options;
  options.device = "cpu";
  options.threads = 1;
  moorea::Simulation ahead(now.rule(), now.topology(), start, options);
  for (std::uint32_t distance = 1; distance <= max_period; ++distance) {
    ahead.step(1);
    if (ahead.window(ahead.box()) == start) return distance;
  }
  return 0;
}

}  // namespace ensembles
