// SPDX-License-Identifier: MIT
// Measured limits of this CPU: memory copy bandwidth and throughput of the logic units.
#pragma once

#include "moorea/inventory.h"
#include "moorea/lab/ceilings.h"

namespace moorea {

Ceilings measure_cpu_ceilings(int threads);

}  // namespace moorea
