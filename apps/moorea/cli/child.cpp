// SPDX-License-Identifier: MIT
#include "cli/child.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/app.h"
#include "cli/clock.h"

#include "moorea/support/process.h"

namespace app {

namespace {

constexpr const char* parent_variable = "MOOREA_PARENT";        // process id
constexpr const char* memory_variable = "MOOREA_MEMORY_LIMIT";  // bytes

}  // namespace

void prepare_child() {
#ifdef __linux__
  const char* const parent = std::getenv(parent_variable);
  if (parent == nullptr) return;
  if (const char* const limit = std::getenv(memory_variable)) {
    rlimit bytes{};
    ::getrlimit(RLIMIT_DATA, &bytes);
    bytes.rlim_cur = std::min<rlim_t>(std::strtoull(limit, nullptr, 10), bytes.rlim_max);
    ::setrlimit(RLIMIT_DATA, &bytes);
    ::unsetenv(memory_variable);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have ended before
  if (std::to_string(::getppid()) != parent) ::raise(SIGKILL);
  ::unsetenv(parent_variable);
#endif
}

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

namespace {

// A file in memory.
class Collected {
 public:
  Collected() : file_(memfd_create("moorea", MFD_CLOEXEC)) {}
  Collected(const Collected&) = delete;
  Collected& operator=(const Collected&) = delete;
  ~Collected() { ::close(file_); }

  int file() const { return file_; }

  std::string text() const {
    std::string text(std::size_t{1} << 20, '\0');
    const ssize_t size = ::pread(file_, text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    return text;
  }

 private:
  int file_;
};

// The processes whose parent this one is.
std::vector<pid_t> children() {
  std::vector<pid_t> all;
#ifdef __linux__
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream stream(task.path() / "children");
    for (pid_t each = 0; stream >> each;) all.push_back(each);
  }
#endif
  return all;
}

// Of a process whose parent has ended, this one becomes the parent: also of those in sessions of their own.
void adopt_orphans() {
#ifdef __linux__
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

// Kills all children, and those that become children thereby; returns their number.
int end_children() {
  int number = 0;
  for (std::vector<pid_t> left = children(); !left.empty(); left = children()) {
    for (const pid_t each : left) {
      ::kill(each, SIGKILL);
      number += ::waitpid(each, nullptr, 0) == each ? 1 : 0;
    }
  }
  return number;
}

// Of all children that have ended.
double children_cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

ChildOutput read_child(std::vector<std::string> arguments, double seconds, std::uint64_t memory,
                       std::vector<std::string> variables) {
  constexpr double look = 0.1;           // seconds between two looks at the interruption
  constexpr double max_wall_factor = 4;  // for a process that does not compute, or shares the CPUs
  arguments.insert(arguments.begin(), "moorea");
  variables.push_back(std::string(parent_variable) + "=" + std::to_string(::getpid()));
  if (memory != 0) variables.push_back(std::string(memory_variable) + "=" + std::to_string(memory));
  const Collected out, error;
  ChildOutput output;
  adopt_orphans();
  const double before = children_cpu_seconds();
  try {
    moorea::Process process({.words = std::move(arguments),
                             .program = "/proc/self/exe",
                             .descriptors = {{out.file(), STDOUT_FILENO}, {error.file(), STDERR_FILENO}},
                             .variables = std::move(variables),
                             .own_group = true});
    const auto begun = Clock::now();
    std::optional<moorea::ProcessEnd> ended;
    const auto has_time = [&] {
      const double passed = since(begun);
      return passed < seconds || (passed < max_wall_factor * seconds && process.cpu_seconds() < seconds);
    };
    // Waits once more after a time in which this process itself was not run
    for (bool more = true; !ended && more && !was_interrupted();) {
      more = has_time();
      ended = process.wait_for(more ? look : 0);
    }
    output.is_late = !ended && !was_interrupted();
    if (ended) output.end = {true, ended->exit, ended->signal};
  } catch (const std::system_error&) {
    // Not started
  }
  output.left_behind = end_children();
  output.cpu_seconds = children_cpu_seconds() - before;
  output.out = out.text();
  output.error = error.text();
  return output;
}

}  // namespace app
