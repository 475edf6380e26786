// SPDX-License-Identifier: MIT
// Facts of a run that are measured once: device, threads, tiles, launch, resources, and the time of queries.
#pragma once

#include "moorea/simulation.h"
#include "report/row_schema.h"

namespace app {

/// Measures the facts of a simulation with live cells. No cell changes. All other members of the row are
/// unset.
ResultRow run_facts(moorea::Simulation& simulation);

}  // namespace app
