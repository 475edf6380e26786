// SPDX-License-Identifier: MIT
// Child processes, such as compilers and video encoders.
#pragma once

#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace moorea {

/// A file descriptor of the child: a duplicate of one of this process.
struct ProcessDescriptor {
  int from;  ///< here
  int to;    ///< in the child
};

struct ProcessCommand {
  std::vector<std::string> words = {};  ///< name of the program and its arguments
  std::string program = {};             ///< its path; empty: found by its name in PATH
  /// Duplicated in this order. Other descriptors are inherited unless they have O_CLOEXEC.
  std::vector<ProcessDescriptor> descriptors = {};
  /// Variables of the environment, "NAME=VALUE", beside this process's own, which they replace.
  std::vector<std::string> variables = {};
  bool own_group = false;  ///< signals of the terminal, such as Ctrl-C, do not reach it
};

/// How a child process ended.
struct ProcessEnd {
  int exit = 0;    ///< exit code, unless a signal ended it
  int signal = 0;  ///< number of the signal that ended it, or 0
  bool succeeded() const { return exit == 0 && signal == 0; }
  /// Words for error messages, as in "status 1" and "signal 9".
  std::string str() const;
};

/// A running child process.
class Process {
 public:
  /// Starts the process. Throws std::system_error if the program cannot be started.
  explicit Process(const ProcessCommand& command);
  /// Kills the process if it has not been waited for.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Waits for the end of the process. Call once. Throws std::system_error if waiting is impossible.
  ProcessEnd wait();
  /// As wait(), but not longer than so many seconds; empty if it runs on, and may be called again then.
  std::optional<ProcessEnd> wait_for(double seconds);
  /// CPU time that the process has taken so far, without that of its children; 0 if the system does not say.
  double cpu_seconds() const;
  /// Kills the process, and with own_group all that it started. It has not been waited for.
  void kill();

 private:
  int process_ = 0;  // 0 after wait()
  bool own_group_ = false;
};

}  // namespace moorea
#pragma GCC visibility pop
