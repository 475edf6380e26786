// SPDX-License-Identifier: MIT
// Other processes that use the CPUs while something is timed. The scheduler's statistics of this process give
// them away: a thread that was ready to run and waited for a CPU was held back by somebody else.
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

/// How that is measured here, in words.
std::string contention_source(const CpuReading& reading);

/// CPUs that this process may use, by its affinity.
int allowed_cpu_count();

/// The part of the wall time between two readings for which other processes held back the slowest thread of
/// `threads`, on `cpus` CPUs. A thread that sleeps or waits for a device counts nothing, nor do threads that
/// wait for each other, and time that a hypervisor surely took is not ascribed to processes.
double part_taken(const CpuReading& before, const CpuReading& after, int cpus, int threads);

/// A sample of which others took more is disturbed. A competitor takes a time slice or nothing: 1.4 to 3 ms
/// on Linux, 7 % of the shortest sample (20 ms), while an idle system's own threads take less than 0.5 %.
/// Between the two, 2 % is also the least difference that compare calls one.
constexpr double max_part_taken = 0.02;

struct TimedSample {
  double seconds = 0;
  double taken = 0;  ///< as part_taken()

  bool disturbed() const { return taken > max_part_taken; }
};

struct KeptSamples {
  std::vector<double> seconds;  ///< in the order in which they were taken
  std::size_t discarded = 0;
  bool busy =
      false;  ///< fewer than needed were undisturbed, and the least disturbed of the others are among them
};

/// The undisturbed samples; where they are fewer than `needed`, the least disturbed ones beside them.
KeptSamples keep(const std::vector<TimedSample>& samples, std::size_t needed);

/// Watches one timing after the other.
class CpuWatch {
 public:
  /// `threads` compute at a time; 0: as many as there are CPUs.
  explicit CpuWatch(int threads);

  /// Whether anything can be told: more threads than CPUs hold back each other.
  bool judges() const { return threads_ <= cpus_; }

  void begin() { before_ = read_cpus(); }
  /// As part_taken() since begin(), 0 where nothing can be told.
  double end();

  /// Of all times that were watched.
  double watched_seconds() const { return watched_; }
  double taken_seconds() const { return taken_; }
  double stolen_seconds() const { return stolen_; }

 private:
  int cpus_, threads_;
  CpuReading before_;
  double watched_ = 0, taken_ = 0, stolen_ = 0;
};

}  // namespace app
