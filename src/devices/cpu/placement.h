// SPDX-License-Identifier: MIT
// Binding of threads to selected CPUs while they work. hwloc provides the topology.
#pragma once

#include <sched.h>

#include <memory>
#include <string>
#include <vector>

#include "moorea/tiles.h"

namespace moorea {

/// Returns the numbers of the CPUs that the calling thread may use.
std::vector<int> allowed_cpus();

/// Returns why threads cannot be placed, or null.
const char* no_placement();

/// Positions of the CPUs among cores, caches and packages.
class CpuMap {
 public:
  /// Describes the CPUs that the calling thread may use. Throws Error (unavailable) with the reason of
  /// no_placement(), Error (run) if hwloc finds no topology.
  CpuMap();
  /// Describes a synthetic machine of hwloc, such as "pack:2 core:4 pu:2".
  explicit CpuMap(const std::string& synthetic);
  ~CpuMap();
  CpuMap(CpuMap&&) noexcept;

  /// Returns the CPU number for each thread of a team. Close: in hwloc's order, so that consecutive threads
  /// share as much as possible; spread: as hwloc distributes them, sharing as little as possible. With more
  /// threads than CPUs, the sequence repeats. Empty for Placement::none.
  std::vector<int> places(Placement placement, int threads) const;

 private:
  struct Topology;
  std::unique_ptr<Topology> topology_;
};

/// Binds the calling thread to one CPU for its own lifetime, then restores the previous affinity. Three
/// system calls.
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
