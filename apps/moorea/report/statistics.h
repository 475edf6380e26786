// SPDX-License-Identifier: MIT
// Order statistics of timings: they do not mind the outliers that other processes cause.
#pragma once

#include <string>
#include <vector>

namespace app {

/// Of samples in order, at least one; linear between those on both sides, as in numpy's default.
double quantile(const std::vector<double>& sorted, double q);

struct Summary {
  double median = 0;
  double spread = 0;  ///< distance of the quartiles, as a part of the median
  double noise = 0;   ///< half the width of a 95 % confidence interval of the median, as a part of the median
};

/// `samples` must not be empty. The interval is that of the order statistics (binomial, normal
/// approximation); with fewer than 6 samples there is none and the noise is 1.
Summary summarise(std::vector<double> samples);

enum class Verdict { better, worse, no_difference, cannot_tell };
const char* to_string(Verdict verdict);

struct Comparison {
  double speed = 1;  ///< the old median time over the new one: above 1 the new one is faster
  double faster_pairs =
      0;  ///< part of all pairs of an old and a new sample in which the new one took less time
  Verdict verdict = Verdict::cannot_tell;
  std::string reason;  ///< why it cannot be told
};

/// Times that a thing took. `rounds` are the medians of samples that were taken apart in time, in the same
/// unit; empty or one where that is not known.
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
constexpr double unclear_noise = 0.1;  ///< of both medians together, as a part of them

}  // namespace app
