// SPDX-License-Identifier: MIT
// Planes on which patterns are run, from lists of cells and back.
#pragma once

#include "moorea/identify.h"
#include "moorea/simulation.h"
#include "objects/cells.h"
#include "objects/search_context.h"

namespace moorea {

/// The live cells of a world, in the order of rows.
CellList live_cells(const Simulation& world, SearchContext& context);

/// The CPU, with as many threads as the search may use.
Options cpu_options(const IdentifyOptions& identify);

/// An unbounded plane with these cells.
Simulation plane_of(const Rule& rule, const CellList& cells, const IdentifyOptions& options);

/// An unbounded plane with the live cells of another one.
Simulation copy_of(const Simulation& plane, const IdentifyOptions& options);

}  // namespace moorea
