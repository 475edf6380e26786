// SPDX-License-Identifier: MIT
// The table of subcommands, which the build makes from the files of this folder: NAME.cpp defines
// `Action add_NAME(CommandLine&)` in namespace app.
#pragma once

#include <span>
#include <string_view>

#include "cli/command_line.h"

namespace app {

/// Adds one command to the command line and returns its action.
using AddCommand = Action (*)(CommandLine&);

struct TableCommand {
  std::string_view name;
  AddCommand add;
};

/// All subcommands, in the order of the help.
std::span<const TableCommand> command_table();

}  // namespace app
