// SPDX-License-Identifier: MIT
// The beginning of a table of moorea run --populations: new, or continued by a run that continues.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/line_file.h"
#include "media/run_checkpoints.h"

namespace app {

/// Generation and live cells where the table begins or goes on.
struct PopulationRow {
  std::uint64_t generation = 0, population = 0;
};

/// A run that continues.
struct ResumedTable {
  std::optional<PopulationRow> start;  ///< of the run, if its checkpoint says so
};

/// Empty for a run that begins.
std::optional<ResumedTable> table_of(const std::optional<Resumption>& resumed);

/// Writes the head and the first row. If the run is `resumed` and the file has a table, its rows up to the
/// present generation are kept instead, and others follow them; rows that are missing between are said.
/// `changes`: whether there is a column of changed cells. Throws moorea::Error (run) if the file has
/// something else, the table of another run, or cannot be written, and (usage) if it is compressed.
void begin_populations(LineFile& file, const std::string& path, bool changes,
                       const std::optional<ResumedTable>& resumed, const PopulationRow& now);

}  // namespace app
