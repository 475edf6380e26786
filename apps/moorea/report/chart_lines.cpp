// SPDX-License-Identifier: MIT
// Charts of lines: values over an axis, and speed-up.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "moorea/error.h"
#include "report/chart_kinds.h"

namespace app {
namespace {

// The series over an axis, with its label and scale.
Chart series_over(const ChartInput& input, const AxisSource& axis) {
  Chart chart;
  chart.x.label = axis.text();
  const bool numbers = input.axes.is_numeric(axis.name);
  if (!numbers) {
    for (const Json& value : input.axes.values(axis.name)) {
      if (!value.is_null()) chart.x.names.push_back(words(value));
    }
  }
  const std::vector<const AxisSource*> by = input.axes.others({axis.name});
  std::size_t lacking = 0;
  for (const Measurement& measurement : input.results.measurements) {
    std::optional<ChartPoint> point = input.value.point_of(measurement);
    const Json place = axis.of(measurement.row);
    if (!point || place.is_null()) {
      ++lacking;
      continue;
    }
    point->x = numbers ? place.get<double>() : place_of(chart.x.names, words(place));
    series_named(chart, name_by(measurement.row, by)).points.push_back(*point);
  }
  chart.caption = lacking_text(input, lacking, axis.label);
  for (ChartSeries& series : chart.series) {
    std::stable_sort(series.points.begin(), series.points.end(),
                     [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
  }
  return chart;
}

void set_x_scale(Chart& chart, const ChartInput& input, const AxisSource& axis) {
  chart.x.log = input.axes.is_numeric(axis.name) && suits_log(chart.series, &ChartPoint::x, 8);
}

void divide_by_first(ChartSeries& series) {
  const ChartPoint base = series.points.front();
  for (ChartPoint& point : series.points) {
    for (double* value : {&point.y, &point.low, &point.high}) *value /= base.y;
    point.busy = point.busy || base.busy;
  }
}

}  // namespace

std::string line_axis(const ChartInput& input) {
  std::string name = input.options.x.empty() ? input.axes.first_numeric() : input.options.x;
  if (name.empty())
    usage("no axis of these results has several numbers, so there is no line: try --kind bars");
  return name;
}

Chart line_chart(const ChartInput& input) {
  const AxisSource& axis = input.varying_axis(line_axis(input));
  Chart chart = series_over(input, axis);
  chart.title = input.title(fmt::format("{} by {}", input.value_label, axis.label));
  chart.y.label = input.value_label;
  chart.y.log = suits_log(chart.series, &ChartPoint::y, 30);
  set_x_scale(chart, input, axis);
  return chart;
}

namespace {

bool is_relative(const ChartInput& input) { return input.value.name == std::string(relative_value); }

}  // namespace

// Threads, or for a speed-up over a reference another axis that varies.
std::string speedup_axis(const ChartInput& input) {
  if (!input.options.x.empty()) return input.options.x;
  if (!is_relative(input) || input.axes.varies("threads")) return "threads";
  const std::string numeric = input.axes.first_numeric();
  return numeric.empty() ? "kernel" : numeric;
}

Chart speedup_chart(const ChartInput& input) {
  if (input.value.is_cost) usage(fmt::format("a speed-up is of speeds, not of {}", input.value_label));
  const std::string name = speedup_axis(input);
  const AxisSource& axis = input.varying_axis(name);
  Chart chart = series_over(input, axis);
  chart.title = input.title(fmt::format("speed-up by {}", axis.label));
  if (is_relative(input)) {
    chart.y.label = input.value_label;
    chart.y.log = suits_log(chart.series, &ChartPoint::y, 30);
    set_x_scale(chart, input, axis);
    return chart;
  }
  double first = INFINITY, last = 0;
  for (const ChartSeries& series : chart.series) {
    first = std::min(first, series.points.front().x);
    last = std::max(last, series.points.back().x);
  }
  if (!chart.x.names.empty() || first <= 0)
    usage(fmt::format(
        "a speed-up needs numbers above 0, and {} has others: --relative-to KERNEL compares with a kernel",
        axis.name));
  const std::size_t without = std::erase_if(
      chart.series, [&](const ChartSeries& series) { return series.points.front().x != first; });
  if (without > 0)
    chart.caption +=
        fmt::format(" Not drawn: {} lines without a measurement at {:g} {}.", without, first, axis.label);
  for (ChartSeries& series : chart.series) divide_by_first(series);
  const bool threads = name == "threads";
  chart.y.label = fmt::format("speed-up over {:g} {}", first, first == 1 && threads ? "thread" : axis.label);
  // Twice the threads can be twice as fast; twice the chunk or the tile has no such limit
  if (threads) chart.limits.push_back({"in proportion", first, 1, last, last / first});
  set_x_scale(chart, input, axis);
  return chart;
}

}  // namespace app
