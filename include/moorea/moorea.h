// SPDX-License-Identifier: MIT
// Everything public but moorea/kernel.h, which is for kernel files, moorea/lab, which is for measurements,
// and moorea/support, which the library shares with its program.
#pragma once

#include "moorea/big_integer.h"
#include "moorea/box.h"
#include "moorea/bundled.h"
#include "moorea/byte_cells.h"
#include "moorea/checkpoint.h"
#include "moorea/device.h"
#include "moorea/device_cells.h"
#include "moorea/ensemble.h"
#include "moorea/error.h"
#include "moorea/grid.h"
#include "moorea/grid_view.h"
<<<<<<< HEAD
#include "moorea/identify.h"
    =======
#include "moorea/hashlife.h"
    >>>>>>> 15becdf (hashlife: numbers of any size for the library and moorea run)
#include "moorea/inventory.h"
#include "moorea/launch.h"
#include "moorea/mesh.h"
#include "moorea/mpi_session.h"
#include "moorea/out_of_core.h"
#include "moorea/pattern.h"
#include "moorea/picture.h"
#include "moorea/plan.h"
#include "moorea/rank_checkpoint.h"
#include "moorea/ranks.h"
#include "moorea/rule.h"
#include "moorea/simulation.h"
#include "moorea/surface_picture.h"
#include "moorea/survey.h"
#include "moorea/tiles.h"
#include "moorea/topology.h"
#include "moorea/version.h"
#include "moorea/world_spec.h"
