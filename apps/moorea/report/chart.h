// SPDX-License-Identifier: MIT
// Charts of measurements as numbers and words, without pixels: the tests compare these, and svg.h draws them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/app.h"
#include "report/results.h"

namespace app {

enum class ChartKind { line, speedup, bars, heatmap, roofline, maps };

/// Parses "line", "speedup", "bars", "heatmap", "roofline" or "maps". Throws moorea::Error (usage) for other
/// texts.
ChartKind parse_chart_kind(const std::string& text);
const char* to_string(ChartKind kind);

struct ChartPoint {
  double x = 0;
  double y = 0;
  double low = 0, high = 0;     ///< quartiles of the samples
  std::string label;            ///< name of a bar, or of the configuration at a point
  std::string group{};          ///< heading above the first bar of a group
  std::string note{};           ///< line below a bar
  bool mostly_skipped = false;  ///< whether more than half of the tiles were skipped
  bool busy = false;            ///< whether other processes used the CPUs during the measurement
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;
};

struct ChartAxis {
  std::string label;  ///< with its unit
  bool log = false;
  std::vector<std::string> names;  ///< values that are not numbers: x or y is an index of this list
};

/// A limit of the speed, drawn as a line between two points.
struct ChartLimit {
  std::string name;
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

struct Chart {
  ChartKind kind = ChartKind::line;
  std::string title;
  ChartAxis x, y;
  std::string value;         ///< label of a heat map's cells, with its unit
  bool log_colours = false;  ///< whether its colours are of the values' logarithms
  /// A heat map has one: x and y are indices of names, `low` is the value. Maps have one for each map: x is
  /// a time.
  std::vector<ChartSeries> series;
  std::vector<ChartLimit> limits;
  double cell_width = 0;                        ///< maps: seconds of a cell
  std::vector<std::vector<std::string>> table;  ///< numbers below the chart, with heads; empty: the points
  std::string caption;  ///< values that all measurements share, the machine, and what is not drawn
};

struct ChartOptions {
  std::optional<ChartKind> kind;  ///< empty: chosen by the axes that vary
  std::string x;                  ///< an axis of chart_axes(); empty: chosen by the axes that vary
  std::string y;      ///< a value of chart_values() (heat maps: of the cells); empty: cells per second
  std::string rows;   ///< second axis of a heat map; empty: chosen by the axes that vary
  std::string title;  ///< empty: made from the axes
};

/// Names of the axes and values that ChartOptions accepts.
std::vector<std::string> chart_axes();
std::vector<std::string> chart_values();

/// Makes one chart, or several heat maps if more than two axes vary, or several charts of lines if there are
/// more than twelve. Throws moorea::Error (usage) for axes
/// that these results do not have, and (run) if there is nothing to draw.
std::vector<Chart> make_charts(const Results& results, const ChartOptions& options);

Json chart_json(const Chart& chart);

}  // namespace app
