// SPDX-License-Identifier: MIT
// The table of subcommands, which the build makes from the files of this folder: NAME.cpp defines
// `Action add_NAME(CommandLine&)` in namespace app.
#pragma once

#include <span>

#include "cli/command_line.h"

namespace app {

/// Adds one command to the command line and returns its action.
using AddCommand = Action (*)(CommandLine&);

/// All subcommands, in the order of the help.
std::span<const AddCommand> command_table();

}  // namespace app
