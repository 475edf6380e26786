// SPDX-License-Identifier: MIT
#include "objects/recurrence.h"

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

}  // namespace moorea
