// SPDX-License-Identifier: MIT
#include "statistics.h"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

// Linear between the samples on both sides, as in numpy's default
double quantile(const std::vector<double>& sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Summary summarise(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  Summary summary;
  summary.median = quantile(samples, 0.5);
  summary.noise = 1;
  if (summary.median <= 0) return summary;
  summary.spread = (quantile(samples, 0.75) - quantile(samples, 0.25)) / summary.median;
  const auto n = static_cast<double>(samples.size());
  if (n >= 6) {
    const double half = 0.98 * std::sqrt(n);  // 1.96 standard deviations of a binomial with p = 1/2
    const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(n / 2 - half)));
    const auto high = static_cast<std::size_t>(std::min(n - 1, std::ceil(n / 2 + half)));
    summary.noise = (samples[high] - samples[low]) / 2 / summary.median;
  }
  return summary;
}

}  // namespace app
