// SPDX-License-Identifier: MIT
// Options and reports of worlds that are out of core: rows in the machine's memory that pass through the
// device.
#pragma once

#include <optional>
#include <string>

#include "cli/app.h"
#include "cli/world.h"
#include "moorea/out_of_core.h"

namespace app {

void add_out_of_core_options(Command& command, EngineOptions& options);

Json out_of_core_json(const moorea::OutOfCorePlan& plan);

/// A line of a report; empty for a world in core.
std::string out_of_core_text(const std::optional<moorea::OutOfCorePlan>& plan);

}  // namespace app
