// SPDX-License-Identifier: MIT
// Detection of other processes that use the CPUs during a measurement, by the scheduler's statistics of this
// process: a thread that was ready to run and waited for a CPU was delayed by another process.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace app {

/// Statistics of this process at one time, in seconds.
struct CpuReading {
  double wall = 0;
  double cpu = 0;              ///< CPU time of all threads
  bool has_run_delay = false;  ///< whether the system keeps it (Linux: /proc/self/task/*/schedstat)
  struct Waited {
    double seconds = 0;  ///< run delay: ready to run, and waiting for a CPU
    double times = 0;    ///< that it got one
  };
  std::map<int, Waited> waited;  ///< by thread
  double involuntary = 0;        ///< context switches by which the system took a CPU from a thread
  double stolen = 0;             ///< of the allowed CPUs' time, by a hypervisor; in steps of 10 ms
};

CpuReading read_cpus();

/// Name of the statistics that this system provides.
std::string contention_source(const CpuReading& reading);

/// CPUs that this process may use, by its affinity.
int allowed_cpu_count();

/// The part of the wall time between two readings for which other processes held back the slowest thread of
/// `threads`, on `cpus` CPUs. A thread that sleeps or waits for a device counts nothing, nor do threads that
/// wait for each other, and time that a hypervisor surely took is not ascribed to processes.
double part_taken(const CpuReading& before, const CpuReading& after, int cpus, int threads);

/// A sample of which others took more is disturbed. A competitor takes a time slice or nothing: 1.4 to 3 ms
/// on Linux, 7 % of the shortest sample (20 ms), while an idle system's own threads take less than 0.5 %.
/// Between the two, 2 % is also the minimum difference that compare reports.
constexpr double max_part_taken = 0.02;

struct TimedSample {
  double seconds = 0;
  double taken = 0;  ///< as part_taken()

  bool disturbed() const { return taken > max_part_taken; }
};

struct KeptSamples {
  std::vector<double> seconds;  ///< in the order in which they were taken
  std::size_t discarded = 0;
  bool busy = false;  ///< whether too few were undisturbed, so that disturbed ones are included
};

/// Selects the undisturbed samples and, if they are fewer than `needed`, the least disturbed of the others.
KeptSamples keep(const std::vector<TimedSample>& samples, std::size_t needed);

/// Watches consecutive timings.
class CpuWatch {
 public:
  /// `threads` is the number of threads that compute at a time; 0: as many as there are CPUs.
  explicit CpuWatch(int threads);

  /// Whether disturbance can be detected: more threads than CPUs delay each other.
  bool judges() const { return threads_ <= cpus_; }

  void begin() { before_ = read_cpus(); }
  /// part_taken() since begin(); 0 if disturbance cannot be detected.
  double end();

  /// Sums of all watched timings.
  double watched_seconds() const { return watched_; }
  double taken_seconds() const { return taken_; }
  double stolen_seconds() const { return stolen_; }
  /// Part of the watched time that others took.
  double taken_part() const { return watched_ > 0 ? taken_ / watched_ : 0; }

 private:
  int cpus_, threads_;
  CpuReading before_;
  double watched_ = 0, taken_ = 0, stolen_ = 0;
};

}  // namespace app
