// SPDX-License-Identifier: MIT
// What a picture of measurements shows: numbers and words, no pixels. Tests compare these; svg.h draws them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/app.h"
#include "report/results.h"

namespace app {

enum class ChartKind { line, speedup, bars, heatmap, roofline };

/// Throws moorea::Error (usage) for what is none of "line", "speedup", "bars", "heatmap", "roofline".
ChartKind parse_chart_kind(const std::string& text);
const char* to_string(ChartKind kind);

struct ChartPoint {
  double x = 0;
  double y = 0;
  double low = 0, high = 0;     ///< the quartiles of the samples
  std::string label;            ///< of a bar; of a point, what was measured there
  std::string group{};          ///< of a bar: a heading stands above the first of each
  std::string note{};           ///< of a bar: a line below it
  bool mostly_skipped = false;  ///< of a bar: more than half of the world was left out
  bool busy = false;            ///< other processes used the CPUs meanwhile
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;
};

struct ChartAxis {
  std::string label;  ///< with its unit
  bool log = false;
  std::vector<std::string> names;  ///< where the places are no numbers: x is the place in this list
};

/// A limit that is drawn as a line.
struct ChartLimit {
  std::string name;
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

struct Chart {
  ChartKind kind = ChartKind::line;
  std::string title;
  ChartAxis x, y;
  std::string value;                ///< of a heat map's cells, with its unit
  std::vector<ChartSeries> series;  ///< of a heat map one: x and y are places, `low` the value
  std::vector<ChartLimit> limits;
  std::string caption;  ///< what is the same in all of it, and where it was measured
};

struct ChartOptions {
  std::optional<ChartKind> kind;  ///< nothing: what suits the axes that vary
  std::string x;                  ///< an axis of chart_axes(); empty: what suits
  std::string y;     ///< a value of chart_values() (heat maps: of the cells); empty: cells a second
  std::string rows;  ///< a heat map's second axis; empty: what suits
  std::string title;
};

/// The names of the axes and values that can be asked for.
std::vector<std::string> chart_axes();
std::vector<std::string> chart_values();

/// One chart, or several heat maps where more than two axes vary. Throws moorea::Error (usage) for axes that
/// these results do not have, (run) where nothing can be drawn.
std::vector<Chart> make_charts(const Results& results, const ChartOptions& options);

Json chart_json(const Chart& chart);

}  // namespace app
