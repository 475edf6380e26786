// SPDX-License-Identifier: MIT
// A configuration of a sweep with its measurements so far, and the result row computed from them.
#pragma once

#include "lab/configuration.h"
#include "lab/samples.h"
#include "moorea/inventory.h"
#include "moorea/lab/ceilings.h"
#include "report/row_schema.h"

namespace app {

struct MeasuredRow {
  Configuration configuration;
  Json asked;       ///< asked(configuration)
  ResultRow facts;  ///< those of run_facts() and `checked_with`
  Samples samples;
  bool checked = false;  ///< its answer is right
  bool refused = false;  ///< it is not timed

  /// Computes the result row from at least one round of samples; `limit` is that of its device and threads.
  ResultRow result(const moorea::Ceilings& limit) const;

  /// Adopts the row of a results file as its measurements so far.
  void adopt(const ResultRow& row);
};

}  // namespace app
