// SPDX-License-Identifier: MIT
// Everything public, in one include.
#pragma once

#include "moorea/box.h"
#include "moorea/device.h"
#include "moorea/error.h"
#include "moorea/grid.h"
#include "moorea/inventory.h"
#include "moorea/launch.h"
#include "moorea/meters.h"
#include "moorea/nearest.h"
#include "moorea/output_file.h"
#include "moorea/pattern.h"
#include "moorea/reduction.h"
#include "moorea/rule.h"
#include "moorea/simulation.h"
#include "moorea/start.h"
#include "moorea/tiles.h"
#include "moorea/topology.h"
#include "moorea/trace.h"
#include "moorea/world_spec.h"
