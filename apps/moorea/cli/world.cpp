// SPDX-License-Identifier: MIT
#include "cli/world.h"

#include <fmt/core.h>

#include "cli/cell_output.h"
#include "cli/trees.h"
#include "moorea/error.h"
#include "moorea/ranks.h"

namespace app {
namespace {

using moorea::Topology;

moorea::WorldSpec world_of(const moorea::Pattern& pattern, const std::string& path) {
  try {
    return pattern.world();
  } catch (const moorea::Error& error) {
    throw moorea::Error(fmt::format("{}: {}\n--rule RULE runs it with another rule",
                                    path == "-" ? "standard input" : path, error.what()),
                        error.kind());
  }
}

// The bounded grid that a file's rule asks for still holds when --rule replaces the rule.
moorea::WorldSpec in_file_bounds(const moorea::Rule& rule, const moorea::Pattern& pattern) {
  const std::size_t colon = pattern.rule.find(':');
  if (colon == std::string::npos) return {rule};
  try {
    return moorea::WorldSpec::in_bounds(rule, pattern.rule.substr(colon));
  } catch (const moorea::Error&) {
    throw moorea::Error(fmt::format(
        "the pattern asks for the bounded grid \"{}\", which is not supported; --size chooses another",
        pattern.rule.substr(colon)));
  }
}

}  // namespace

void add_world_options(Command& command, WorldOptions& options) {
  command.add_option("pattern", options.pattern,
                     "Pattern file (RLE, plaintext, Life 1.05/1.06, macrocell, MCell, PBM, each also .gz), "
                     "or - for standard input");
  command
      .add_option(
          "-r,--rule", options.rule,
          "Rule: B3/S23, 23/3, T46789, B2-a/S12, B2/S34H, MAP..., a name such as HighLife, or a file "
          "such as Own.rule; :T100,50 adds a torus (docs/rules.md). Default: the pattern's, else Life")
      .type_name("RULE");
  command
      .add_option(
          "--topology", options.topology,
          "Edges: plane (dead cells outside), torus (opposite edges are joined) or unbounded (no --size). "
          "Default: for a pattern unbounded, or plane with --size; for noise torus")
      .type_name("plane|torus|unbounded");
  command
      .add_option("--size", options.size,
                  "World size in cells. Default for a pattern: an unbounded plane, which grows with it")
      .type_name("WxH");
  command
      .add_option(
          "--mesh", options.mesh,
          "World on a surface, whose faces are the cells: an OBJ file, or torus:WxH, klein:WxH, moebius:WxH, "
          "sphere:N, icosphere:N or double-torus:N; :shuffled lists the faces in random order")
      .type_name("NAME|FILE.obj");
  command
      .add_option("--adjacency", options.adjacency,
                  "Neighbours on a surface: faces that share a corner (vertex) or an edge. Default: vertex")
      .type_name("vertex|edge");
  command
      .add_option("--random", options.random,
                  "Start from noise with this density, 0 to 1, instead of a pattern")
      .type_name("P");
  command
      .add_option("--seed", options.seed,
                  "Seed of the noise; the same seed gives the same cells everywhere. Default: 0")
      .type_name("S");
  command.add_flag("--center,--centre", options.centre,
                   "Put the pattern into the middle whatever position its file names");
}

WorldOptions WorldOptions::for_engine(const EngineOptions& engine) const {
  WorldOptions options = *this;
  options.is_tree = begins_as_tree(pattern) && (engine.may_become_tree() || engine.kernel == "hashlife");
  return options;
}

World::World(const WorldOptions& options) : World(options, read(options)) {}

World::World(const WorldOptions& options, std::optional<moorea::Pattern> pattern)
    : World(options, Start{std::move(pattern), std::nullopt}) {}

World::Start World::read(const WorldOptions& options) {
  Start start;
  if (options.pattern.empty()) return start;
  // Cells that are far apart fit into unbounded planes only
  const bool is_plane = options.size.empty() && options.mesh.empty() && !options.centre &&
                        (options.topology.empty() || options.topology == "unbounded") &&
                        options.rule.find(':') == std::string::npos;
  if (!is_plane)
    start.pattern = moorea::read_pattern(options.pattern);
  else if (options.is_tree)
    start.pattern = moorea::read_pattern(options.pattern, start.tree, 0);
  else
    start.pattern = moorea::read_pattern(options.pattern, start.tree);
  return start;
}

World::World(const WorldOptions& options, Start start)
    : pattern_(std::move(start.pattern)),
      tree_(std::move(start.tree)),
      seed_(parse_whole(options.seed_or_default(), "--seed", UINT64_MAX)),
      begins_as_tree_(options.is_tree) {
  if (options.pattern.empty() == !options.random) {
    usage("expected either a pattern file or --random P with --size WxH or --mesh NAME");
  }
  if (pattern_) {
    if (!options.seed.empty())
      usage("--seed is of the noise of --random, and there is a pattern: leave it out");
    if (options.centre) pattern_->position.reset();
  } else {
    density_ = *options.random;
    if (!(density_ >= 0 && density_ <= 1))
      usage(fmt::format("--random {}: expected a density between 0 and 1", density_));
  }
  if (!options.rule.empty()) {
    spec_ = moorea::WorldSpec::parse(options.rule);
    if (spec_.is_unbounded() && pattern_ && options.size.empty())
      spec_ = in_file_bounds(spec_.rule, *pattern_);
    if (pattern_) drop_marks(*pattern_, spec_.rule);
  } else if (pattern_) {
    spec_ = world_of(*pattern_, options.pattern);
  }
  if (!options.mesh.empty()) {
    take_mesh(options);
  } else if (pattern_ && pattern_->mesh && options.size.empty() && options.topology.empty() &&
             (spec_.is_surface() || spec_.is_unbounded())) {
    spec_ = moorea::WorldSpec::on(spec_.rule, pattern_->mesh, pattern_->adjacency);
  } else {
    if (spec_.is_surface()) spec_ = {spec_.rule};
    take_size(options);
  }
}

void World::take_mesh(const WorldOptions& options) {
  if (!options.size.empty() || !options.topology.empty())
    usage("--mesh gives the world its size and topology: leave --size and --topology out");
  if (!spec_.is_unbounded() && !options.rule.empty())
    usage("--mesh gives the world its size: leave the bounded grid out of --rule");
  const moorea::Adjacency adjacency =
      options.adjacency.empty() ? moorea::Adjacency::vertex : moorea::parse_adjacency(options.adjacency);
  spec_ = moorea::WorldSpec::on(spec_.rule, moorea::Mesh::make(options.mesh), adjacency);
}

void World::take_size(const WorldOptions& options) {
  if (!options.adjacency.empty()) usage("--adjacency is for surfaces: add --mesh NAME");
  if (!options.size.empty()) {
    const moorea::Size size = parse_size(options.size);
    if (!options.rule.empty() && !spec_.is_unbounded() &&
        (spec_.width != size.width || spec_.height != size.height))
      usage(fmt::format("--size {} and --rule {} give the world two sizes: leave one of them out",
                        options.size, options.rule));
    if (spec_.is_unbounded()) spec_.topology = pattern_ ? Topology::plane : Topology::torus;
    spec_.width = size.width;
    spec_.height = size.height;
  }
  if (!options.topology.empty()) {
    const Topology topology = moorea::parse_topology(options.topology);
    if (topology == Topology::unbounded) {
      if (!options.size.empty()) usage("an unbounded plane has no size: leave --size out");
      spec_ = {spec_.rule};
    } else if (spec_.is_unbounded()) {
      usage(fmt::format("a {} needs a size: add --size WxH, or choose --topology unbounded",
                        to_string(topology)));
    }
    spec_.topology = topology;
  }
  if (!pattern_ && spec_.is_unbounded()) usage("noise needs a world with a size: add --size WxH");
}

moorea::Rule rule_or_life(const moorea::Pattern& pattern) {
  try {
    return pattern.world().rule;
  } catch (const moorea::Error&) {
    return {};
  }
}

void drop_marks(moorea::Pattern& pattern, const moorea::Rule& rule) {
  if (rule.states() != 2 || !pattern.states) return;
  if (pattern.states->largest_state() > 1 && !rule_or_life(pattern).has_history()) return;
  pattern.cells = pattern.states->plane(0);  // the odd states
  pattern.states.reset();
}

moorea::Simulation simulate_pattern(const moorea::Pattern& pattern,
                                    const std::optional<moorea::CellTree>& tree,
                                    const moorea::WorldSpec& world, const moorea::Options& options) {
  moorea::Simulation simulation = moorea::Simulation::of(pattern, world, options);
  if (tree) tree->paste_to(simulation);
  return simulation;
}

moorea::Simulation noise(const moorea::WorldSpec& world, double density, std::uint64_t seed,
                         const moorea::Options& options) {
  const int states = world.rule.states();
  if (states > 2)
    return {world, moorea::Cells::random(world.width, world.height, density, seed, states), options};
  return {world, moorea::Grid::random(world.width, world.height, density, seed), options};
}

moorea::Simulation World::simulate(const moorea::Options& options) const {
  if (tree_ && begins_as_tree_ && spec_.is_unbounded()) {
    moorea::Simulation made = moorea::Simulation::of_tree(spec_.rule, *tree_, options);
    made.set_generation(pattern_->generation);
    return made;
  }
  if (pattern_) return simulate_pattern(*pattern_, tree_, spec_, options);
  return noise(spec_, density_, seed_, options);
}

moorea::Pattern World::about() const { return pattern_ ? named(*pattern_, {}) : moorea::Pattern(); }

moorea::Grid World::rows(std::int64_t top, std::int64_t rows) const {
  if (pattern_) return place_rows(*pattern_, spec_.box().size(), top, rows);
  return moorea::noise_rows({spec_.width, rows}, top, density_, seed_);
}

std::optional<std::string> edge_text(const moorea::Simulation& simulation) {
  if (!simulation.edge_met()) return std::nullopt;
  return fmt::format(
      "the pattern met the edge of the largest plane that memory allows, {} x {} cells, at generation {}; "
      "cells beyond it are dead",
      simulation.width(), simulation.height(), *simulation.edge_met());
}

}  // namespace app
