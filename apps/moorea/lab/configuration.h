// SPDX-License-Identifier: MIT
// A configuration that a sweep measures: a kernel, its options and a world; and the JSON by which a results
// file identifies it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "cli/app.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/mesh.h"
#include "moorea/simulation.h"
#include "moorea/world_spec.h"

namespace app {

constexpr const char* reference_kernel = "cpu/reference";
/// The first of them that runs the rule is the reference in worlds that would take reference_kernel minutes;
/// bench and the tests compare them with that one.
constexpr const char* large_references[] = {"cpu/bits",          "cpu/strided_avx512", "cpu/strided_avx2",
                                            "cpu/states/planes", "cpu/states/lookup",  "cpu/wide/planes",
                                            "cpu/blocks/planes"};

/// Name of Moorea's own choice of a kernel.
constexpr const char* automatic = "auto";

/// A world before its first sample.
struct Start {
  moorea::Rule rule;
  moorea::Topology topology = moorea::Topology::torus;
  moorea::Size size;
  std::string world = "random:0.5:0";                  ///< as moorea::starting_world
  std::uint64_t after = 0;                             ///< generations computed before anything is timed
  std::shared_ptr<const moorea::Mesh> mesh = nullptr;  ///< of a surface; otherwise null
  moorea::Adjacency adjacency = moorea::Adjacency::vertex;

  moorea::WorldSpec spec() const {
    if (mesh != nullptr) return moorea::WorldSpec::on(rule, mesh, adjacency);
    return {rule, topology, size.width, size.height};
  }

  auto key() const {
    return std::tuple(rule.str(), topology, size.width, size.height, world, after,
                      mesh != nullptr ? mesh->name() : "", adjacency);
  }
};

using StartKey = decltype(Start().key());

struct Configuration {
  moorea::KernelInfo kernel;
  Start start;
  moorea::Options options;
  /// Length of each sample, which then begins with the start; empty: the length is chosen by its time.
  std::optional<std::uint64_t> sample_generations;
  bool only_reference = false;  ///< measured only because speeds are related to it
  std::string problem;          ///< why it cannot be measured, if that is known in advance
  moorea::ErrorKind problem_kind = moorea::ErrorKind::usage;

  /// Maximum number of generations in one pass over the world.
  int generations_per_pass() const { return options.generations_a_pass.value_or(kernel.max_steps); }
};

/// The configuration as it was requested: kernel, options and world.
Json asked(const Configuration& configuration);

/// The part of asked() that belongs to moorea::Options: moorea::format_options().
Json options_json(const moorea::Options& options);

/// Reads options_json(), or asked(). Throws moorea::Error (run) for anything else.
moorea::Options read_options(const Json& json);

}  // namespace app
