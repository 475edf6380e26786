// SPDX-License-Identifier: MIT
#include "lab/reduce.h"

#include "report/statistics.h"

namespace app {

Json reduction_row(const moorea::ReductionTiming& timing, double copy_bytes_per_second) {
  const Summary summary = summarise(timing.seconds);
  const double bytes_per_second = static_cast<double>(timing.bytes_read) / summary.median;
  return {{"reduction", timing.name},
          {"device", timing.device},
          {"values", timing.values},
          {"threads", timing.threads != 0 ? Json(timing.threads) : Json()},
          {"samples", timing.seconds.size()},
          {"median_seconds", summary.median},
          {"spread", summary.spread},
          {"noise", summary.noise},
          {"sum", timing.sum},
          {"bytes_read", timing.bytes_read},
          {"bytes_per_second", bytes_per_second},
          {"part_of_copy_bandwidth", bytes_per_second / copy_bytes_per_second}};
}

}  // namespace app
