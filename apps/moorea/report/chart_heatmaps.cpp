// SPDX-License-Identifier: MIT
// Heat maps of two axes.
#include <fmt/core.h>

#include <map>
#include <string>

#include "moorea/error.h"
#include "report/chart_kinds.h"

namespace app {
namespace {

// The axes to the right and upwards: those that were requested, else tiles, else the shapes of thread blocks,
// or their threads and bytes per thread.
struct MapAxes {
  const AxisSource &x, &y;
};

MapAxes map_axes(const ChartInput& input) {
  std::string x = "tile-width", y = "tile-height";
  if (!input.axes.is_numeric(x) && input.axes.has_block_shapes()) {
    x = "block-width", y = "block-height";
  } else if (!input.axes.is_numeric(x) && input.axes.is_numeric("block")) {
    x = "block", y = "bytes-per-thread";
  }
  return {input.varying_axis(input.options.x.empty() ? x : input.options.x),
          input.varying_axis(input.options.rows.empty() ? y : input.options.rows)};
}

Chart empty_map(const ChartInput& input, const MapAxes& axes, const std::string& name) {
  Chart chart;
  chart.title = input.title(fmt::format("{} by {} and {}", input.value_label, axes.x.label, axes.y.label));
  if (!name.empty()) chart.title += ": " + name;
  chart.x = {axes.x.text(), false, input.axes.sorted_names(axes.x.name)};
  chart.y = {axes.y.text(), false, input.axes.sorted_names(axes.y.name)};
  chart.value = input.value_label;
  chart.series.emplace_back();
  return chart;
}

}  // namespace

std::vector<Chart> heat_maps(const ChartInput& input) {
  const MapAxes axes = map_axes(input);
  const std::vector<const AxisSource*> by = input.axes.others({axes.x.name, axes.y.name});
  std::vector<Chart> charts;
  std::map<std::string, std::size_t> places;  // of the maps, by the values of the other axes
  std::size_t lacking = 0;
  for (const Measurement& measurement : input.results.measurements) {
    const std::optional<ChartPoint> point = input.value.point_of(measurement);
    const Json column = axes.x.of(measurement.row), row = axes.y.of(measurement.row);
    if (!point || column.is_null() || row.is_null()) {
      ++lacking;
      continue;
    }
    const std::string name = name_by(measurement.row, by);
    const auto [place, is_new] = places.emplace(name, charts.size());
    if (is_new) charts.push_back(empty_map(input, axes, name));
    Chart& chart = charts[place->second];
    ChartPoint cell;
    cell.x = place_of(chart.x.names, words(column));
    cell.y = place_of(chart.y.names, words(row));
    cell.low = cell.high = point->y;
    cell.busy = point->busy;
    cell.mostly_skipped = point->mostly_skipped;
    chart.series[0].points.push_back(cell);
  }
  if (charts.empty())
    throw moorea::Error(fmt::format("there is nothing to draw: no row has {}", input.value_label));
  for (Chart& chart : charts) {
    chart.log_colours = suits_log(chart.series, &ChartPoint::low, 30);
    chart.caption = (chart.log_colours ? " The colours are logarithmic." : "") +
                    lacking_text(input, lacking, fmt::format("{} or {}", axes.x.label, axes.y.label));
  }
  return charts;
}

}  // namespace app
