// SPDX-License-Identifier: MIT
// This program as a child process: to time its start, and to try what may crash.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace app {

/// End of a child process.
struct ChildEnd {
  bool started = false;
  int exit = 0;    ///< exit code, unless a signal ended it
  int signal = 0;  ///< number of the signal that ended it, or 0
};

/// Runs "moorea ARGUMENTS" without output and waits for its end.
ChildEnd run_child(std::vector<std::string> arguments);

/// In a child process of read_child(), before anything else: to be killed when its parent ends, also if that
/// is killed itself, and to have no more memory than it may.
void prepare_child();

/// What a child process has printed, the first megabyte of each.
struct ChildOutput {
  ChildEnd end;
  bool is_late = false;    ///< it was killed because its time was up
  int left_behind = 0;     ///< processes that it had started, which were killed after its end
  double cpu_seconds = 0;  ///< of it and of those that it had started
  std::string out, error;
};

/// Runs "moorea ARGUMENTS" for at most so many seconds of its CPU time, and at least as long by the clock: on
/// a machine with other work up to four times as long, or until this process is interrupted. It has further
/// variables ("NAME=VALUE") of the environment, and `memory` bytes of its own at most, unless that is 0: more
/// cannot be allocated. All processes that it has started are killed after its end, with other children of
/// this process: it has none.
ChildOutput read_child(std::vector<std::string> arguments, double seconds, std::uint64_t memory,
                       std::vector<std::string> variables);

}  // namespace app
