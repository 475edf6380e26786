// SPDX-License-Identifier: MIT
// Threads kept on CPUs of our choice while they work. Which CPUs are near each other is hwloc's to say.
#pragma once

#include <sched.h>

#include <memory>
#include <string>
#include <vector>

#include "moorea/tiles.h"

namespace moorea {

/// The CPUs that the calling thread may use, by number.
std::vector<int> allowed_cpus();

/// Why threads cannot be placed, or null.
const char* no_placement();

/// Where the CPUs lie among cores, caches and packages.
class CpuMap {
 public:
  /// Of the CPUs that the calling thread may use. Throws Error (unavailable) as no_placement() says, Error
  /// (run) where hwloc finds out nothing.
  CpuMap();
  /// Of a machine that hwloc makes up, such as "pack:2 core:4 pu:2".
  explicit CpuMap(const std::string& synthetic);
  ~CpuMap();
  CpuMap(CpuMap&&) noexcept;

  /// The number of the CPU for each thread of a team. Close: hwloc's order, so that threads that follow each
  /// other share as much as they can; spread: as hwloc distributes them, sharing as little as they can. Where
  /// there are more threads than CPUs, they begin anew. Empty for Placement::none.
  std::vector<int> places(Placement placement, int threads) const;

 private:
  struct Topology;
  std::unique_ptr<Topology> topology_;
};

/// Keeps the calling thread on one CPU as long as it lives, then lets it go where it was allowed before.
/// Three system calls.
class Pinned {
 public:
  explicit Pinned(int cpu);
  ~Pinned();
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

 private:
  cpu_set_t before_{};
  bool pinned_ = false;
};

}  // namespace moorea
