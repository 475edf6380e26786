// SPDX-License-Identifier: MIT
#include "devices/cpu/placement.h"

#ifdef MOOREA_HWLOC_ENABLED
#include <hwloc.h>
#endif

#include <algorithm>
#include <climits>

#include "moorea/error.h"

namespace moorea {

std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed)) cpus.push_back(cpu);
  }
  return cpus;
}

Pinned::Pinned(int cpu) {
  if (sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  // Refused only for a CPU that was removed from this process meanwhile; the thread then keeps its affinity
  pinned_ = sched_setaffinity(0, sizeof one, &one) == 0;
}

Pinned::~Pinned() {
  if (pinned_) sched_setaffinity(0, sizeof before_, &before_);
}

CpuMap::~CpuMap() = default;
CpuMap::CpuMap(CpuMap&&) noexcept = default;

#ifdef MOOREA_HWLOC_ENABLED

namespace {

using Set = std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)>;

Set empty_set() { return {hwloc_bitmap_alloc(), hwloc_bitmap_free}; }

void require(int result) {
  if (result != 0) throw Error("hwloc cannot determine the CPU topology of this machine");
}

}  // namespace

const char* no_placement() { return nullptr; }

struct CpuMap::Topology {
  Topology() { require(hwloc_topology_init(&topology)); }
  ~Topology() { hwloc_topology_destroy(topology); }
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;

  hwloc_topology_t topology = nullptr;
};

CpuMap::CpuMap() : topology_(std::make_unique<Topology>()) {
  require(hwloc_topology_load(topology_->topology));
  const Set allowed = empty_set();
  for (const int cpu : allowed_cpus()) hwloc_bitmap_set(allowed.get(), static_cast<unsigned>(cpu));
  require(hwloc_topology_restrict(topology_->topology, allowed.get(), 0));
}

CpuMap::CpuMap(const std::string& synthetic) : topology_(std::make_unique<Topology>()) {
  require(hwloc_topology_set_synthetic(topology_->topology, synthetic.c_str()));
  require(hwloc_topology_load(topology_->topology));
}

std::vector<int> CpuMap::places(Placement placement, int threads) const {
  std::vector<int> places;
  if (placement == Placement::none) return places;
  const hwloc_topology_t topology = topology_->topology;
  const int cpus = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU), apart = std::min(threads, cpus);
  for (int i = 0; placement == Placement::close && i < apart; ++i) {
    const hwloc_obj_t cpu = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, static_cast<unsigned>(i));
    places.push_back(static_cast<int>(cpu->os_index));
  }
  if (placement == Placement::spread) {
    std::vector<hwloc_bitmap_t> sets(static_cast<std::size_t>(apart));
    hwloc_obj_t root = hwloc_get_root_obj(topology);
    require(hwloc_distrib(topology, &root, 1, sets.data(), static_cast<unsigned>(apart), INT_MAX, 0));
    for (const hwloc_bitmap_t set : sets) {
      places.push_back(hwloc_bitmap_first(set));
      hwloc_bitmap_free(set);
    }
  }
  for (int i = apart; i < threads; ++i) places.push_back(places[i - apart]);
  return places;
}

#else

const char* no_placement() { return "this build has no hwloc (MOOREA_HWLOC)"; }

struct CpuMap::Topology {};

CpuMap::CpuMap() { throw Error(no_placement(), ErrorKind::unavailable); }
CpuMap::CpuMap(const std::string&) : CpuMap() {}
std::vector<int> CpuMap::places(Placement, int) const { return {}; }

#endif

}  // namespace moorea
