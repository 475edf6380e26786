// SPDX-License-Identifier: MIT
// Where the chunks of a checkpoint have their cells from: a copy that a simulation left while it continues.
#pragma once

#include <cstdint>
#include <functional>

#include "moorea/grid.h"
#include "moorea/simulation.h"

namespace moorea {

/// Copies rows, counted from the first saved one, to a view of the saved width. Used by one thread.
using ChunkSource = std::function<void(std::int64_t first, const GridView& to)>;
/// Makes a source for each thread of a team.
using ChunkSources = std::function<ChunkSource()>;

/// `first_row` is the number of the copy's first row.
ChunkSources chunks_of(const DeviceView& copy, std::int64_t first_row = 0);
/// The grid must outlive the sources.
ChunkSources chunks_of(const Grid& copy, std::int64_t first_row = 0);

}  // namespace moorea
