// SPDX-License-Identifier: MIT
#include "cli/kernel_watch.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <forward_list>
#include <iterator>

#include "cli/app.h"
#include "moorea/mpi_session.h"
#include "moorea/support/output_file.h"

namespace app {
namespace {

// The path of the user's kernel, if there is one, for signal handlers and other threads. Never freed.
std::atomic<const char*> watched_file = nullptr;
static_assert(decltype(watched_file)::is_always_lock_free);

struct Crash {
  int signal;
  const char* text;
  const char* hint = "";
};
constexpr const char* beyond_its_block = "; does it read or write beyond its block?";
constexpr Crash crashes[] = {
    {SIGSEGV, "SIGSEGV, an invalid memory access", beyond_its_block},
    {SIGBUS, "SIGBUS, an invalid memory access", beyond_its_block},
    {SIGFPE, "SIGFPE, an invalid operation such as a division by zero"},
    {SIGILL, "SIGILL, an invalid instruction",
     "; was it compiled for a CPU with more instructions, such as AVX-512?"},
    {SIGABRT, "SIGABRT, as by an exception that leaves the kernel, or by memory that it has overwritten"}};
struct sigaction before_crash[std::size(crashes)];

void end_endless_kernel(int) {
  say_in_handler(
      {"moorea: the kernel file ", watched_file,
       " did not end its generation within two seconds of the signal; what was saved before remains\n"});
  std::signal(interruption_signal(), SIG_DFL);
  std::raise(interruption_signal());
}

void report_crash(int signal, siginfo_t* info, void*) {
  static std::atomic_flag reported = ATOMIC_FLAG_INIT;
  const auto* const crash = std::find_if(std::begin(crashes), std::end(crashes),
                                         [&](const Crash& each) { return each.signal == signal; });
  if (!reported.test_and_set()) {
    say_in_handler({"moorea: crash (", crash->text, ") while the kernel file ", watched_file, " ran",
                    crash->hint, "\n"});
  }
  // A fault happens again and then has its former action; a signal that was sent is sent again
  sigaction(signal, &before_crash[crash - std::begin(crashes)], nullptr);
  if (info->si_code <= 0) std::raise(signal);
}

std::atomic<bool> may_exit = false;

// A kernel that calls exit() would otherwise be a run that succeeds. MPI ends the ranks in its own way.
void report_exit() {
  if (may_exit || moorea::launched_ranks() > 1) return;
  say_in_handler({"moorea: the kernel file ", watched_file, " ", ended_words, "\n"});
  ::_exit(run_error);
}

}  // namespace

void say_in_handler(std::initializer_list<const char*> parts) {
  for (const char* part : parts) {
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, part, std::strlen(part));
  }
}

const char* watched_kernel_file() { return watched_file; }

void allow_exit() { may_exit = true; }

void watch_kernel_file(const std::string& path) {
  static std::forward_list<std::string>& files = *new std::forward_list<std::string>;
  moorea::separate_output();
  if (watched_file.exchange(files.emplace_front(path).c_str()) != nullptr) return;
  // A stack of its own, for a kernel that has used up the main thread's
  alignas(16) static char stack[1 << 16];
  stack_t place{};
  place.ss_sp = stack;
  place.ss_size = sizeof stack;
  sigaltstack(&place, nullptr);
  struct sigaction action {};
  action.sa_sigaction = report_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (std::size_t i = 0; i < std::size(crashes); ++i)
    sigaction(crashes[i].signal, &action, &before_crash[i]);
  std::signal(SIGALRM, end_endless_kernel);
  std::atexit(report_exit);
  std::at_quick_exit(report_exit);
}

}  // namespace app
