// SPDX-License-Identifier: MIT
#include "cli/child.h"

#include <fcntl.h>
#include <unistd.h>

#include <system_error>

#include "moorea/support/process.h"

namespace app {

ChildEnd run_child(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "moorea");
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ChildEnd end;
  try {
    const moorea::ProcessEnd ended =
        moorea::Process({.words = std::move(arguments),
                         .program = "/proc/self/exe",
                         .descriptors = {{nowhere, STDOUT_FILENO}, {nowhere, STDERR_FILENO}}})
            .wait();
    end = {true, ended.exit, ended.signal};
  } catch (const std::system_error&) {
    // Not started
  }
  ::close(nowhere);
  return end;
}

}  // namespace app
