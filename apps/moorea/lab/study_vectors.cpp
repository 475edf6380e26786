// SPDX-License-Identifier: MIT
// The study of vector widths: on one thread, and on all of them in worlds whose width is a multiple of the
// vectors or not, with and without masks at the borders.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "lab/studies.h"
#include "lab/study_findings.h"
#include "report/statistics.h"

namespace app {
namespace {

// Ragged widths are compared with a width of nearly the same size that is a multiple of all vectors.
constexpr std::int64_t whole_width = 1024;
constexpr std::int64_t ragged_widths[] = {1000, 1001};

// Kernels without masks, and those with masks at the borders.
constexpr std::pair<const char*, const char*> masked[] = {
    {"cpu/ladder/05_fewer_loads_avx2", "cpu/ladder/07_masked_borders_avx2"},
    {"cpu/ladder/06_avx512", "cpu/ladder/07_masked_borders_avx512"}};

Selection on_one_thread(bool quick) {
  Selection selection;
  selection.kernels = runnable({"cpu/ladder/01_serial", "cpu/ladder/03_vectorised", "cpu/ladder/04_avx2",
                                "cpu/ladder/05_fewer_loads_avx2", "cpu/ladder/06_avx512", "cpu/bits",
                                "cpu/bits_avx2", "cpu/bits_avx512"});
  selection.sizes = {quick ? "1024" : "4096"};
  selection.threads = {"1"};
  return selection;
}

Selection on_all_threads(bool quick) {
  Selection selection;
  selection.kernels = runnable({"cpu/ladder/03_vectorised", "cpu/ladder/04_avx2",
                                "cpu/ladder/05_fewer_loads_avx2", "cpu/ladder/06_avx512",
                                "cpu/ladder/07_masked_borders_avx2", "cpu/ladder/07_masked_borders_avx512"});
  selection.sizes = {"256", "1000", "1001", "1024"};
  if (!quick) selection.sizes.push_back("4096");
  return selection;
}

// Results of one of the two selections, by what was requested: on a machine of one thread both have one.
Results part_of(const Results& results, bool one_thread) {
  Results part = results;
  std::erase_if(part.measurements,
                [&](const Measurement& each) { return (each.row["asked"]["threads"] == 1) != one_thread; });
  return part;
}

const Measurement* at_width(const Results& results, const std::string& kernel, std::int64_t width) {
  return fastest(where(results, [&](const Measurement& each) {
    return kernel_of(each) == kernel && each.row["width"] == width;
  }));
}

void compare_widths(Report& report, const Results& results, const char* threads) {
  const Json width = results.measurements.back().row["width"];
  for (const auto& [narrow, wide] : {std::pair{"cpu/ladder/01_serial", "cpu/ladder/03_vectorised"},
                                     {"cpu/ladder/04_avx2", "cpu/ladder/06_avx512"},
                                     {"cpu/bits", "cpu/bits_avx2"},
                                     {"cpu/bits_avx2", "cpu/bits_avx512"}}) {
    const Measurement *a = at_width(results, wide, width.get<std::int64_t>()),
                      *b = at_width(results, narrow, width.get<std::int64_t>());
    if (a == nullptr || b == nullptr) continue;
    report.find(
        fmt::format("{}, {} square: {}", threads, width.dump(), comparison_text({wide, *a}, {narrow, *b})));
  }
}

// The time of a cell in a ragged world relative to one of whole vectors.
struct BorderCost {
  const Measurement *ragged = nullptr, *whole = nullptr;

  bool is_known() const { return ragged != nullptr && whole != nullptr; }
  bool is_quiet() const { return app::is_quiet(*ragged) && app::is_quiet(*whole); }
  double factor() const { return rate(*whole) / rate(*ragged); }
};

BorderCost border_cost(const Results& results, const std::string& kernel, std::int64_t width) {
  return {at_width(results, kernel, width), at_width(results, kernel, whole_width)};
}

void find_border_costs(Report& report, const Results& results, const std::string& kernel) {
  std::vector<std::string> costs;
  for (const std::int64_t width : ragged_widths) {
    const BorderCost cost = border_cost(results, kernel, width);
    if (!cost.is_known()) return;
    if (!cost.is_quiet()) {
      report.find(fmt::format("Borders of {}: {}.", kernel, not_quiet));
      return;
    }
    costs.push_back(fmt::format("{} at {} square", times(cost.factor()), width));
  }
  report.find(fmt::format("Borders of {}: a cell takes {} as long as at {}.", kernel, joined(costs, " and "),
                          whole_width));
}

void compare_masks(Report& report, const Results& results) {
  for (const auto& [without, with] : masked) {
    for (const std::int64_t width : {ragged_widths[0], ragged_widths[1], whole_width}) {
      const Measurement *a = at_width(results, with, width), *b = at_width(results, without, width);
      if (a == nullptr || b == nullptr) continue;
      report.find(fmt::format("{} square: {}", width, comparison_text({with, *a}, {without, *b})));
    }
  }
}

Chart border_chart(const Results& results, const std::vector<std::string>& kernels) {
  Chart chart = make_charts(results, {ChartKind::bars, "", "", "", "What borders cost"}).front();
  chart.x = {fmt::format("time per cell, relative to that at {} square", whole_width), false, {}};
  chart.y.names.clear();
  ChartSeries& series = chart.series.front();
  series.points.clear();
  for (const std::string& kernel : kernels) {
    for (const std::int64_t width : ragged_widths) {
      const BorderCost cost = border_cost(results, kernel, width);
      if (!cost.is_known()) continue;
      std::vector<double> sorted = cost.ragged->seconds.samples;
      std::sort(sorted.begin(), sorted.end());
      const double median = quantile(sorted, 0.5);
      ChartPoint point;
      point.y = cost.factor();
      point.low = point.y * quantile(sorted, 0.25) / median;
      point.high = point.y * quantile(sorted, 0.75) / median;
      point.label = fmt::format("{} at {}", kernel.substr(kernel.rfind('/') + 1), width);
      point.busy = !cost.is_quiet();
      point.x = static_cast<double>(chart.y.names.size());
      chart.y.names.push_back(point.label);
      series.points.push_back(point);
    }
  }
  return chart;
}

// The frequency of the busiest core of each measurement on one thread.
std::string frequency_text(const Results& results) {
  double minimum = INFINITY, maximum = 0;
  for (const Measurement& each : results.measurements) {
    if (value_at(each.row, "frequency", "source") == "nominal") continue;
    const Json cores = each.row.value("core_megahertz", Json::object());
    double busiest = 0;
    for (const auto& [core, megahertz] : cores.items()) busiest = std::max(busiest, megahertz.get<double>());
    if (busiest > 0) minimum = std::min(minimum, busiest), maximum = std::max(maximum, busiest);
  }
  return maximum > 0
             ? fmt::format(
                   "On one thread the core that worked ran at {:.0f} to {:.0f} MHz, by kernel; the "
                   "study frequency has all threads.",
                   minimum, maximum)
             : "This system does not report the present frequency of its cores, so speed and clock cannot be "
               "separated.";
}

}  // namespace

void study_vectors(Report& report) {
  const Selection all_threads = on_all_threads(report.quick());
  const Results results = report.measure({on_one_thread(report.quick()), all_threads}, 0);
  const Results one = part_of(results, true), all = part_of(results, false);
  compare_widths(report, one, "One thread");
  compare_widths(report, all, "All threads");
  for (const std::string& kernel : all_threads.kernels) find_border_costs(report, all, kernel);
  compare_masks(report, all);
  report.find(frequency_text(one));
  find_absent(report, {"cpu/ladder/04_avx2", "cpu/ladder/05_fewer_loads_avx2", "cpu/ladder/06_avx512",
                       "cpu/ladder/07_masked_borders_avx2", "cpu/ladder/07_masked_borders_avx512",
                       "cpu/bits_avx2", "cpu/bits_avx512"});
  report.add_charts("One thread", one, {ChartKind::bars, "", "", "", ""});
  report.add_charts("All threads, by the width of the world", all, {ChartKind::line, "size", "", "", ""});
  report.add_chart("What borders cost: widths that are no multiple of a vector, on all threads",
                   border_chart(all, all_threads.kernels));
}

}  // namespace app
