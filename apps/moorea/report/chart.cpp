// SPDX-License-Identifier: MIT
#include "report/chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "moorea/error.h"
#include "report/chart_input.h"
#include "report/chart_kinds.h"

namespace app {
namespace {

constexpr const char* kinds[] = {"line", "speedup", "bars", "heatmap", "roofline", "maps"};  // as ChartKind

ChartKind suitable_kind(const ChartInput& input) {
  const AxisValues& axes = input.axes;
  if (!input.options.rows.empty()) return ChartKind::heatmap;
  if (input.options.x.empty() && input.value.name == std::string(frequency_value)) return ChartKind::maps;
  if (!input.options.x.empty() && input.options.x != "threads") return ChartKind::line;
  if (axes.is_numeric_everywhere("tile-width") && axes.is_numeric_everywhere("tile-height"))
    return ChartKind::heatmap;
  if (axes.is_numeric_everywhere("block") && axes.is_numeric_everywhere("bytes-per-thread"))
    return ChartKind::heatmap;
  if (axes.has_block_shapes()) return ChartKind::heatmap;
  if (axes.is_numeric("threads") && !input.value.is_cost) return ChartKind::speedup;
  return axes.first_numeric().empty() ? ChartKind::bars : ChartKind::line;
}

std::vector<Chart> charts_of(ChartKind kind, const ChartInput& input) {
  switch (kind) {
    case ChartKind::line:
      return {line_chart(input)};
    case ChartKind::speedup:
      return {speedup_chart(input)};
    case ChartKind::bars:
      return {bar_chart(input)};
    case ChartKind::heatmap:
      return heat_maps(input);
    case ChartKind::maps:
      return {frequency_maps(input)};
    case ChartKind::roofline:
      break;
  }
  return {roofline_chart(input)};
}

// Lines of more series cannot be told apart: they are several charts.
constexpr std::size_t max_series = 12;

Chart with_caption(Chart chart, ChartKind kind, const ChartInput& input) {
  chart.kind = kind;
  chart.caption = input.caption(chart) + chart.caption;
  return chart;
}

bool is_empty(const Chart& chart) {
  return std::ranges::all_of(chart.series, [](const ChartSeries& series) { return series.points.empty(); });
}

// A chart for each value of an axis; none if one of them could not be drawn.
std::vector<Chart> split_by(const AxisSource& axis, ChartKind kind, const ChartInput& input,
                            const ChartOptions& options) try {
  std::vector<Results> parts;
  for (const Json& value : input.axes.values(axis.name)) {
    if (value.is_null()) return {};
    Results part = input.results;
    std::erase_if(part.measurements, [&](const Measurement& each) { return axis.of(each.row) != value; });
    parts.push_back(std::move(part));
  }
  std::vector<Chart> charts;
  for (const Results& part : parts) {
    const ChartInput of_part(part, options);
    if (!of_part.axes.varies(options.x)) return {};
    Chart chart = with_caption(charts_of(kind, of_part).front(), kind, of_part);
    chart.title += ": " + name_by(part.measurements.front().row, {&axis});
    if (is_empty(chart)) return {};
    charts.push_back(std::move(chart));
  }
  return charts;
} catch (const moorea::Error&) {
  return {};  // what a chart of all can draw
}

// By the axis that leaves the fewest charts of few series; one chart if there is none.
std::vector<Chart> split_lines(Chart whole, ChartKind kind, const ChartInput& input) {
  ChartOptions options = input.options;
  options.x = kind == ChartKind::line ? line_axis(input) : speedup_axis(input);
  const auto cost = [](const std::vector<Chart>& charts) {
    std::size_t maximum = 0;  // of series in a chart
    for (const Chart& chart : charts) maximum = std::max(maximum, chart.series.size());
    return std::pair(maximum > max_series ? maximum : 0, charts.size());
  };
  std::vector<Chart> best;
  for (const AxisSource* const axis : input.axes.others({options.x})) {
    std::vector<Chart> charts = split_by(*axis, kind, input, options);
    if (charts.empty()) continue;
    if (best.empty() || cost(charts) < cost(best)) best = std::move(charts);
  }
  if (best.empty()) best.push_back(with_caption(std::move(whole), kind, input));
  return best;
}

Json axis_json(const ChartAxis& axis) {
  Json json = {{"label", axis.label}, {"log", axis.log}};
  if (!axis.names.empty()) json["names"] = axis.names;
  return json;
}

Json point_json(const ChartPoint& point, ChartKind kind) {
  Json json = {{"x", point.x}, {"y", point.y}};
  if (kind == ChartKind::heatmap || kind == ChartKind::maps) {
    json["value"] = point.low;
  } else {
    json["low"] = point.low;
    json["high"] = point.high;
  }
  if (!point.label.empty()) json["label"] = point.label;
  if (!point.group.empty()) json["group"] = point.group;
  if (!point.note.empty()) json["note"] = point.note;
  if (point.busy) json["busy"] = true;
  return json;
}

}  // namespace

ChartKind parse_chart_kind(const std::string& text) {
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    if (text == kinds[i]) return static_cast<ChartKind>(i);
  }
  usage(fmt::format("there is no kind of plot \"{}\": {}", text, joined(kinds, ", ")));
}

const char* to_string(ChartKind kind) { return kinds[static_cast<std::size_t>(kind)]; }

std::vector<Chart> make_charts(const Results& results, const ChartOptions& options) {
  const ChartInput input(results, options);
  const ChartKind kind = options.kind.value_or(suitable_kind(input));
  if (!options.rows.empty() && kind != ChartKind::heatmap) usage("--rows is for heat maps");
  if (!options.x.empty() &&
      (kind == ChartKind::bars || kind == ChartKind::roofline || kind == ChartKind::maps))
    usage(fmt::format("--x is not for {}", to_string(kind)));
  std::vector<Chart> charts = charts_of(kind, input);
  for (Chart& chart : charts) {
    if (is_empty(chart))
      throw moorea::Error(fmt::format("there is nothing to draw: no row has {}", input.value_label));
  }
  const bool has_lines = kind == ChartKind::line || kind == ChartKind::speedup;
  if (has_lines && charts.front().series.size() > max_series)
    return split_lines(std::move(charts.front()), kind, input);
  for (Chart& chart : charts) chart = with_caption(std::move(chart), kind, input);
  return charts;
}

Json chart_json(const Chart& chart) {
  Json json = {{"kind", to_string(chart.kind)},
               {"title", chart.title},
               {"x", axis_json(chart.x)},
               {"y", axis_json(chart.y)}};
  if (!chart.value.empty()) json["value"] = chart.value;
  if (chart.kind == ChartKind::heatmap) json["log_colours"] = chart.log_colours;
  json["series"] = Json::array();
  for (const ChartSeries& series : chart.series) {
    Json points = Json::array();
    for (const ChartPoint& point : series.points) points.push_back(point_json(point, chart.kind));
    json["series"].push_back({{"name", series.name}, {"points", points}});
  }
  json["limits"] = Json::array();
  for (const ChartLimit& limit : chart.limits)
    json["limits"].push_back(
        {{"name", limit.name}, {"x", {limit.x0, limit.x1}}, {"y", {limit.y0, limit.y1}}});
  if (!chart.table.empty()) json["table"] = chart.table;
  json["caption"] = chart.caption;
  return json;
}

}  // namespace app
