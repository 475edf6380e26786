// SPDX-License-Identifier: MIT
// Options for the engine that runs a world, shared by the subcommands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/app.h"
#include "moorea/plan.h"
#include "moorea/simulation.h"

namespace app {

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

}  // namespace app
