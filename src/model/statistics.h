// SPDX-License-Identifier: MIT
// Order statistics of measurements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace moorea {

/// Median of at least one sample; of an even number, the larger of the two in the middle.
inline double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

}  // namespace moorea
