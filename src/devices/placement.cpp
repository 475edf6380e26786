// SPDX-License-Identifier: MIT
#include "devices/placement.h"

#include <cstdint>

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

int place_of(Placement placement, int thread, int threads, int cpus) {
  if (placement == Placement::close || threads >= cpus) return thread % cpus;
  return static_cast<int>(std::int64_t{thread} * cpus / threads);
}

Pinned::Pinned(Placement placement, int thread, int threads, const std::vector<int>& cpus) {
  if (placement == Placement::none || cpus.empty()) return;
  if (sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpus[static_cast<std::size_t>(place_of(placement, thread, threads, static_cast<int>(cpus.size())))],
          &one);
  // Refused only for a CPU that was taken from us meanwhile; the thread then runs where it may
  pinned_ = sched_setaffinity(0, sizeof one, &one) == 0;
}

Pinned::~Pinned() {
  if (pinned_) sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace moorea
