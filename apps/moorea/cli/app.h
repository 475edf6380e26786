// SPDX-License-Identifier: MIT
// Shared by the subcommands: exit codes, output, interruption, and fields that every report has.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/numbers.h"
#include "moorea/error.h"
#include "moorea/launch.h"
#include "moorea/tiles.h"

namespace app {

using Json = nlohmann::ordered_json;

enum Exit { ok = 0, run_error = 1, usage_error = 2, results_differ = 3, unavailable = 4, interrupted = 130 };

/// What the program exits with after such an error.
int exit_code(moorea::ErrorKind kind);

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

/// Throws moorea::Error (usage).
[[noreturn]] void usage(const std::string& text);

/// Prints one line to standard error, after the name of the program.
void say(const std::string& text);

/// What a process needs before it opens a file: standard descriptors that the caller closed are taken, so
/// that no file gets their numbers, and a file beyond the size limit is an error of write(), not a signal.
void prepare_process();

/// From the first call on, Ctrl-C, SIGTERM and SIGHUP only set a flag; a second one ends the program at once.
void catch_interruption();
bool was_interrupted();
/// 128 + the signal that came.
int interruption_exit();

/// Names the user's kernel file that is about to run: a crash from now on is reported with its name, and an
/// interruption that nobody has asked for within two seconds ends the program, as an endless loop never asks.
void watch_kernel_file(const std::string& path);

}  // namespace app
