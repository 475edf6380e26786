// SPDX-License-Identifier: MIT
// Options for the world, shared by the subcommands.
#pragma once

#include <optional>
#include <string>

#include "cli/app.h"
#include "cli/engine_options.h"
#include "moorea/cell_tree.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"

namespace app {

struct WorldOptions {
  std::string pattern;
  std::string rule;
  std::string topology;
  std::string size;
  std::string mesh;
  std::string adjacency;
  std::optional<double> random;
  std::string seed;
  bool centre = false;
  /// Not an option: whether the world will be a tree, so that large patterns are read as trees.
  bool is_tree = false;

  std::string seed_or_default() const { return seed.empty() ? "0" : seed; }
  /// With is_tree for a macrocell file, if the engine can have it as a tree.
  WorldOptions for_engine(const EngineOptions& engine) const;
};

void add_world_options(Command& command, WorldOptions& options);

/// The start of a run, from which simulations with different kernels are created.
class World {
 public:
  /// Reads the pattern; throws moorea::Error.
  explicit World(const WorldOptions& options);
  /// Uses a pattern that has been read from the file that the options name.
  World(const WorldOptions& options, std::optional<moorea::Pattern> pattern);

  /// Simulates a plane whose cells are in tree() as well.
  moorea::Simulation simulate(const moorea::Options& options) const;

  /// Rows of the start, of a world of fixed size.
  moorea::Grid rows(std::int64_t top, std::int64_t rows) const;

  const moorea::Rule& rule() const { return spec_.rule; }
  /// Name, author and comments of the pattern.
  moorea::Pattern about() const;
  const moorea::WorldSpec& spec() const { return spec_; }
  const std::optional<moorea::Pattern>& pattern() const { return pattern_; }
  /// The cells of a pattern that are too far apart for a rectangle; those of pattern() are then empty.
  const std::optional<moorea::CellTree>& tree() const { return tree_; }

 private:
  struct Start {
    std::optional<moorea::Pattern> pattern;
    std::optional<moorea::CellTree> tree;
  };
  static Start read(const WorldOptions& options);
  World(const WorldOptions& options, Start start);
  void take_size(const WorldOptions& options);
  void take_mesh(const WorldOptions& options);

  moorea::WorldSpec spec_;
  std::optional<moorea::Pattern> pattern_;
  std::optional<moorea::CellTree> tree_;
  double density_ = 0;
  std::uint64_t seed_ = 0;
  bool begins_as_tree_ = false;
};

/// The pattern's rule; Life for one that Moorea does not know.
moorea::Rule rule_or_life(const moorea::Pattern& pattern);

/// For a rule of two states: the marks of a pattern of a rule with history are dead then, its live cells
/// alive, and cells of states that are 0 and 1 have none.
void drop_marks(moorea::Pattern& pattern, const moorea::Rule& rule);

/// Simulates a pattern whose cells are in `tree` if they are far apart, as moorea::read_pattern() has read
/// it.
moorea::Simulation simulate_pattern(const moorea::Pattern& pattern,
                                    const std::optional<moorea::CellTree>& tree,
                                    const moorea::WorldSpec& world, const moorea::Options& options);

/// A sentence about an unbounded plane that met its maximum size, with the generation from which its cells
/// may differ from those of an infinite plane; empty if it did not.
std::optional<std::string> edge_text(const moorea::Simulation& simulation);

/// Noise as a world; cells that are not dead have all states of a rule of more than two.
moorea::Simulation noise(const moorea::WorldSpec& world, double density, std::uint64_t seed,
                         const moorea::Options& options);

}  // namespace app
