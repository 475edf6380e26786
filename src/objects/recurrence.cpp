// SPDX-License-Identifier: MIT
#include "objects/recurrence.h"

#include <algorithm>

namespace moorea {

std::optional<Recurrence> find_recurrence(std::span<const std::uint64_t> populations,
                                          std::size_t max_period) {
  for (std::size_t period = 1; period <= max_period; ++period) {
    const auto growth = static_cast<std::int64_t>(populations[period] - populations[0]);
    std::size_t i = 1;
    while (i + period < populations.size() &&
           static_cast<std::int64_t>(populations[i + period] - populations[i]) == growth)
      ++i;
    if (i + period == populations.size()) return Recurrence{period, growth};
  }
  return std::nullopt;
}

std::optional<Recurrence> find_varying_growth(std::span<const std::uint64_t> populations,
                                              std::size_t max_period) {
  const std::size_t last = std::min(max_period, populations.size() / 3);
  for (std::size_t period = 1; period <= last; ++period) {
    const auto growth = [&](std::size_t i) {
      return static_cast<std::int64_t>(populations[i + period] - populations[i]);
    };
    std::size_t i = 0;
    while (i + 2 * period < populations.size() && growth(i) >= 0 && growth(i) == growth(i + period)) ++i;
    if (i + 2 * period == populations.size())
      return Recurrence{period, growth(populations.size() - 1 - period)};
  }
  return std::nullopt;
}

}  // namespace moorea
