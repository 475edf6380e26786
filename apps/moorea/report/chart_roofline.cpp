// SPDX-License-Identifier: MIT
// The roofline: speed against memory traffic, below the limits of memory and logic.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "moorea/error.h"
#include "report/chart_kinds.h"

namespace app {
namespace {

constexpr double cells_per_word = 64;

// The point of a measurement in operations per second over operations per byte; empty for a kernel that is
// not on bits or skips tiles.
std::optional<ChartPoint> roofline_point(const Measurement& measurement) {
  const Json operations = value_at(measurement.row, "operations_per_word"),
             bytes = value_at(measurement.row, "bytes_per_second");
  if (!operations.is_number() || !bytes.is_number()) return std::nullopt;
  std::optional<ChartPoint> point = value_named(default_value).point_of(measurement);
  const double per_cell = operations.get<double>() / cells_per_word;
  point->x = point->y * per_cell / bytes.get<double>();
  for (double* value : {&point->y, &point->low, &point->high}) *value *= per_cell;
  return point;
}

// The limits of each device and number of threads between two places: bandwidth up to the ridge, then logic.
void add_limits(Chart& chart, const Json& ceilings, double from, double to) {
  std::set<std::string> seen;
  for (const Json& ceiling : ceilings) {
    const double copy = ceiling.at("copy_bytes_per_second").get<double>(),
                 logic = ceiling.at("logic_words_per_second").get<double>();
    const std::string name = fmt::format("{}, {} thread{}", words(ceiling.at("device")),
                                         ceiling.at("threads").dump(), ceiling.at("threads") == 1 ? "" : "s");
    if (!seen.insert(name).second) continue;
    const double ridge = logic > 0 ? std::clamp(logic / copy, from, to) : to;
    chart.limits.push_back({"memory, " + name, from, from * copy, ridge, ridge * copy});
    if (logic > 0) chart.limits.push_back({"logic, " + name, ridge, logic, to, logic});
  }
}

}  // namespace

Chart roofline_chart(const ChartInput& input) {
  Chart chart;
  chart.title = input.title("roofline: speed against memory traffic");
  chart.x = {"operations on 64-bit words per byte moved", true, {}};
  chart.y = {"operations on 64-bit words per second", true, {}};
  std::vector<const AxisSource*> by = input.axes.others({});
  if (by.empty()) by.push_back(&axis_named("kernel"));
  double minimum = INFINITY, maximum = 0;
  std::size_t lacking = 0;
  for (const Measurement& measurement : input.results.measurements) {
    const std::optional<ChartPoint> point = roofline_point(measurement);
    if (!point) {
      ++lacking;
      continue;
    }
    minimum = std::min(minimum, point->x);
    maximum = std::max(maximum, point->x);
    series_named(chart, name_by(measurement.row, by)).points.push_back(*point);
  }
  if (chart.series.empty())
    throw moorea::Error("no row has operations and bytes: a roofline needs kernels on bits");
  chart.caption = lacking_text(input, lacking, "known operations and bytes");
  add_limits(chart, input.results.ceilings, minimum / 2, maximum * 2);
  return chart;
}

}  // namespace app
