// SPDX-License-Identifier: MIT
// Charts of bars.
#include <fmt/core.h>

#include "report/chart_kinds.h"

namespace app {

Chart bar_chart(const ChartInput& input) {
  Chart chart;
  std::vector<const AxisSource*> by = input.axes.others({});
  if (by.empty()) by.push_back(&axis_named("kernel"));
  chart.title = input.title(
      fmt::format("{} by {}", input.value_label, by.size() == 1 ? by[0]->label : "configuration"));
  chart.x.label = input.value_label;
  chart.series.emplace_back();
  for (const Measurement& measurement : input.results.measurements) {
    std::optional<ChartPoint> point = input.value.point_of(measurement);
    if (!point) continue;
    point->label = name_by(measurement.row, by);
    point->x = static_cast<double>(chart.y.names.size());
    chart.y.names.push_back(point->label);
    chart.series[0].points.push_back(*point);
  }
  chart.x.log = suits_log(chart.series, &ChartPoint::y, 50);
  return chart;
}

}  // namespace app
