// SPDX-License-Identifier: MIT
// Histograms of the tables of moorea ensemble.
#pragma once

#include <string>
#include <vector>

#include "report/chart.h"

namespace app {

/// Whether a file is a table of worlds in CSV, by its name and the beginning of its first line.
bool is_world_table(const std::string& path);

/// Makes a chart of bars for each rule: the number of worlds by a column's value, or by intervals of equal
/// width if there are many values. `column` empty: the population, or else the first column of numbers after
/// the generation. Throws moorea::Error (usage) for a column that the table does not have, (run) if it cannot
/// be read or has no rows.
std::vector<Chart> world_histograms(const std::string& path, const std::string& column,
                                    const std::string& title);

}  // namespace app
