// SPDX-License-Identifier: MIT
#include "cli/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>

extern char** environ;

namespace app {

ChildEnd run_child(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "moorea");
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int output : {1, 2})
    posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  int status = 0;
  ChildEnd end;
  end.started = posix_spawn(&process, "/proc/self/exe", &actions, nullptr, words.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  if (!end.started) return end;
  pid_t ended = 0;
  do {
    ended = waitpid(process, &status, 0);
  } while (ended < 0 && errno == EINTR);
  end.started = ended == process;
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (WIFEXITED(status)) end.exit = WEXITSTATUS(status);
  return end;
}

}  // namespace app
