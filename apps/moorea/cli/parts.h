// SPDX-License-Identifier: MIT
// What the parts of a divided world did, as text and as JSON.
#pragma once

#include <string>

#include "cli/app.h"
#include "moorea/simulation.h"

namespace app {

/// A line for the table that a run prints, "  parts   100 rows on cpu, 900 rows on cuda:0"; empty for a world
/// on one device.
std::string parts_text(const moorea::Simulation& simulation);

/// Device, kernel, first row, rows, share, speed while busy, and the idle part of the time; null for a world
/// on one device.
Json parts_json(const moorea::Simulation& simulation);

/// Says share, speed and idle time of each part.
void explain_parts(const moorea::Simulation& simulation);

}  // namespace app
