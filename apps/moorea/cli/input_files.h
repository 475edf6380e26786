// SPDX-License-Identifier: MIT
// The files that a command reads, which none of its outputs may replace.
#pragma once

#include <string>
#include <vector>

#include "cli/paths.h"
#include "cli/world.h"

namespace app {

/// The files that are read besides the pattern: mesh, rule and kernel.
NamedFiles inputs_beside_pattern(const WorldOptions& world, const EngineOptions& engine);
/// All files that are read, the pattern first.
NamedFiles input_files(const WorldOptions& world, const EngineOptions& engine);

/// Whether the name ends as a kernel file's.
bool has_kernel_ending(const std::string& path);
/// Throws moorea::Error (usage), which begins with `option`, for a name that does not end as a kernel file's.
void require_kernel_ending(const std::string& path, const std::string& option);
/// Checks the ending of a kernel file's name, announces it (watch_kernel_file) and returns its path. Throws
/// moorea::Error (usage).
std::string parse_kernel_file(const std::string& path);
/// Checks the names of several kernel files as parse_kernel_file() does, and returns their paths. The list
/// has been divided at commas: parts that name a file together, which thus has commas in its name, are one
/// path.
std::vector<std::string> parse_kernel_files(const std::vector<std::string>& list);
/// What the compiler said of a kernel file that this process has compiled; empty if it said nothing, or the
/// name is empty or no such file's.
std::string kernel_warnings(const std::string& path);
/// That with the file's name, or empty.
std::string kernel_warning_note(const std::string& path);
/// Prints the note.
void say_kernel_warnings(const std::string& path);

}  // namespace app
