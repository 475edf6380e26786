// SPDX-License-Identifier: MIT
#include "moorea/support/process.h"

#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace moorea {
namespace {

// Arguments of posix_spawn that own memory.
struct SpawnSettings {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

  explicit SpawnSettings(const ProcessCommand& command) {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (const ProcessDescriptor& descriptor : command.descriptors)
      posix_spawn_file_actions_adddup2(&actions, descriptor.from, descriptor.to);
    if (command.own_group) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }
};

constexpr std::chrono::microseconds longest_pause{20000};  // of waiting for a time

ProcessEnd end_of(int status) {
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

// Sets the status of waitpid(); returns false, with errno set, if it fails.
bool wait_for(pid_t process, int& status) {
  pid_t ended = 0;
  do {
    ended = waitpid(process, &status, 0);
  } while (ended < 0 && errno == EINTR);
  return ended == process;
}

// Whether one of `variables` has the name of this one.
bool is_replaced(std::string_view variable, const std::vector<std::string>& variables) {
  const std::string_view name = variable.substr(0, variable.find('=') + 1);
  return std::ranges::any_of(variables, [&](const std::string& each) { return each.starts_with(name); });
}

}  // namespace

std::string ProcessEnd::str() const {
  return signal != 0 ? fmt::format("signal {}", signal) : fmt::format("status {}", exit);
}

Process::Process(const ProcessCommand& command) : own_group_(command.own_group) {
  if (command.words.empty())
    throw std::system_error(EINVAL, std::generic_category(), "a process without a name");
  std::vector<char*> words, variables;
  for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  for (const std::string& variable : command.variables)
    variables.push_back(const_cast<char*>(variable.c_str()));
  for (char** each = environ; *each != nullptr; ++each)
    if (!is_replaced(*each, command.variables)) variables.push_back(*each);
  variables.push_back(nullptr);
  const SpawnSettings settings(command);
  const int error = command.program.empty()
                        ? posix_spawnp(&process_, words[0], &settings.actions, &settings.attributes,
                                       words.data(), variables.data())
                        : posix_spawn(&process_, command.program.c_str(), &settings.actions,
                                      &settings.attributes, words.data(), variables.data());
  if (error != 0) throw std::system_error(error, std::generic_category());
}

Process::~Process() {
  if (process_ == 0) return;
  kill();
  int ignored = 0;
  moorea::wait_for(process_, ignored);
}

ProcessEnd Process::wait() {
  int status = 0;
  if (!moorea::wait_for(std::exchange(process_, 0), status))
    throw std::system_error(errno, std::generic_category());
  return end_of(status);
}

std::optional<ProcessEnd> Process::wait_for(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto begun = Clock::now();
  for (auto pause = std::chrono::microseconds(100);; pause = std::min(2 * pause, longest_pause)) {
    int status = 0;
    const pid_t ended = waitpid(process_, &status, WNOHANG);
    if (ended == process_) {
      process_ = 0;
      return end_of(status);
    }
    if (ended < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category());
    const std::chrono::duration<double> waited = Clock::now() - begun;
    if (waited.count() >= seconds) return std::nullopt;
    std::this_thread::sleep_for(pause);
  }
}

double Process::cpu_seconds() const {
  clockid_t clock{};
  timespec time{};
  if (process_ == 0 || ::clock_getcpuclockid(process_, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
    return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void Process::kill() {
  if (process_ != 0) ::kill(own_group_ ? -process_ : process_, SIGKILL);
}

}  // namespace moorea
