// SPDX-License-Identifier: MIT
// The populations that moorea run counted, as a line for each table.
#pragma once

#include <string>
#include <vector>

#include "report/chart.h"

namespace app {

/// Whether a file is a table of --populations of moorea run.
bool is_population_table(const std::string& path);

/// A chart of `column`, by default of the populations. Of more generations than a few hundred it has the
/// means and ranges of equally long intervals. Throws moorea::Error (usage) for a column that one of them
/// does not have, and (run) for a table without rows.
Chart population_chart(const std::vector<std::string>& paths, const std::string& column,
                       const std::string& title);

}  // namespace app
