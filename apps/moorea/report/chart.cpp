// SPDX-License-Identifier: MIT
#include "report/chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

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
    chart.kind = kind;
    chart.caption = input.caption(chart) + chart.caption;
    if (std::all_of(chart.series.begin(), chart.series.end(),
                    [](const auto& series) { return series.points.empty(); }))
      throw moorea::Error(fmt::format("there is nothing to draw: no row has {}", input.value_label));
  }
  return charts;
}

Json chart_json(const Chart& chart) {
  Json json = {{"kind", to_string(chart.kind)},
               {"title", chart.title},
               {"x", axis_json(chart.x)},
               {"y", axis_json(chart.y)}};
  if (!chart.value.empty()) json["value"] = chart.value;
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
