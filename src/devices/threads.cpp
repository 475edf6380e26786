// SPDX-License-Identifier: MIT
// Compiled without the thread sanitizer: see team().
#include "devices/threads.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace moorea {

int usable_threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

namespace detail {

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
