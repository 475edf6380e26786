// SPDX-License-Identifier: MIT
// Options for the world and for the engine that runs it, shared by the subcommands.
#pragma once

#include <optional>
#include <string>

#include "cli/app.h"
#include "moorea/cell_tree.h"
#include "moorea/pattern.h"
#include "moorea/plan.h"
#include "moorea/simulation.h"

namespace app {

struct EngineOptions;

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
  /// Name of the pattern; empty if it has none.
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

struct EngineOptions {
  std::string kernel;
  std::string kernel_file;
  std::string device = "auto";
  std::string threads = "0";
  std::string memory;
  std::string tile;
  std::string schedule;
  std::string placement;
  std::string wide_share;
  std::string shares;
  std::string block;
  std::string bytes_a_thread;
  std::string generations_a_pass;
  std::string numbering;
  bool out_of_core = false;
  std::string device_memory;
  std::string host_share;
  std::string band_rows;
  std::string generations_a_visit;
  bool no_tuning = false;
  bool explain = false;

  /// With the number of generations that is expected, if it is known.
  moorea::Options options(std::optional<std::uint64_t> generations = {}) const;

  /// Whether an unbounded plane with these options can become a tree.
  bool may_become_tree() const;

  bool names_kernel() const { return !kernel.empty() || !kernel_file.empty(); }

  /// The options of a world that is out of core; empty unless --out-of-core is given.
  std::optional<moorea::OutOfCore> out_of_core_options() const;

  /// Prints how a world is run and why, if --explain asks for it.
  void say_plan(const moorea::RunPlan& plan) const;
};

/// Prints RunPlan::explanation() to standard error.
void explain(const moorea::RunPlan& plan);

/// Adds --kernel with a general description; commands that require a kernel add it with their own.
void add_kernel_option(Command& command, EngineOptions& options);

void add_engine_options(Command& command, EngineOptions& options);

/// Parses a tile, as parse_size().
moorea::TileSize parse_tile(const std::string& text);

/// Parses the value of --wide-share, 0 to 1. Throws moorea::Error (usage).
double parse_wide_share(const std::string& text);

/// Parses the value of an option: numbers above 0, one for each device or rank, with commas or plus signs
/// between. Throws moorea::Error (usage).
std::vector<double> parse_shares(const std::string& text, char between, const char* option = "--shares",
                                 const char* each = "device");

int parse_bytes_a_thread(const std::string& text);

int parse_generations_a_pass(const std::string& text);

/// Noise as a world; cells that are not dead have all states of a rule of more than two.
moorea::Simulation noise(const moorea::WorldSpec& world, double density, std::uint64_t seed,
                         const moorea::Options& options);

}  // namespace app
