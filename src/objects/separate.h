// SPDX-License-Identifier: MIT
// Partition of a settled world into objects: parts that do not influence each other.
#pragma once

#include <cstdint>
#include <vector>

#include "objects/cells.h"

namespace moorea {

/// Partitions `cells` into parts each of which evolves for `generations` as if it were alone. It begins with
/// the connected parts (neighbours of a cell are the eight around it) and unites those that meet: parts of
/// which the next state of a cell depends on more than one. The parts are in the order of their first cells.
std::vector<Cells> separate(const Rule& rule, const Cells& cells, std::uint64_t generations);

}  // namespace moorea
