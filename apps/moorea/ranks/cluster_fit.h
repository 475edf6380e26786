// SPDX-License-Identifier: MIT
// The numbers of the model of a cluster, from runs on it.
#pragma once

#include <string>
#include <vector>

#include "ranks/cluster.h"

namespace app {

/// Fits a cluster to the results of moorea run --json on two ranks or more. Runs with different worlds
/// separate the latency of messages from their bandwidth; one run alone leaves the latency as it is. Throws
/// moorea::Error for files that are no such results.
Cluster fit_cluster(Cluster cluster, const std::vector<std::string>& files);

}  // namespace app
