// SPDX-License-Identifier: MIT
// Changes of an unbounded plane between cells and a tree, in reports.
#pragma once

#include <string>
#include <vector>

#include "cli/app.h"
#include "moorea/plane_change.h"

namespace app {

/// Adds the changes to a report, if there are any.
void add_plane_changes(Json& json, const std::vector<moorea::PlaneChange>& changes);

/// Lines of a report for a person; empty without changes.
std::string plane_changes_text(const std::vector<moorea::PlaneChange>& changes);

/// Prints each change with its reason, as --explain does.
void explain_plane_changes(const std::vector<moorea::PlaneChange>& changes);

}  // namespace app
