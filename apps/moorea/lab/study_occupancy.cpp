// SPDX-License-Identifier: MIT
#include "lab/study_occupancy.h"

#include <fmt/core.h>

#include <algorithm>

#include "lab/study_findings.h"

namespace app {
namespace {

constexpr const char* template_strips = "cuda/ladder/10_template_strips";
constexpr const char* all_families = "cuda/ladder/09_runtime_strips_4";
constexpr const char* expensive_rule = "B3678/S345";  // of no family but the last
constexpr const char* blocks = "64:1024:x2";

int threads_of(const Measurement& each) {
  return each.row["block"]["width"].get<int>() * each.row["block"]["height"].get<int>();
}

double occupancy_of(const Measurement& each) { return each.row["occupancy"].get<double>(); }

// Measurements of a kernel, by ascending threads per block.
Measurements by_block(const Results& results, const std::string& kernel) {
  Measurements rows = of_kernel(results, kernel);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto* a, const auto* b) { return threads_of(*a) < threads_of(*b); });
  return rows;
}

std::string kernel_text(const std::string& kernel, const Measurements& rows) {
  const Measurement& smallest = *rows.front();
  const Measurement& largest = *rows.back();
  std::string text = fmt::format(
      "{}: {} registers a thread; in blocks of {} threads {:.0f} % of the threads that a multiprocessor can "
      "hold, in "
      "blocks of {} {:.0f} %",
      kernel, smallest.row["registers_per_thread"].dump(), threads_of(smallest), 100 * occupancy_of(smallest),
      threads_of(largest), 100 * occupancy_of(largest));
  if (!std::all_of(rows.begin(), rows.end(), [](const auto* each) { return is_quiet(*each); }))
    return fmt::format("{}; {}.", text, not_quiet);
  const Measurement *best = fastest(rows), *worst = slowest(rows);
  return fmt::format(
      "{}. Its fastest block has {} threads: {} cells per second, {} as many as the slowest, of {}.", text,
      threads_of(*best), short_number(rate(*best)), times(rate(*best) / rate(*worst)), threads_of(*worst));
}

Results measured(Report& report, std::initializer_list<const char*> kernels, const char* rule) {
  Selection selection;
  selection.kernels = runnable(kernels);
  selection.sizes = {report.quick() ? "1024" : "16384"};
  selection.rules = {rule};
  selection.axes.blocks = {report.quick() ? "64:1024:x4" : blocks};
  return report.measure(selection);
}

}  // namespace

std::vector<std::string> occupancy_findings(const Results& results) {
  std::vector<std::string> findings;
  for (const Json& name : values_of(results, "kernel")) {
    const std::string kernel = words(name);
    findings.push_back(kernel_text(kernel, by_block(results, kernel)));
  }
  const Measurement *of_one = fastest(of_kernel(results, template_strips)),
                    *of_all = fastest(of_kernel(results, all_families));
  if (of_one != nullptr && of_all != nullptr)
    findings.push_back(fmt::format("{}, each with its fastest block: {}", words(of_one->row["rule"]),
                                   comparison_text({"the kernel of its family alone", *of_one},
                                                   {"the kernel of all families", *of_all})));
  return findings;
}

Chart occupancy_chart(const Results& results) {
  Chart chart;
  chart.title = "Resident threads by threads per block";
  chart.x = {"threads per block", true, {}};
  chart.y.label = "part of the threads that a multiprocessor can hold";
  for (const Json& name : values_of(results, "kernel")) {
    ChartSeries series{words(name), {}};
    for (const Measurement* each : by_block(results, series.name)) {
      const double part = occupancy_of(*each);
      series.points.push_back({static_cast<double>(threads_of(*each)), part, part, part, ""});
    }
    chart.series.push_back(series);
  }
  chart.caption = "As registers, shared memory and the thread block together permit.";
  return chart;
}

void study_occupancy(Report& report) {
  if (runnable({template_strips}).empty()) return;
  const Results life = measured(
      report,
      {template_strips, "cuda/ladder/09_runtime_strips_2", "cuda/ladder/09_runtime_strips_3", all_families},
      "Life");
  const Results expensive = measured(report, {template_strips, all_families}, expensive_rule);
  for (const std::string& finding : occupancy_findings(life)) report.find(finding);
  for (const std::string& finding : occupancy_findings(expensive)) report.find(finding);
  report.add_charts("Life in kernels that know more and more families", life,
                    {ChartKind::line, "block", "", "", ""});
  report.add_chart("Occupancy of these kernels", occupancy_chart(life));
  report.add_charts("A rule of the most expensive family", expensive, {ChartKind::line, "block", "", "", ""});
}

}  // namespace app
