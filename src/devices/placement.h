// SPDX-License-Identifier: MIT
// Threads kept on CPUs of our choice while they work.
#pragma once

#include <sched.h>

#include <vector>

#include "moorea/tiles.h"

namespace moorea {

/// The CPUs that the calling thread may use, by number.
std::vector<int> allowed_cpus();

/// The place in a list of `cpus` CPUs of one thread of a team.
int place_of(Placement placement, int thread, int threads, int cpus);

/// Keeps the calling thread on one of `cpus` as long as it lives, then lets it go where it was allowed
/// before. Three system calls; none for Placement::none.
class Pinned {
 public:
  Pinned(Placement placement, int thread, int threads, const std::vector<int>& cpus);
  ~Pinned();
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

 private:
  cpu_set_t before_{};
  bool pinned_ = false;
};

}  // namespace moorea
