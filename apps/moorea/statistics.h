// SPDX-License-Identifier: MIT
// Order statistics of timings: they do not mind the outliers that other processes cause.
#pragma once

#include <vector>

namespace app {

struct Summary {
  double median = 0;
  double spread = 0;  ///< distance of the quartiles, as a part of the median
  double noise = 0;   ///< half the width of a 95 % confidence interval of the median, as a part of the median
};

/// `samples` must not be empty. The interval is that of the order statistics (binomial, normal
/// approximation); with fewer than 6 samples there is none and the noise is 1.
Summary summarise(std::vector<double> samples);

}  // namespace app
