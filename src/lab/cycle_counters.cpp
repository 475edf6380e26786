// SPDX-License-Identifier: MIT
// Clock frequency by counted cycles, in machines whose files report none. A counter of each thread is read
// instead of one of each CPU, because Linux permits every user to count its own threads in user mode
// (perf_event_paranoid up to 2). The counter's running time is the thread's CPU time, so an idle CPU is
// missing instead of slow.
#include <fcntl.h>
#include <fmt/core.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "lab/frequency_sources.h"

namespace moorea {
namespace {

constexpr double min_running_ns = 1e5;  // of a CPU between two samples; less is the cost of switches

struct Reading {
  std::uint64_t cycles = 0, enabled_ns = 0, running_ns = 0;
};

// Cycles of one thread in user mode.
class ThreadCounter {
 public:
  explicit ThreadCounter(int thread) : thread_(thread) {
    perf_event_attr attributes;
    std::memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = PERF_COUNT_HW_CPU_CYCLES;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    file_ =
        static_cast<int>(::syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
    error_ = file_ < 0 ? errno : 0;
    if (file_ >= 0) last_ = reading();
  }
  ThreadCounter(ThreadCounter&& other) noexcept
      : thread_(other.thread_),
        file_(std::exchange(other.file_, -1)),
        error_(other.error_),
        last_(other.last_) {}
  ThreadCounter& operator=(ThreadCounter&&) = delete;
  ~ThreadCounter() {
    if (file_ >= 0) ::close(file_);
  }

  int error() const { return error_; }  // errno of its creation

  // Cycles and time since the previous call, or creation.
  Reading advance() {
    const Reading now = reading(), before = std::exchange(last_, now);
    return {now.cycles - before.cycles, now.enabled_ns - before.enabled_ns,
            now.running_ns - before.running_ns};
  }

  // The CPU on which the thread ran last, field 39 of its stat file; -1 if it has ended.
  int cpu() const {
    std::ifstream file(fmt::format("/proc/self/task/{}/stat", thread_));
    std::string text;
    std::getline(file, text);
    const std::size_t name_end = text.rfind(')');  // a name can contain spaces
    if (name_end == std::string::npos) return -1;
    std::istringstream fields(text.substr(name_end + 1));
    std::string field;
    for (int i = 3; i <= 39; ++i) fields >> field;
    return fields ? std::atoi(field.c_str()) : -1;
  }

 private:
  Reading reading() const {
    Reading now;
    return ::read(file_, &now, sizeof now) == static_cast<ssize_t>(sizeof now) ? now : last_;
  }

  int thread_, file_ = -1, error_ = 0;
  Reading last_;
};

class CycleSource final : public FrequencySource {
 public:
  explicit CycleSource(const std::vector<int>& cpus) {
    for (std::size_t i = 0; i < cpus.size(); ++i) places_[cpus[i]] = i;
  }

  const char* name() const override { return "cycles"; }

  void begin() override {
    counters_.clear();
    std::error_code none;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", none)) {
      ThreadCounter counter(std::atoi(task.path().filename().c_str()));
      if (counter.error() == 0) counters_.push_back(std::move(counter));
    }
  }

  void read(std::vector<int>& megahertz) override {
    std::vector<double> cycles(megahertz.size()), running_ns(megahertz.size());
    for (ThreadCounter& counter : counters_) {
      const Reading since = counter.advance();
      const auto place = places_.find(counter.cpu());
      if (place == places_.end()) continue;
      cycles[place->second] += static_cast<double>(since.cycles);
      running_ns[place->second] += static_cast<double>(since.running_ns);
    }
    for (std::size_t i = 0; i < megahertz.size(); ++i)
      megahertz[i] = running_ns[i] >= min_running_ns
                         ? static_cast<int>(std::lround(1e3 * cycles[i] / running_ns[i]))
                         : 0;
  }

 private:
  std::map<int, std::size_t> places_;  // in `megahertz`, by CPU
  std::vector<ThreadCounter> counters_;
};

// Reason for which this thread's cycles cannot be counted; empty if they can.
std::string refusal(const std::string& paranoid) {
  ThreadCounter counter(0);
  switch (counter.error()) {
    case 0:
      break;
    case EACCES:
    case EPERM:
      return fmt::format("the kernel does not permit this user to count cycles (perf_event_paranoid is {})",
                         paranoid);
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      return "this machine has no counter of cycles, as most virtual machines";
    default:
      return fmt::format("perf_event_open: {}", std::strerror(counter.error()));
  }
  // Work to be counted: some hypervisors accept the event and never count
  volatile unsigned sum = 0;
  for (unsigned i = 0; i < 100'000; ++i) sum = sum + i;
  return counter.advance().cycles > 0 ? "" : "the counter of cycles stays at 0";
}

}  // namespace

SourceSearch find_cycles(const std::vector<int>& cpus, const std::string& root) {
  // The existence of this file tells whether the kernel has perf_event_open(2), by its manual page
  std::ifstream file(root + "/proc/sys/kernel/perf_event_paranoid");
  std::string paranoid;
  if (!(file >> paranoid)) {
    return {nullptr, fmt::format("there is no {}/proc/sys/kernel/perf_event_paranoid", root)};
  }
  if (std::string reason = refusal(paranoid); !reason.empty()) return {nullptr, std::move(reason)};
  return {std::make_unique<CycleSource>(cpus), ""};
}

}  // namespace moorea
