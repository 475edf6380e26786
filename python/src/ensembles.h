// SPDX-License-Identifier: MIT
// What ensembles and surveys share: the arguments that describe worlds.
#pragma once

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "module.h"

namespace moorea::python {

using Groups = std::vector<std::pair<Rule, std::uint64_t>>;  ///< rules, and how many worlds of each
using Shape = std::pair<std::int64_t, std::int64_t>;         ///< rows and columns
using Noise = std::pair<double, std::uint64_t>;              ///< density and seed
using Place = std::tuple<std::string, std::string, int>;     ///< device, kernel and threads

inline EnsembleSpec spec_of(const Groups& groups, const std::string& topology, const Shape& shape,
                            const Noise& noise) {
  EnsembleSpec spec;
  spec.topology = parse_topology(topology);
  spec.size = {shape.second, shape.first};
  for (const auto& [rule, worlds] : groups) spec.groups.push_back({rule, worlds});
  std::tie(spec.density, spec.seed) = noise;
  return spec;
}

inline EnsembleOptions options_of(const Place& place) {
  EnsembleOptions options;
  std::tie(options.device, options.kernel, options.threads) = place;
  return options;
}

}  // namespace moorea::python
