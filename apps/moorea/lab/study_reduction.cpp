// SPDX-License-Identifier: MIT
// The study of reductions: each rung of their ladder against the bandwidth of the memory that it reads.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "lab/reduce.h"
#include "lab/studies.h"
#include "lab/study_findings.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/lab/ceilings.h"
#include "moorea/lab/reduction.h"
#include "report/statistics.h"

namespace app {
namespace {

constexpr const char* reduction_device = "cuda:0";

// "12_library" of "reduce/ladder/12_library"

std::string part_text(const Json& part) { return fmt::format("{:.1f}%", 100 * part.get<double>()); }

struct ReductionRung {
  moorea::ReductionTiming timing;
  Timings seconds;
  double bytes_per_second = 0, low = 0, high = 0;  // median and quartiles
};

ReductionRung measured(const std::string& name, std::int64_t values, int samples) {
  ReductionRung rung;
  rung.timing = moorea::time_reduction(
      {.name = name, .device = reduction_device, .values = values, .samples = samples});
  if (!is_correct(rung.timing))
    throw WrongAnswer(
        fmt::format("{} of {} values: wrong answer: {}", name, values, wrong_sum_text(rung.timing)));
  rung.seconds.samples = rung.timing.seconds;
  std::vector<double> sorted = rung.timing.seconds;
  std::sort(sorted.begin(), sorted.end());
  const auto bytes = static_cast<double>(rung.timing.bytes_read);
  rung.bytes_per_second = bytes / quantile(sorted, 0.5);
  rung.low = bytes / quantile(sorted, 0.75);
  rung.high = bytes / quantile(sorted, 0.25);
  return rung;
}

std::vector<ReductionRung> measured_ladder(std::int64_t values, int samples) {
  const std::vector<moorea::ReductionInfo> ladder = moorea::list_reductions();
  if (ladder.empty() || !ladder.front().runs)
    throw moorea::Error(
        fmt::format("reductions are studied on an NVIDIA GPU: {}",
                    ladder.empty() ? "this build has no CUDA (MOOREA_CUDA)" : ladder.front().reason),
        moorea::ErrorKind::unavailable);
  std::vector<ReductionRung> rungs;
  for (const moorea::ReductionInfo& info : ladder) {
    rungs.push_back(measured(info.name, values, samples));
    if (was_interrupted()) throw moorea::Error(interruption_text());
  }
  return rungs;
}

void add_measurements(Report& report, const std::vector<ReductionRung>& rungs, double copy) {
  Json document = machine_json();
  document["ceilings"] = {{{"device", reduction_device}, {"copy_bytes_per_second", copy}}};
  document["results"] = Json::array();
  std::vector<std::vector<std::string>> table = {
      {"reduction", "values", "threads per block", "bytes/s", "of copy", "spread"}};
  for (const ReductionRung& rung : rungs) {
    const Json row = reduction_row(rung.timing, copy);
    document["results"].push_back(row);
    table.push_back({rung.timing.name, std::to_string(rung.timing.values),
                     rung.timing.threads != 0 ? std::to_string(rung.timing.threads) : "-",
                     short_number(rung.bytes_per_second), part_text(row["part_of_copy_bandwidth"]),
                     part_text(row["spread"])});
  }
  report.add_document(std::move(document), std::move(table));
}

Chart reduction_chart(const std::vector<ReductionRung>& rungs, double copy) {
  Chart chart;
  chart.kind = ChartKind::bars;
  chart.title = "Bytes a second";
  chart.x.label = "bytes per second";
  ChartSeries bars{"bytes per second", {{0, copy, copy, copy, "copying memory"}}};
  for (const ReductionRung& rung : rungs)
    bars.points.push_back({static_cast<double>(bars.points.size()), rung.bytes_per_second, rung.low,
                           rung.high, short_name(rung.timing.name)});
  for (const ChartPoint& point : bars.points) chart.y.names.push_back(point.label);
  chart.series = {bars};
  chart.caption = fmt::format("{} values of 32 bits on {}; copying counts the bytes read and those written.",
                              rungs.front().timing.values, reduction_device);
  return chart;
}

// "08" of "reduce/ladder/08_one_barrier_less"
std::string number_of(const ReductionRung& rung) { return short_name(rung.timing.name).substr(0, 2); }

// The rung that another one changes: the first of the number before, or of its own for a variant.
const ReductionRung& base_of(const std::vector<ReductionRung>& rungs, std::size_t at) {
  std::size_t base = at - 1;
  while (base > 0 && number_of(rungs[base - 1]) == number_of(rungs[base])) --base;
  return rungs[base];
}

std::string gain_text(const ReductionRung& before, const ReductionRung& now) {
  const Comparison found = compare(before.seconds, now.seconds, 0.02);
  const double percent = 100 * (found.speed - 1);
  const std::string what =
      found.verdict == Verdict::better ? fmt::format("gains {:.1f} % of speed", percent)
      : found.verdict == Verdict::worse
          ? fmt::format("loses {:.1f} % of speed", -percent)
          : fmt::format("changes nothing that the samples show ({})", medians_apart(found.speed));
  return fmt::format("{} against {} {}.", short_name(now.timing.name), short_name(before.timing.name), what);
}

}  // namespace

void study_reduction(Report& report) {
  const std::int64_t values = std::int64_t{1} << (report.quick() ? 24 : 28);
  const std::vector<ReductionRung> rungs = measured_ladder(values, report.quick() ? 9 : 25);
  const double copy = moorea::measure_ceilings(reduction_device, 0).copy_bytes_per_second;
  const ReductionRung& best = *std::max_element(
      rungs.begin(), rungs.end(),
      [](const ReductionRung& a, const ReductionRung& b) { return a.bytes_per_second < b.bytes_per_second; });
  report.find(fmt::format(
      "The fastest is {}: {}B/s, {:.0f} % of what copying moves and {} times as much as {}.",
      best.timing.name, short_number(best.bytes_per_second), 100 * best.bytes_per_second / copy,
      human_number(best.bytes_per_second / rungs.front().bytes_per_second), rungs.front().timing.name));
  for (std::size_t i = 1; i < rungs.size(); ++i) report.find(gain_text(base_of(rungs, i), rungs[i]));
  add_measurements(report, rungs, copy);
  report.add_chart("Each reduction against the copy bandwidth", reduction_chart(rungs, copy));
}

}  // namespace app
