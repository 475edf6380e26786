// SPDX-License-Identifier: MIT
// Recurrence in the populations of a world: a necessary condition of being settled that costs next to
// nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace moorea {

struct Recurrence {
  std::uint64_t period = 1;
  std::int64_t growth = 0;  ///< population[i + period] - population[i], for all i
};

/// The smallest period, of at most `max_period`, of the populations of consecutive generations, of which
/// there are more than that.
std::optional<Recurrence> find_recurrence(std::span<const std::uint64_t> populations, std::size_t max_period);

/// The smallest period of at most `max_period` after which the populations have gained as many live cells as
/// in the period before, although another number at other generations: a gun whose spaceships have phases of
/// different populations. `growth` is that of the last period. A third of the populations are compared at
/// least.
std::optional<Recurrence> find_varying_growth(std::span<const std::uint64_t> populations,
                                              std::size_t max_period);

/// The smallest period of at most a third of the populations.
inline std::optional<Recurrence> find_recurrence(std::span<const std::uint64_t> populations) {
  return find_recurrence(populations, populations.size() / 3);
}

/// The smallest divisor of `multiple` with a property that the multiples of the smallest number with it have:
/// its prime factors may be tried alone then. `holds` is asked of proper divisors only.
template <class Property>
std::uint64_t smallest_divisor(std::uint64_t multiple, const Property& holds) {
  std::uint64_t smallest = multiple;
  for (std::uint64_t left = multiple, factor = 2; left > 1; ++factor) {
    if (factor * factor > left) factor = left;
    for (; left % factor == 0; left /= factor) {
      if (smallest % factor == 0 && holds(smallest / factor)) smallest /= factor;
    }
  }
  return smallest;
}

}  // namespace moorea
