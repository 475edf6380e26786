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

/// The smallest period of at most a third of the populations, which are those of consecutive generations.
std::optional<Recurrence> find_recurrence(std::span<const std::uint64_t> populations);

}  // namespace moorea
