// SPDX-License-Identifier: MIT
#include "lab/reduce.h"

#include <fmt/core.h>

#include "moorea/error.h"
#include "report/statistics.h"

namespace app {

namespace {

constexpr const char *integers = "uint32", *floats = "float";

bool is_integral(const moorea::ReductionTiming& timing) {
  return timing.type == moorea::ReductionType::integers;
}

// Sums of integers are exact, and printed as such.
Json sum_json(const moorea::ReductionTiming& timing, double sum) {
  return is_integral(timing) ? Json(static_cast<std::uint64_t>(sum)) : Json(sum);
}

}  // namespace

moorea::ReductionType parse_reduction_type(const std::string& name) {
  if (name == integers) return moorea::ReductionType::integers;
  if (name == floats) return moorea::ReductionType::floats;
  throw moorea::Error(fmt::format("--values \"{}\": expected {} or {}", name, integers, floats),
                      moorea::ErrorKind::usage);
}

std::string wrong_sum_text(const moorea::ReductionTiming& timing) {
  if (is_integral(timing))
    return fmt::format("the sum is {:.0f}, the CPU's is {:.0f}", timing.sum, timing.expected);
  return fmt::format(
      "the sum is {}, the CPU's is {}, and the order of additions explains {:.2g} of the difference",
      timing.sum, timing.expected, timing.tolerance);
}

Json reduction_row(const moorea::ReductionTiming& timing, double copy_bytes_per_second) {
  const Summary summary = summarise(timing.seconds);
  const double bytes_per_second = static_cast<double>(timing.bytes_read) / summary.median;
  return {{"reduction", timing.name},
          {"device", timing.device},
          {"values", timing.values},
          {"type", is_integral(timing) ? integers : floats},
          {"threads", timing.threads != 0 ? Json(timing.threads) : Json()},
          {"samples", timing.seconds.size()},
          {"median_seconds", summary.median},
          {"spread", summary.spread},
          {"noise", summary.noise},
          {"sum", sum_json(timing, timing.sum)},
          {"expected", sum_json(timing, timing.expected)},
          {"tolerance", timing.tolerance},
          {"bytes_read", timing.bytes_read},
          {"bytes_per_second", bytes_per_second},
          {"part_of_copy_bandwidth", bytes_per_second / copy_bytes_per_second}};
}

}  // namespace app
