// SPDX-License-Identifier: MIT
// What the subcommands share: exit codes, output, interruption, and the list of
// subcommands.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "moorea/launch.h"
#include "moorea/tiles.h"
#include "numbers.h"

namespace app {

using Json = nlohmann::ordered_json;

enum Exit { ok = 0, run_error = 1, usage_error = 2, results_differ = 3, unavailable = 4, interrupted = 130 };

/// A command fills in its options and returns what to do when it was chosen; that returns the exit code.
using Action = std::function<int()>;
Action add_run(CLI::App& app);
Action add_info(CLI::App& app);
Action add_convert(CLI::App& app);
Action add_kernels(CLI::App& app);
Action add_verify(CLI::App& app);
Action add_bench(CLI::App& app);
Action add_compare(CLI::App& app);
Action add_reduce(CLI::App& app);
Action add_completion(CLI::App& app);

/// How a world was cut into tiles, as every report has it.
Json tiling_json(const moorea::Tiling& tiling);

/// Adds the thread block and the bytes a thread makes, where they can be chosen, as every report has them.
void add_launch_shape(Json& json, const moorea::LaunchShape& shape);
/// "256x1", "256x1, 8 bytes", or "-" where nothing can be chosen.
std::string launch_shape_text(const moorea::LaunchShape& shape);

/// Where, when and by which build something was measured, as every report of measurements begins.
Json machine_json();

/// The state hash as it is printed: 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

/// Data go to standard output, and a full disk there is an error (moorea::Error).
void print(const std::string& text);
void print_json(const Json& json);

/// One line of talk on standard error.
void say(const std::string& text);

/// From the first call on, Ctrl-C and SIGTERM only set a flag (a second one ends the program at once).
void catch_interruption();
bool was_interrupted();
/// 128 + the signal that came.
int interruption_exit();

}  // namespace app
