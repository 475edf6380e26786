// SPDX-License-Identifier: MIT
// Order statistics of timings, which are robust against the outliers that other processes cause.
#pragma once

#include <string>
#include <vector>

namespace app {

/// Quantile of at least one sample in ascending order, by linear interpolation as in numpy's default.
double quantile(const std::vector<double>& sorted, double q);

struct Summary {
  double median = 0;
  double spread = 0;  ///< distance between the quartiles, relative to the median
  double noise = 0;   ///< half the width of a 95 % confidence interval of the median, relative to the median
};

/// Summary of at least one sample. The confidence interval is that of the order statistics (binomial, normal
/// approximation); with fewer than 6 samples there is none and the noise is 1.
Summary summarise(std::vector<double> samples);

enum class Verdict { better, worse, no_difference, unclear };
const char* to_string(Verdict verdict);

struct Comparison {
  double speed = 1;  ///< old median time divided by the new one: above 1 the new one is faster
  /// Fraction of all pairs of an old and a new sample in which the new one took less time.
  double faster_pairs = 0;
  Verdict verdict = Verdict::unclear;
  std::string reason;  ///< for Verdict::unclear
};

/// Timing samples of one configuration. `rounds` are the medians of groups of samples that were taken apart
/// in time, in the same unit; none or one if that is unknown.
struct Timings {
  std::vector<double> samples;
  std::vector<double> rounds;
};

/// Compares two measurements of one configuration. The verdict is better or worse if the new sample wins
/// (loses) 95 % of all pairs and the medians differ by more than `min_difference`, a fraction, and by more
/// than the rounds of either measurement differ from each other (drift). It is unclear with fewer than six
/// samples of either, if the medians are not known to within `unclear_noise`, or if the drift exceeds that;
/// otherwise there is no difference.
Comparison compare(const Timings& before, const Timings& now, double min_difference);
constexpr double unclear_noise = 0.1;  ///< of both medians together, relative to them

}  // namespace app
