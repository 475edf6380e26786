// SPDX-License-Identifier: MIT
// Contents of the squares of starting worlds that are computed: a still picture, a swarm, pairs of diehards.
#pragma once

#include <cstdint>
#include <vector>

#include "moorea/grid.h"

namespace moorea::patterns {

constexpr std::int64_t min_picture_side = 64, min_swarm_side = 16;

/// Draws a clown's face in a square of this side, at least min_picture_side: dark areas have a block, the
/// still life of 2 x 2 cells, in every 4 x 4 cells, light ones in every second of these. No cell ever
/// changes.
Grid still_picture(std::int64_t side);

/// Returns squares of this side, at least min_swarm_side: three in four have a spaceship of one of three
/// kinds at a pseudo-random place. All fly in one direction at the same speed, so that they never meet.
std::vector<Grid> swarm(std::int64_t side);

/// Returns pairs of diehards whose debris meets: alone each would die after 130 generations, a pair settles
/// after 345 to 524 and leaves oscillators. No cell outside a square of 128 around a pair is ever alive.
std::vector<Grid> diehard_pairs();

}  // namespace moorea::patterns
