// SPDX-License-Identifier: MIT
#include "cli/cpu_watch.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

namespace app {
namespace {

// A context switch against a thread's will costs it a time slice; of what Linux gives, the longest.
constexpr double time_slice = 0.003;

// A thread that is woken waits a little on an idle CPU, too: for the interrupt, and until that left its
// sleep. A team with short passes is woken thousands of times per second; a time slice of a competitor is far
// longer.
constexpr double wake_up = 1e-4;

// Steal time is reported in ticks of USER_HZ, so a sum may be too large by one tick per CPU.
constexpr double steal_tick = 0.01;

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Lines "cpu3 user nice system idle iowait irq softirq steal ..." of the CPUs that this process may use.
double stolen_from(const cpu_set_t& allowed) {
  static const double tick = 1.0 / static_cast<double>(std::max(1L, sysconf(_SC_CLK_TCK)));
  double ticks = 0;
  std::string line;
  for (std::ifstream file("/proc/stat"); std::getline(file, line) && line.starts_with("cpu");) {
    std::istringstream words(line.substr(3));
    if (line[3] == ' ') continue;  // the sum of all CPUs
    int cpu = 0;
    double fields[8] = {};
    words >> cpu;
    for (double& field : fields) words >> field;
    if (words && cpu >= 0 && cpu < CPU_SETSIZE && CPU_ISSET(cpu, &allowed)) ticks += fields[7];
  }
  return ticks * tick;
}

cpu_set_t allowed_cpus() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  return allowed;
}

}  // namespace

CpuReading read_cpus() {
  CpuReading reading;
  std::error_code none;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", none)) {
    std::ifstream file(thread.path() / "schedstat");
    double ran = 0, waited = 0, times = 0;  // the former two in nanoseconds
    if (!(file >> ran >> waited >> times)) continue;
    reading.has_run_delay = true;
    reading.waited[std::atoi(thread.path().filename().c_str())] = {waited * 1e-9, times};
  }
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0) reading.involuntary = static_cast<double>(usage.ru_nivcsw);
  reading.stolen = stolen_from(allowed_cpus());
  reading.cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  reading.wall = seconds_of(CLOCK_MONOTONIC);
  return reading;
}

std::string contention_source(const CpuReading& reading) {
  return reading.has_run_delay ? "run delay of threads, /proc/self/task/*/schedstat"
                               : "involuntary context switches, getrusage()";
}

int allowed_cpu_count() {
  const cpu_set_t allowed = allowed_cpus();
  return std::max(1, CPU_COUNT(&allowed));
}

double part_taken(const CpuReading& before, const CpuReading& after, int cpus, int threads) {
  const double wall = after.wall - before.wall, cpu = after.cpu - before.cpu;
  if (!(wall > 0)) return 0;
  double waited = 0, idle = 0;
  if (before.has_run_delay && after.has_run_delay) {
    for (const auto& [thread, now] : after.waited) {
      const auto found = before.waited.find(thread);
      const CpuReading::Waited then = found == before.waited.end() ? CpuReading::Waited() : found->second;
      waited = std::max(waited, now.seconds - then.seconds - wake_up * (now.times - then.times));
    }
    idle = cpus * wall - cpu;
  } else {
    waited = time_slice * (after.involuntary - before.involuntary);
    idle = std::min(cpus, threads) * wall - cpu;
  }
  // CPUs that this process had itself were taken by nobody else
  idle -= std::max(0.0, after.stolen - before.stolen - steal_tick * cpus);
  return std::clamp(std::min(waited, idle) / wall, 0.0, 1.0);
}

KeptSamples keep(const std::vector<TimedSample>& samples, std::size_t needed) {
  std::vector<std::size_t> order(samples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return samples[a].taken < samples[b].taken; });
  const auto good = static_cast<std::size_t>(
      std::count_if(samples.begin(), samples.end(), [](const auto& each) { return !each.disturbed(); }));
  order.resize(std::min(samples.size(), std::max(good, needed)));
  std::sort(order.begin(), order.end());
  KeptSamples kept;
  kept.busy = good < needed && good < samples.size();
  for (const std::size_t i : order) kept.seconds.push_back(samples[i].seconds);
  kept.discarded = samples.size() - kept.seconds.size();
  return kept;
}

CpuWatch::CpuWatch(int threads) : cpus_(allowed_cpu_count()), threads_(threads > 0 ? threads : cpus_) {}

double CpuWatch::end() {
  const CpuReading after = read_cpus();
  if (!judges()) return 0;
  const double taken = part_taken(before_, after, cpus_, threads_), wall = after.wall - before_.wall;
  watched_ += wall;
  taken_ += taken * wall;
  stolen_ += after.stolen - before_.stolen;
  return taken;
}

}  // namespace app
