// SPDX-License-Identifier: MIT
// Surveys on a GPU.
#pragma once

#include "ensembles/ordered_records.h"
#include "moorea/survey.h"

namespace moorea {

/// Throws Error (unavailable) for a survey that needs the CPU.
void check_gpu_survey(const SurveyOptions& options);

/// Passes the records of all worlds from `options.first` on to `records`, until it stops the survey.
void survey_on_gpu(const EnsembleSpec& spec, const SurveyOptions& options, OrderedRecords& records);

}  // namespace moorea
