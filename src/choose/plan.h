// SPDX-License-Identifier: MIT
// A plan with the choice that follows from it: what every simulation begins with.
#pragma once

#include <string>

#include "choose/choose.h"
#include "moorea/plan.h"

namespace moorea {

struct PlannedChoice {
  RunPlan plan;
  Choice choice;
};

/// As plan_run(). A predicted plan that cannot be chosen here is replaced by the built-in preferences.
PlannedChoice choose_planned(const WorldSpec& world, const Options& options);

/// The choice of the built-in preferences in place of a predicted plan, whose board could not be made.
PlannedChoice choose_instead(const RunPlan& failed, const Options& options, const std::string& error);

/// Device of the built-in preferences, if the options name neither a device nor a kernel.
Options with_preferred_device(const WorldSpec& world, const Options& options);

}  // namespace moorea
