// SPDX-License-Identifier: MIT
// Results of a device for the table of devices (docs/devices.md).
#pragma once

#include <vector>

#include "cli/app.h"

namespace app {

/// The facts and speeds of each device in a document of moorea bench, as one JSON object for a line. Throws
/// moorea::Error if it has no results, or a row that was measured while other processes used the CPUs.
std::vector<Json> submissions(const Json& document);

}  // namespace app
