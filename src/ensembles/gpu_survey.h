// SPDX-License-Identifier: MIT
// Surveys on a GPU.
#pragma once

#include "ensembles/ordered_records.h"
#include "moorea/survey.h"

namespace moorea {

/// Throws Error (unavailable) for a survey that needs the CPU.
void check_gpu_survey(const EnsembleSpec& spec, const SurveyOptions& options);

/// Number of worlds that are in the GPU's memory, a multiple of 64.
std::uint64_t gpu_worlds_at_once(Size size);

/// Passes the records of all worlds from `options.first` on to `records`, until it stops the survey.
void survey_on_gpu(const EnsembleSpec& spec, const SurveyOptions& options, OrderedRecords& records);

}  // namespace moorea
