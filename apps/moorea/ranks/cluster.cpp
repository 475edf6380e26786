// SPDX-License-Identifier: MIT
#include "ranks/cluster.h"

#include <algorithm>
#include <cmath>

#include "moorea/ranks.h"

namespace app {
namespace {

constexpr int neighbours = 2;
constexpr double seconds_a_decision = 0.05;  // between two decisions of all ranks to go on (Simulation::step)

double row_bytes(const moorea::Size& world) { return std::ceil(static_cast<double>(world.width) / 64) * 8; }

double work(const DeviceSpeed& device, const moorea::Size& world, double rows) {
  return device.seconds + rows * static_cast<double>(world.width) / device.cells_per_second;
}

// A tree to rank 0 and back, as a share of the time.
double decisions(const LinkSpeed& link, int ranks) {
  return 2 * std::ceil(std::log2(ranks)) * link.latency / seconds_a_decision;
}

ClusterEstimate estimate_one(const Cluster& cluster, const moorea::Size& world, int ranks) {
  ClusterEstimate result;
  result.ranks = ranks;
  result.rows = (world.height + ranks - 1) / ranks;
  const double alone = work(cluster.device, world, static_cast<double>(result.rows));
  result.seconds = result.overlapped = alone;
  if (ranks > 1) {
    const LinkSpeed& link = cluster.link;
    result.halo = moorea::halo_of_ranks(world.height / ranks, cluster.device.steps, cluster.device.is_gpu);
    const auto halo = static_cast<double>(result.halo);
    result.bytes = neighbours * halo * row_bytes(world);
    double exchange = neighbours * link.latency + result.bytes / link.bytes_per_second;
    // Out of the device's memory and into it
    if (link.staging > 0) exchange += 2 * result.bytes / link.staging;
    const double computed = neighbours * halo * computed_halo_share(cluster.device.is_gpu);
    const double with_halo = work(cluster.device, world, static_cast<double>(result.rows) + computed);
    const double slower = 1 + decisions(link, ranks);
    result.seconds = (with_halo + exchange / halo) * slower;
    result.overlapped = std::max(with_halo, exchange / halo) * slower;
  }
  const double one = work(cluster.device, world, static_cast<double>(world.height));
  result.strong = one / (ranks * result.seconds);
  result.weak = alone / result.seconds;
  return result;
}

}  // namespace

// cells / 5.41e13 s plus 1.4 us agree with cuda/strided at 1024 to 131072 square within a third
DeviceSpeed measured_gpu() {
  return {5.41e13, 1.4e-6, 6, "NVIDIA H200, cuda/strided, Life: bench/results/gpu-h200-2026-11-23.jsons",
          true};
}

DeviceSpeed measured_core() {
  return {5.8e11, 0, 32,
          "one core of a Zen 5, cpu/strided_avx512, Life: bench/results/large-zen5-2026-11-20.json"};
}

LinkSpeed staged_link(bool has_gpus) {
  constexpr double network = 50e9;  // a port of 400 Gbit/s for each rank, a common configuration
  constexpr double latency = 2e-6;  // of a small message over such a network
  constexpr double pci = 50e9;      // PCI Express 5.0 with 16 lanes, after its protocol
  return {latency, network, has_gpus ? pci : 0,
          has_gpus
              ? "assumed: MPI through the machines' memories, a network port of 400 Gbit/s for each rank, "
                "2 us, PCI Express 5.0 x16"
              : "assumed: a network port of 400 Gbit/s for each rank, 2 us"};
}

LinkSpeed nccl_link() {
  // 8.7 us in a CUDA graph, where a copy between the two GPUs takes 3.8 us
  constexpr double send_and_receive = 13e-6, network = 50e9;
  return {send_and_receive, network, 0,
          "13 us for a send and a receive of NCCL, measured on two H200 of one machine with NVLink; assumed: "
          "400 Gbit/s for each GPU"};
}

std::vector<ClusterEstimate> estimate(const Cluster& cluster, const moorea::Size& world, int max_ranks) {
  std::vector<ClusterEstimate> results;
  const int last = static_cast<int>(std::min<std::int64_t>(max_ranks, world.height));
  for (int ranks = 1; ranks < last; ranks *= 2) results.push_back(estimate_one(cluster, world, ranks));
  results.push_back(estimate_one(cluster, world, last));
  return results;
}

}  // namespace app
