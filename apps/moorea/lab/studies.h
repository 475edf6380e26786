// SPDX-License-Identifier: MIT
// The studies that the ladder of kernels exists for. Each one measures, draws, and computes its findings from
// the numbers; each has a function in a file study_*.cpp.
#pragma once

#include <span>

#include "lab/report.h"

namespace app {

struct Study {
  const char* name;
  const char* title;
  const char* question;
  /// Throws moorea::Error (unavailable) if this machine has nothing to study.
  void (*run)(Report& report);
  bool has_kernels = true;  ///< whether it times kernels, which can be related to a reference
};

std::span<const Study> studies();

void study_ladder(Report& report);
void study_threads(Report& report);
void study_tiles(Report& report);
void study_schedule(Report& report);
void study_vectors(Report& report);
/// Sampled on all cores; where the machine reports no frequency, the report says so.
void study_frequency(Report& report);
void study_blocks(Report& report);
void study_groups(Report& report);
void study_lazy(Report& report);
void study_lazy_gpu(Report& report);
void study_registers(Report& report);
void study_timeline(Report& report);
/// The CPU and the first GPU, or the first OpenCL device where there is none.
void study_hybrid(Report& report);
/// Times the reductions instead of kernels.
void study_reduction(Report& report);
void study_anneal(Report& report);

}  // namespace app
