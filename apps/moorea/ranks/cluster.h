// SPDX-License-Identifier: MIT
// A model of a world on many ranks: the time of a generation from the speed of a device, the rows that are
// computed twice, and the messages between neighbours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "moorea/box.h"

namespace app {

/// Time of a generation on one device: seconds + cells / cells_per_second.
struct DeviceSpeed {
  double cells_per_second = 0;
  double seconds = 0;  ///< beyond that, for each generation
  int steps = 1;       ///< generations in a pass
  std::string source;  ///< where the numbers are from
  bool is_gpu = false;
};

/// Share of the halo rows that a device computes, on average; GPUs leave out those that are no longer needed.
constexpr double computed_halo_share(bool is_gpu) { return is_gpu ? 0.5 : 1; }

/// Time of a message: latency + bytes / bytes_per_second.
struct LinkSpeed {
  double latency = 0;
  double bytes_per_second = 0;
  double staging = 0;  ///< bytes per second between a device's memory and the machine's; 0: none is needed
  std::string source;
};

struct Cluster {
  DeviceSpeed device;
  LinkSpeed link;
};

/// What the model says of a number of ranks.
struct ClusterEstimate {
  int ranks = 1;
  std::int64_t rows = 0;  ///< of the rank with the most
  std::int64_t halo = 0;  ///< rows, and generations between two exchanges
  double bytes = 0;       ///< of one rank's messages in an exchange, in each direction
  double seconds = 0;     ///< of a generation, without overlap of work and messages
  double overlapped = 0;  ///< with complete overlap: a lower bound
  double strong = 0;      ///< speed-up over one rank with this world, divided by the ranks
  double weak = 0;        ///< time of one rank with one part, divided by that of all ranks
};

/// Measurements on an NVIDIA H200 and two cores of a Zen 5, in bench/results.
DeviceSpeed measured_gpu();
DeviceSpeed measured_core();

/// Messages of MPI through the machines' memories, which is how ranks exchange rows.
LinkSpeed staged_link(bool has_gpus);
/// Messages of NCCL from GPU to GPU, for comparison: Moorea does not use it.
LinkSpeed nccl_link();

/// Estimates for 1, 2, 4, ... and `max_ranks` ranks that have at least one row each.
std::vector<ClusterEstimate> estimate(const Cluster& cluster, const moorea::Size& world, int max_ranks);

}  // namespace app
