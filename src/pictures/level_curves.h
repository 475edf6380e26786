// SPDX-License-Identifier: MIT
// Levels of squares by their density, age and the time since they changed. All of live squares are above
// those of dead ones.
#pragma once

#include <cstdint>
#include <vector>

#include "moorea/picture.h"

namespace moorea {

constexpr int longest_history = 255;  // of ages, in generations

// Level of a square with a single live cell of many: bright enough to be visible on a dark screen.
constexpr int dimmest = min_live_level, brightest = 255;

/// Level of a part from 0 to 1, by its square root.
std::uint8_t level_of(double part);

/// Level of an age from 1 on; 0 for age 0, which is dead. The newest cell must be clearly distinguishable
/// from a dead one.
std::uint8_t level_of_age(int age);

/// Trails. `time` is 1 in the generation of the birth or the death; a time of 0 is a cell that never lived.
constexpr int settled = 160;
constexpr std::uint8_t level_since_birth(int time) {
  return static_cast<std::uint8_t>(time <= brightest - settled ? brightest + 1 - time : settled);
}
constexpr std::uint8_t level_since_death(int time) {
  return static_cast<std::uint8_t>(time > 0 && time < dimmest ? dimmest - time : 0);
}

/// Expands each level of a view's squares to zoom x zoom pixels. Throws Error (usage) for an invalid zoom.
Picture enlarged(std::vector<std::uint8_t> levels, const View& view);

}  // namespace moorea
