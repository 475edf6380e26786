// SPDX-License-Identifier: MIT
#include "ranks/cluster_fit.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "cli/app.h"
#include "cli/numbers.h"
#include "moorea/error.h"

namespace app {
namespace {

// Means over the ranks of a run.
struct Measured {
  double bytes = 0, seconds = 0;  // of an exchange
  double cells_per_second = 0;    // of a rank while it computes, halo rows included
};

Measured read_run(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw moorea::Error(fmt::format("{}: cannot open", path));
  try {
    const Json run = Json::parse(file);
    const Json& ranks = run.at("ranks");
    const double width = run.at("width"), height = run.at("height"), seconds = run.at("seconds");
    const double row_bytes = std::ceil(width / 64) * 8,
                 updates = run.at("cells_per_second").get<double>() * seconds;
    const auto number = static_cast<double>(ranks.size());
    Measured mean;
    double halo_rows = 0, exchange_seconds = 0;
    for (const Json& rank : ranks) {
      const double exchanges = rank.at("exchanges");
      if (exchanges < 1)
        throw moorea::Error(path + ": a rank of this run has exchanged no rows: run it for longer");
      const double bytes = rank.at("bytes_sent").get<double>() / exchanges;
      mean.bytes += bytes / number;
      mean.seconds += rank.at("exchange_seconds").get<double>() / exchanges / number;
      exchange_seconds += rank.at("exchange_seconds").get<double>() / number;
      const std::string device = rank.value("device", "");
      const bool is_gpu = device.starts_with("cuda:") && device.find(',') == std::string::npos;
      halo_rows += bytes / row_bytes * computed_halo_share(is_gpu);
    }
    mean.cells_per_second =
        updates / number * (1 + halo_rows / height) / std::max(seconds - exchange_seconds, 1e-9);
    return mean;
  } catch (const Json::exception& error) {
    throw moorea::Error(
        fmt::format("{}: no result of moorea run --json on two ranks or more ({})", path, error.what()));
  }
}

}  // namespace

Cluster fit_cluster(Cluster cluster, const std::vector<std::string>& files) {
  std::vector<Measured> runs;
  for (const std::string& file : files) runs.push_back(read_run(file));
  const auto number = static_cast<double>(runs.size());
  double bytes = 0, seconds = 0, speed = 0;
  for (const Measured& run : runs) {
    bytes += run.bytes / number;
    seconds += run.seconds / number;
    speed = std::max(speed, run.cells_per_second);
  }
  // Least squares: seconds = intercept + slope x bytes; the intercept is two messages' latency
  double covariance = 0, variance = 0;
  for (const Measured& run : runs) {
    covariance += (run.bytes - bytes) * (run.seconds - seconds);
    variance += (run.bytes - bytes) * (run.bytes - bytes);
  }
  const double slope = variance > 0 ? covariance / variance : 0;
  if (slope > 0 && seconds > slope * bytes) {
    cluster.link.latency = (seconds - slope * bytes) / 2;
    cluster.link.bytes_per_second = 1 / slope;
  } else {
    cluster.link.bytes_per_second = bytes / std::max(seconds - 2 * cluster.link.latency, seconds / 2);
  }
  cluster.link.staging = 0;  // part of what was measured
  cluster.link.source = "fitted to " + counted(runs.size(), "run");
  cluster.device.cells_per_second = speed;
  cluster.device.seconds = 0;
  cluster.device.source = cluster.link.source;
  return cluster;
}

}  // namespace app
