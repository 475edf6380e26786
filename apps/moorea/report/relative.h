// SPDX-License-Identifier: MIT
// Speed relative to a reference: a kernel measured in the same world and run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/app.h"
#include "report/results.h"

namespace app {

/// A kernel, and its number of CPU threads if that matters.
struct Reference {
  std::string kernel;
  std::optional<int> threads;

  /// Parses "cpu/ladder/01_serial" and "cpu/ladder/01_serial:1". Throws moorea::Error (usage) for an empty
  /// name.
  static Reference parse(const std::string& text);
  /// The inverse of parse().
  std::string str() const;

  bool matches(const Json& row) const;
};

/// Sets `relative_to` and `times_reference` of a row: its cells per second divided by those of the fastest of
/// `rows` that match the reference in the same world; leaves both unset if there is none.
void relate(Json& row, const Reference& reference, const std::vector<const Json*>& rows);

/// Relates all measurements. Throws moorea::Error (usage) that names the world if one has no reference.
void relate(Results& results, const Reference& reference);

}  // namespace app
