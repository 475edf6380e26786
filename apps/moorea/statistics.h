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

/// What samples of the time that a thing took say of what it takes now. It is better or worse where the
/// samples hardly overlap (the new one wins, or loses, 95 % of the pairs) and the medians differ by more than
/// `least`, a part of one, and by more than the rounds of either differ among themselves: so much its speed
/// drifts by itself. Else there is no difference, unless there are fewer than six samples of either, the
/// medians are not known to within `unclear_noise`, or the rounds drift by more than that.
Comparison compare(const Timings& before, const Timings& now, double least);
constexpr double unclear_noise = 0.1;  ///< of both medians together, as a part of them

}  // namespace app
