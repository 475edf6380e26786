// SPDX-License-Identifier: MIT
// The CPUs of a machine, divided among its ranks. A launcher that binds ranks has decided already; without
// one each rank would start a thread on every CPU.
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "devices/cpu/threads.h"
#include "moorea/mpi_session.h"

namespace moorea {
namespace {

constexpr int cpus_tag = 4;

// First of the CPUs that share a core with this one, so that a core's threads follow each other when sorted.
int first_sibling(int cpu) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
  int first = cpu;
  return file >> first ? first : cpu;
}

std::vector<int> cpus_by_core(const cpu_set_t& set) {
  std::vector<std::pair<int, int>> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus.emplace_back(first_sibling(cpu), cpu);
  std::ranges::sort(cpus);
  std::vector<int> sorted;
  for (const auto& cpu : cpus) sorted.push_back(cpu.second);
  return sorted;
}

// The CPUs that each of the ranks may use.
std::vector<cpu_set_t> exchanged(RankLink& link, const std::vector<int>& ranks, const cpu_set_t& own) {
  std::vector<cpu_set_t> sets(ranks.size(), own);
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] == link.rank()) continue;
    out.push_back({ranks[i], cpus_tag, std::as_bytes(std::span(&own, 1))});
    in.push_back({ranks[i], cpus_tag, std::as_writable_bytes(std::span(&sets[i], 1))});
  }
  link.transfer(out, in);
  return sets;
}

}  // namespace

int bind_to_share(RankLink& link) {
  cpu_set_t own;
  CPU_ZERO(&own);
  sched_getaffinity(0, sizeof own, &own);
  const std::vector<int> ranks = link.ranks_of_host();
  const std::vector<cpu_set_t> sets = exchanged(link, ranks, own);
  std::size_t sharing = 0, index = 0;  // ranks with the same CPUs, and this one's number among them
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (!CPU_EQUAL(&sets[i], &own)) continue;
    if (ranks[i] < link.rank()) ++index;
    ++sharing;
  }
  if (sharing <= 1) return 0;
  const std::vector<int> cpus = cpus_by_core(own);
  if (cpus.size() < sharing) return 1;
  const int usable = usable_threads() / static_cast<int>(sharing);  // a control group may grant fewer
  cpu_set_t share;
  CPU_ZERO(&share);
  for (std::size_t i = index * cpus.size() / sharing; i < (index + 1) * cpus.size() / sharing; ++i)
    CPU_SET(cpus[i], &share);
  sched_setaffinity(0, sizeof share, &share);
  return std::getenv("OMP_NUM_THREADS") != nullptr ? 0 : std::clamp(usable, 1, CPU_COUNT(&share));
}

}  // namespace moorea
