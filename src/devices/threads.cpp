// SPDX-License-Identifier: MIT
// Compiled without the thread sanitizer: see team().
#include "devices/threads.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#include <cstdlib>

namespace moorea {

int usable_threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

#ifdef _OPENMP

TileSchedule usual_schedule() {
  TileSchedule schedule;
  const char* const said = std::getenv("OMP_SCHEDULE");
  if (said == nullptr || *said == '\0') return schedule;
  omp_sched_t kind = omp_sched_static;
  int chunk = 0;
  omp_get_schedule(&kind, &chunk);
  switch (static_cast<unsigned>(kind) & ~static_cast<unsigned>(omp_sched_monotonic)) {
    case omp_sched_dynamic:
      schedule.kind = TileSchedule::Kind::dynamic;
      break;
    case omp_sched_guided:
      schedule.kind = TileSchedule::Kind::guided;
      break;
    case omp_sched_static:
      break;
    default:  // auto, which is OpenMP's own choice: the compilers that we know take static
      return schedule;
  }
  // A chunk of 1 is what these do without one
  const bool usual = schedule.kind != TileSchedule::Kind::fixed && chunk == 1;
  if (chunk > 0 && !usual) schedule.chunk = chunk;
  return schedule;
}

LoopSchedule::LoopSchedule(const TileSchedule& schedule) {
  omp_sched_t before = omp_sched_static;
  omp_get_schedule(&before, &chunk_before_);
  kind_before_ = static_cast<int>(before);
  const omp_sched_t kind = schedule.kind == TileSchedule::Kind::dynamic  ? omp_sched_dynamic
                           : schedule.kind == TileSchedule::Kind::guided ? omp_sched_guided
                                                                         : omp_sched_static;
  omp_set_schedule(kind, static_cast<int>(schedule.chunk));  // 0: what the kind does without one
}

LoopSchedule::~LoopSchedule() { omp_set_schedule(static_cast<omp_sched_t>(kind_before_), chunk_before_); }

#else

TileSchedule usual_schedule() { return {}; }
LoopSchedule::LoopSchedule(const TileSchedule&) {}
LoopSchedule::~LoopSchedule() = default;

#endif

namespace detail {

void launch_turns(std::int64_t count, void (*turn)(const void* context, std::int64_t i),
                  const void* context) {
#ifdef _OPENMP
#pragma omp for schedule(runtime) nowait
#endif
  for (std::int64_t i = 0; i < count; ++i) turn(context, i);
}

void launch_team(int threads, void (*body)(void* context, int thread, int threads), void* context) {
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
  body(context, omp_get_thread_num(), omp_get_num_threads());
#else
  (void)threads;
  body(context, 0, 1);
#endif
}

}  // namespace detail
}  // namespace moorea
