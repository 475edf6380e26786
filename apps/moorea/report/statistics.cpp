// SPDX-License-Identifier: MIT
#include "report/statistics.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace app {

double quantile(const std::vector<double>& sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

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

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::better:
      return "better";
    case Verdict::worse:
      return "worse";
    case Verdict::no_difference:
      return "no difference";
    case Verdict::unclear:
      break;
  }
  return "unclear";
}

namespace {

// Distance between the slowest and the fastest round, relative to the fastest.
double drift(const std::vector<double>& rounds) {
  if (rounds.size() < 2) return 0;
  const auto [minimum, maximum] = std::minmax_element(rounds.begin(), rounds.end());
  return *minimum > 0 ? *maximum / *minimum - 1 : 0;
}

}  // namespace

Comparison compare(const Timings& before, const Timings& now, double min_difference) {
  constexpr double nearly_all = 0.95;
  constexpr std::size_t fewest = 6;
  Comparison comparison;
  const Summary old = summarise(before.samples), fresh = summarise(now.samples);
  if (fresh.median > 0) comparison.speed = old.median / fresh.median;
  double faster = 0;
  for (const double a : before.samples) {
    for (const double b : now.samples) faster += b < a ? 1 : b == a ? 0.5 : 0;
  }
  comparison.faster_pairs = faster / static_cast<double>(before.samples.size() * now.samples.size());
  if (const std::size_t samples = std::min(before.samples.size(), now.samples.size()); samples < fewest) {
    comparison.reason = fmt::format("{} samples, {} are needed", samples, fewest);
    return comparison;
  }
  const double drifts = std::max(drift(before.rounds), drift(now.rounds));
  const double enough = std::max(min_difference, drifts);
  if (comparison.faster_pairs >= nearly_all && comparison.speed > 1 + enough) {
    comparison.verdict = Verdict::better;
  } else if (comparison.faster_pairs <= 1 - nearly_all && comparison.speed < 1 / (1 + enough)) {
    comparison.verdict = Verdict::worse;
  } else if (old.noise + fresh.noise <= unclear_noise && drifts <= unclear_noise) {
    comparison.verdict = Verdict::no_difference;
  } else if (old.noise + fresh.noise > unclear_noise) {
    comparison.reason = fmt::format("the medians are known to {:.0f} % only, {:.0f} % are needed",
                                    100 * (old.noise + fresh.noise), 100 * unclear_noise);
  } else {
    comparison.reason = fmt::format("the speed drifts by {:.0f} % from round to round, {:.0f} % are allowed",
                                    100 * drifts, 100 * unclear_noise);
  }
  return comparison;
}

}  // namespace app
