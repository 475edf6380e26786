// SPDX-License-Identifier: MIT
// The result of a run: its last generation, the plan that computed it, and its speed.
#pragma once

#include <string>

#include "cli/app.h"
#include "moorea/simulation.h"

namespace app {

/// Facts about the present state of a simulation, which took so many seconds to compute.
Json outcome_json(const moorea::Simulation& simulation, double seconds);

/// The facts of outcome_json() as lines for a person.
std::string outcome_text(const Json& json, const moorea::Simulation& simulation);

}  // namespace app
