// SPDX-License-Identifier: MIT
// The speed limits of this CPU, measured: what memory copies and what the logic units do.
#pragma once

#include "moorea/inventory.h"

namespace moorea {

Ceilings measure_cpu_ceilings(int threads);

}  // namespace moorea
