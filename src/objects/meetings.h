// SPDX-License-Identifier: MIT
// Whether periodic objects that do not influence each other now will do so later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "objects/cycle.h"

namespace moorea {

/// Columns or rows within which objects may influence each other: cells that can influence a common neighbour
/// are up to two apart; one more for the rounding of velocities.
constexpr std::int64_t object_reach = 3;

/// Columns or rows between two boxes, the larger number of both; less than 0 if they overlap.
inline std::int64_t distance(const Box& a, const Box& b) {
  return std::max({a.x - b.right(), b.x - a.right(), a.y - b.bottom(), b.y - a.bottom()});
}

/// A box that moves by `displacement` in `period` generations, as Cycle::swept() does.
struct MovingBox {
  Box box;
  Position displacement;
  std::uint64_t period = 1;
};

/// Whether objects within two boxes may influence each other: never, because they are far from each other or
/// move apart; maybe at any time, because they stay near each other; maybe later or now.
enum class Relation { apart, near, meeting };
Relation relation(const MovingBox& a, const MovingBox& b);

/// Time after which objects within two boxes are never near each other: 0 if they never are, infinite if they
/// stay near each other.
double end_of_nearness(const MovingBox& a, const MovingBox& b);

/// Of the last `generations`: how many ago objects, which do not influence each other from now on, did so the
/// last time if they are extrapolated backwards, so that what they become in the next generation is not what
/// each of them becomes alone; empty if never. A first phase at a common generation, for all of `objects`.
std::optional<std::uint64_t> last_influence(SearchContext& context, std::span<const Cycle> objects,
                                            std::uint64_t generations);

/// A first phase at a common generation, for all of `objects`. Returns the number of generations after which
/// objects that have not influenced each other by then never will: 0 if all are far from each other or move
/// apart, the common multiple of two periods for objects that stay near each other, the time until two have
/// passed each other. Empty if that number exceeds `max_generations`. Distances are those of boxes, so that
/// it may expect a meeting that does not happen, but not the contrary.
std::optional<std::uint64_t> generations_until_apart(SearchContext& context, std::span<const Cycle> objects,
                                                     std::uint64_t max_generations);

}  // namespace moorea
