// SPDX-License-Identifier: MIT
// The thread that samples frequencies at equal intervals from its start. If a sample is late, those that it
// has missed stay empty, so that the place of a sample is its time.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>
#include <utility>

#include "devices/cpu/placement.h"
#include "lab/frequency_sources.h"
#include "moorea/error.h"
#include "moorea/lab/frequency.h"

namespace moorea {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double max_part_of_a_cpu = 0.05;  // for the thread that samples
constexpr double min_interval = 1e-4;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

FoundSource find_source(const std::vector<int>& cpus, const std::string& root) {
  FoundSource found;
  const auto have = [&](const char* name, SourceSearch search) {
    found.source = std::move(search.source);
    if (!found.source)
      found.tried += fmt::format("{}{}: {}", found.tried.empty() ? "" : "; ", name, search.reason);
    return found.source != nullptr;
  };
  if (have("cpufreq", find_cpufreq(cpus, root)) || have("cpuinfo", find_cpuinfo(cpus, root, false)) ||
      have("perf events", find_cycles(cpus, root)))
    return found;
  // Its reason is that of "cpuinfo"
  found.source = find_cpuinfo(cpus, root, true).source;
  return found;
}

}  // namespace

struct FrequencyMeter::State {
  double interval = 0;
  std::vector<int> cpus = allowed_cpus();
  FoundSource found;
  std::thread thread;
  mutable std::mutex mutex;
  std::condition_variable wake;
  bool stopping = false;
  std::vector<std::vector<int>> samples;  // by CPU, in the order of `cpus`
  double seconds = 0, sampler_seconds = 0;

  void take(std::size_t tick, std::vector<int>& megahertz) {
    found.source->read(megahertz);
    for (std::size_t i = 0; i < cpus.size(); ++i) {
      samples[i].resize(tick);  // the missed ones
      samples[i].push_back(megahertz[i]);
    }
  }

  void sample_until_stopped() {
    std::unique_lock lock(mutex);
    const auto begin = Clock::now();
    const double cpu_begin = thread_seconds();
    std::vector<int> megahertz(cpus.size());
    for (std::size_t tick = 0;;) {
      const double cpu_before = thread_seconds();
      take(tick, megahertz);
      sampler_seconds = thread_seconds() - cpu_begin;
      const double pause = (thread_seconds() - cpu_before) * (1 / max_part_of_a_cpu - 1);
      const double next = std::ceil((seconds_since(begin) + pause) / interval);
      tick = std::max(tick + 1, static_cast<std::size_t>(next));
      const auto at = begin + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(static_cast<double>(tick) * interval));
      const bool stopped = wake.wait_until(lock, at, [this] { return stopping; });
      seconds = seconds_since(begin);
      if (stopped) return;
    }
  }
};

FrequencyMeter::FrequencyMeter(const Settings& settings) : state_(std::make_unique<State>()) {
  if (!(settings.interval_seconds >= min_interval)) {
    throw Error(fmt::format("interval of {} s between samples of the frequency: expected at least {} s",
                            settings.interval_seconds, min_interval),
                ErrorKind::usage);
  }
  state_->interval = settings.interval_seconds;
  state_->found = find_source(state_->cpus, settings.root);
}

FrequencyMeter::~FrequencyMeter() { stop(); }

const std::string& FrequencyMeter::tried() const { return state_->found.tried; }

std::string FrequencyMeter::source() const {
  return state_->found.source ? state_->found.source->name() : "";
}

void FrequencyMeter::start() {
  if (!state_->found.source || state_->thread.joinable()) return;
  state_->stopping = false;
  state_->samples.assign(state_->cpus.size(), {});
  state_->seconds = state_->sampler_seconds = 0;
  state_->found.source->begin();
  state_->thread = std::thread([this] { state_->sample_until_stopped(); });
}

void FrequencyMeter::stop() {
  if (!state_->thread.joinable()) return;
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->wake.notify_one();
  state_->thread.join();
}

FrequencySamples FrequencyMeter::samples() const {
  const std::lock_guard lock(state_->mutex);
  FrequencySamples samples;
  samples.interval_seconds = state_->interval;
  samples.seconds = state_->seconds;
  samples.sampler_seconds = state_->sampler_seconds;
  for (std::size_t i = 0; i < state_->samples.size(); ++i) {
    if (!state_->samples[i].empty()) samples.megahertz[state_->cpus[i]] = state_->samples[i];
  }
  return samples;
}

}  // namespace moorea
