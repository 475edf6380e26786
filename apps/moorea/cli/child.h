// SPDX-License-Identifier: MIT
// This program as a child process: to time its start, and to try what may crash.
#pragma once

#include <string>
#include <vector>

namespace app {

/// How a process ended.
struct ChildEnd {
  bool started = false;
  int exit = 0;    ///< its exit code, where no signal ended it
  int signal = 0;  ///< that ended it, or 0
};

/// Runs "moorea ARGUMENTS" without output and waits for its end.
ChildEnd run_child(std::vector<std::string> arguments);

}  // namespace app
