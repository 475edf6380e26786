// SPDX-License-Identifier: MIT
#include "report/chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "moorea/error.h"
#include "report/statistics.h"

namespace app {
namespace {

[[noreturn]] void usage(const std::string& text) { throw moorea::Error(text, moorea::ErrorKind::usage); }

constexpr const char* kinds[] = {"line", "speedup", "bars", "heatmap", "roofline"};

// The kind of a schedule, and its chunk; 0 where it has none.
Json schedule_part(const Json& row, bool chunk) {
  const Json schedule = value_at(row, "tiling", "schedule");
  if (!schedule.is_string()) return {};
  const auto text = schedule.get<std::string>();
  const std::size_t comma = text.find(',');
  if (!chunk) return text.substr(0, comma);
  if (comma == std::string::npos) return 0;
  return Json::parse(text.substr(comma + 1));
}

Json size_of(const Json& row) {
  if (row.at("width") == row.at("height")) return row.at("width");
  return fmt::format("{}x{}", row.at("width").dump(), row.at("height").dump());
}

struct Axis {
  const char* name;
  const char* label;
  const char* unit;
  Json (*of)(const Json& row);

  std::string text() const { return *unit != '\0' ? fmt::format("{} ({})", label, unit) : label; }
};

// Whatever can vary, numbers where they are.
const Axis axes[] = {
    {"size", "width and height of the world", "cells", size_of},
    {"threads", "threads", "", [](const Json& row) { return value_at(row, "threads"); }},
    {"tile-width", "tile width", "cells", [](const Json& row) { return value_at(row, "tiling", "width"); }},
    {"tile-height", "tile height", "cells",
     [](const Json& row) { return value_at(row, "tiling", "height"); }},
    {"schedule", "schedule", "", [](const Json& row) { return schedule_part(row, false); }},
    {"chunk", "chunk", "tiles", [](const Json& row) { return schedule_part(row, true); }},
    {"placement", "placement", "", [](const Json& row) { return value_at(row, "tiling", "placement"); }},
    {"block", "threads a block", "",
     [](const Json& row) {
       if (!row.contains("block")) return Json();
       const Json& block = row.at("block");
       if (block.at("height") == 1) return block.at("width");
       return Json(fmt::format("{}x{}", block.at("width").dump(), block.at("height").dump()));
     }},
    {"bytes-per-thread", "bytes a thread", "",
     [](const Json& row) { return value_at(row, "bytes_per_thread"); }},
    {"generations-per-pass", "generations a pass", "",
     [](const Json& row) { return value_at(row, "generations_per_pass"); }},
    {"kernel", "kernel", "", [](const Json& row) { return value_at(row, "kernel"); }},
    {"device", "device", "", [](const Json& row) { return value_at(row, "device"); }},
    {"rule", "rule", "", [](const Json& row) { return value_at(row, "rule"); }},
    {"topology", "topology", "", [](const Json& row) { return value_at(row, "topology"); }},
    {"start", "start", "", [](const Json& row) { return value_at(row, "start"); }},
    {"after", "generations before", "", [](const Json& row) { return value_at(row, "after"); }},
};

struct Value {
  const char* name;
  const char* label;
};

constexpr Value values[] = {
    {"cells-per-second", "cells per second"},
    {"generations-per-second", "generations per second"},
    {"bytes-per-second", "bytes per second"},
    {"seconds-per-generation", "seconds a generation"},
    {"joules-per-billion-updates", "joules a billion cell updates"},
    {"part-of-copy-bandwidth", "part of the copy bandwidth"},
    {"part-of-logic-throughput", "part of the logic throughput"},
};

const Axis& axis_named(const std::string& name) {
  for (const Axis& axis : axes) {
    if (axis.name == name) return axis;
  }
  usage(fmt::format("there is no axis \"{}\": {}", name, joined(chart_axes(), ", ")));
}

const Value& value_named(const std::string& name) {
  for (const Value& value : values) {
    if (value.name == name) return value;
  }
  usage(fmt::format("there is no value \"{}\": {}", name, joined(chart_values(), ", ")));
}

// Whether less of it is better.
bool is_cost(const Value& value) {
  const std::string name = value.name;
  return name == "seconds-per-generation" || name == "joules-per-billion-updates";
}

// A number and its quartiles; the samples are times, so what is per second is turned over.
std::optional<ChartPoint> point_of(const Measurement& measurement, const Value& value) {
  const bool grows_with_time = is_cost(value),
             turned_over = value.name == std::string("seconds-per-generation");
  std::string key = turned_over ? "generations-per-second" : value.name;
  std::replace(key.begin(), key.end(), '-', '_');
  const Json number = value_at(measurement.row, key.c_str());
  if (!number.is_number()) return std::nullopt;
  ChartPoint point;
  point.y = turned_over ? 1 / number.get<double>() : number.get<double>();
  point.low = point.high = point.y;
  point.busy = is_busy(measurement.row);
  if (measurement.seconds.samples.size() > 1) {
    std::vector<double> sorted = measurement.seconds.samples;
    std::sort(sorted.begin(), sorted.end());
    const double median = quantile(sorted, 0.5), lower = quantile(sorted, 0.25),
                 upper = quantile(sorted, 0.75);
    point.low = point.y * (grows_with_time ? lower / median : median / upper);
    point.high = point.y * (grows_with_time ? upper / median : median / lower);
  }
  return point;
}

// Axes that have more than one value in the results, and what the others are.
class Varying {
 public:
  explicit Varying(const Results& results) {
    for (const Axis& axis : axes) {
      std::vector<Json> found;
      for (const Measurement& measurement : results.measurements) {
        const Json value = axis.of(measurement.row);
        if (std::find(found.begin(), found.end(), value) == found.end()) found.push_back(value);
      }
      values_[axis.name] = found;
    }
    // Where each kernel has its own tile or block, that says no more than the kernel's name
    for (const Axis& axis : axes) {
      std::map<std::string, std::vector<Json>> of_kernel;
      bool follows = axis.name != std::string("kernel");
      for (const Measurement& measurement : results.measurements) {
        std::vector<Json>& found = of_kernel[words(measurement.row.at("kernel"))];
        const Json value = axis.of(measurement.row);
        if (found.empty()) found.push_back(value);
        follows = follows && found.front() == value;
      }
      if (follows) follows_kernel_.insert(axis.name);
    }
  }

  bool varies(const std::string& axis) const { return values_.at(axis).size() > 1; }

  // Whether it has two numbers or more, and nothing else.
  bool numeric(const std::string& axis) const {
    const std::vector<Json>& all = values_.at(axis);
    return all.size() > 1 && std::all_of(all.begin(), all.end(), [](const Json& v) { return v.is_number(); });
  }

  std::vector<const Axis*> others(const std::set<std::string>& used) const {
    std::vector<const Axis*> list;
    for (const Axis& axis : axes) {
      const bool said = !used.contains("kernel") && follows_kernel_.contains(axis.name);
      if (varies(axis.name) && !used.contains(axis.name) && !said) list.push_back(&axis);
    }
    return list;
  }

  const std::vector<Json>& values(const std::string& axis) const { return values_.at(axis); }

 private:
  std::map<std::string, std::vector<Json>> values_;
  std::set<std::string> follows_kernel_;
};

// In words, what a measurement is among the others.
std::string name_of(const Json& row, const std::vector<const Axis*>& by) {
  std::vector<std::string> parts;
  for (const Axis* axis : by) {
    const Json value = axis->of(row);
    if (value.is_null()) continue;
    parts.push_back(value.is_string() ? value.get<std::string>()
                                      : fmt::format("{} {}", axis->name, value.dump()));
  }
  return joined(parts, ", ");
}

// What is the same in all measurements, in words; nothing for what is as usual.
std::string constant_text(const Axis& axis, const Json& value) {
  const std::string name = axis.name;
  if (value.is_null() || value == 0 || value == "none") return "";
  if (name == "size")
    return value.is_number() ? fmt::format("{0} x {0} cells", value.dump()) : words(value) + " cells";
  if (name == "threads") return value == 1 ? "1 thread" : value.dump() + " threads";
  if (value.is_number()) return fmt::format("{} {}", axis.label, value.dump());
  return name == "schedule" || name == "placement" ? fmt::format("{} {}", name, words(value)) : words(value);
}

std::string caption_of(const Results& results, const Varying& varying) {
  std::vector<std::string> parts;
  for (const Axis& axis : axes) {
    if (varying.varies(axis.name)) continue;
    const std::string text = constant_text(axis, varying.values(axis.name).front());
    if (!text.empty()) parts.push_back(text);
  }
  std::vector<const Json*> rows;
  for (const Measurement& measurement : results.measurements) rows.push_back(&measurement.row);
  const std::string busy = busy_text(rows);
  return fmt::format("{}. Medians, with the quartiles of the samples. Measured on {}, {}, revision {}.{}",
                     joined(parts, ", "), joined(results.devices, "; "),
                     results.about.at("date").get<std::string>().substr(0, 10),
                     results.about.at("revision").get<std::string>(),
                     busy.empty() ? "" : fmt::format(" Pale: {}.", busy));
}

bool wide(double minimum, double maximum, double ratio) { return minimum > 0 && maximum / minimum > ratio; }

// A logarithmic scale where the values are far apart.
bool log_of(const std::vector<ChartSeries>& series, double ChartPoint::*value, double ratio) {
  double minimum = INFINITY, maximum = 0;
  for (const ChartSeries& each : series) {
    for (const ChartPoint& point : each.points) {
      minimum = std::min(minimum, point.*value);
      maximum = std::max(maximum, point.*value);
    }
  }
  return wide(minimum, maximum, ratio);
}

class Maker {
 public:
  Maker(const Results& results, const ChartOptions& options)
      : results_(results),
        options_(options),
        varying_(results),
        value_(value_named(options.y.empty() ? "cells-per-second" : options.y)) {}

  std::vector<Chart> charts() const {
    const ChartKind kind = options_.kind.value_or(suitable());
    if (!options_.rows.empty() && kind != ChartKind::heatmap) usage("--rows is for heat maps");
    if (!options_.x.empty() && (kind == ChartKind::bars || kind == ChartKind::roofline))
      usage(fmt::format("--x is not for {}", to_string(kind)));
    if (kind == ChartKind::speedup && is_cost(value_))
      usage(fmt::format("a speed-up is of speeds, not of {}", value_.label));
    std::vector<Chart> charts;
    switch (kind) {
      case ChartKind::line:
        charts.push_back(line(options_.x.empty() ? first_numeric() : options_.x, false));
        break;
      case ChartKind::speedup:
        charts.push_back(line(options_.x.empty() ? "threads" : options_.x, true));
        break;
      case ChartKind::bars:
        charts.push_back(bars());
        break;
      case ChartKind::heatmap:
        charts = heatmaps();
        break;
      case ChartKind::roofline:
        charts.push_back(roofline());
        break;
    }
    for (Chart& chart : charts) {
      chart.kind = kind;
      if (chart.caption.empty()) chart.caption = caption_of(results_, varying_);
      if (std::all_of(chart.series.begin(), chart.series.end(),
                      [](const auto& s) { return s.points.empty(); }))
        throw moorea::Error(fmt::format("there is nothing to draw: no row has {}", value_.label));
    }
    return charts;
  }

 private:
  ChartKind suitable() const {
    if (!options_.rows.empty()) return ChartKind::heatmap;
    if (!options_.x.empty() && options_.x != "threads") return ChartKind::line;
    if (varying_.numeric("tile-width") && varying_.numeric("tile-height")) return ChartKind::heatmap;
    if (varying_.numeric("block") && varying_.numeric("bytes-per-thread")) return ChartKind::heatmap;
    if (varying_.numeric("threads") && !is_cost(value_)) return ChartKind::speedup;
    return first_numeric().empty() ? ChartKind::bars : ChartKind::line;
  }

  std::string first_numeric() const {
    for (const Axis& axis : axes) {
      if (varying_.numeric(axis.name)) return axis.name;
    }
    return "";
  }

  std::string title(std::string usual) const {
    usual[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(usual[0])));
    return options_.title.empty() ? usual : options_.title;
  }

  Chart line(const std::string& x, bool speedup) const {
    if (x.empty())
      usage("no axis of these results has several numbers, so there is no line: try --kind bars");
    const Axis& axis = axis_named(x);
    if (!varying_.varies(x)) usage(fmt::format("these results have one value of {} only", x));
    Chart chart;
    chart.x.label = axis.text();
    const bool numbers = varying_.numeric(x);
    if (!numbers) {
      for (const Json& value : varying_.values(x)) chart.x.names.push_back(words(value));
    }
    const std::vector<const Axis*> by = varying_.others({x});
    for (const Measurement& measurement : results_.measurements) {
      std::optional<ChartPoint> point = point_of(measurement, value_);
      const Json place = axis.of(measurement.row);
      if (!point || place.is_null()) continue;
      point->x = numbers ? place.get<double>() : place_of(chart.x.names, words(place));
      series_named(chart, name_of(measurement.row, by)).points.push_back(*point);
    }
    for (ChartSeries& series : chart.series) {
      std::stable_sort(series.points.begin(), series.points.end(),
                       [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
    }
    if (speedup) {
      relate(chart, axis);
    } else {
      chart.title = title(fmt::format("{} by {}", value_.label, axis.label));
      chart.y.label = value_.label;
      chart.y.log = log_of(chart.series, &ChartPoint::y, 30);
    }
    chart.x.log = numbers && log_of(chart.series, &ChartPoint::x, 8);
    return chart;
  }

  // Against each series' point at the least place, of threads with a line of what would be ideal.
  void relate(Chart& chart, const Axis& axis) const {
    double first = INFINITY, last = 0;
    for (const ChartSeries& series : chart.series) {
      first = std::min(first, series.points.front().x);
      last = std::max(last, series.points.back().x);
    }
    if (!chart.x.names.empty() || first <= 0)
      usage(fmt::format("a speed-up needs numbers above 0: {} has others", axis.name));
    std::erase_if(chart.series, [&](const ChartSeries& series) { return series.points.front().x != first; });
    for (ChartSeries& series : chart.series) {
      const double base = series.points.front().y;
      for (ChartPoint& point : series.points) {
        point.y /= base;
        point.low /= base;
        point.high /= base;
      }
    }
    chart.title = title(fmt::format("speed-up by {}", axis.label));
    chart.y.label = fmt::format("speed-up over {:g} {}", first,
                                first == 1 && axis.name == std::string("threads") ? "thread" : axis.label);
    // Twice the threads can be expected to be twice as fast, twice the chunk or the tile cannot
    if (axis.name == std::string("threads"))
      chart.limits.push_back({"in proportion", first, 1, last, last / first});
  }

  Chart bars() const {
    Chart chart;
    std::vector<const Axis*> by = varying_.others({});
    if (by.empty()) by.push_back(&axis_named("kernel"));
    chart.title =
        title(fmt::format("{} by {}", value_.label, by.size() == 1 ? by[0]->label : "configuration"));
    chart.x.label = value_.label;
    chart.series.emplace_back();
    for (const Measurement& measurement : results_.measurements) {
      std::optional<ChartPoint> point = point_of(measurement, value_);
      if (!point) continue;
      point->label = name_of(measurement.row, by);
      point->mostly_skipped = is_mostly_skipped(measurement.row);
      point->x = static_cast<double>(chart.y.names.size());
      chart.y.names.push_back(point->label);
      chart.series[0].points.push_back(*point);
    }
    chart.x.log = log_of(chart.series, &ChartPoint::y, 50);
    return chart;
  }

  std::vector<Chart> heatmaps() const {
    const bool blocks = !varying_.numeric("tile-width") && varying_.numeric("block");
    const std::string x = !options_.x.empty() ? options_.x
                          : blocks            ? "block"
                                              : "tile-width",
                      y = !options_.rows.empty() ? options_.rows
                          : blocks               ? "bytes-per-thread"
                                                 : "tile-height";
    for (const std::string& name : {x, y}) {
      axis_named(name);
      if (!varying_.varies(name)) usage(fmt::format("these results have one value of {} only", name));
    }
    const std::vector<const Axis*> by = varying_.others({x, y});
    std::vector<Chart> charts;
    std::map<std::string, std::size_t> panels;
    for (const Measurement& measurement : results_.measurements) {
      std::optional<ChartPoint> point = point_of(measurement, value_);
      const Json column = axis_named(x).of(measurement.row), row = axis_named(y).of(measurement.row);
      if (!point || column.is_null() || row.is_null()) continue;
      const std::string name = name_of(measurement.row, by);
      if (!panels.contains(name)) {
        panels[name] = charts.size();
        Chart chart;
        chart.title =
            title(fmt::format("{} by {} and {}", value_.label, axis_named(x).label, axis_named(y).label));
        if (!name.empty()) chart.title += ": " + name;
        chart.x = {axis_named(x).text(), false, sorted_names(x)};
        chart.y = {axis_named(y).text(), false, sorted_names(y)};
        chart.value = value_.label;
        chart.series.emplace_back();
        charts.push_back(std::move(chart));
      }
      Chart& chart = charts[panels[name]];
      ChartPoint cell;
      cell.x = place_of(chart.x.names, words(column));
      cell.y = place_of(chart.y.names, words(row));
      cell.low = cell.high = point->y;
      cell.busy = point->busy;
      chart.series[0].points.push_back(cell);
    }
    if (charts.empty())
      throw moorea::Error(fmt::format("there is nothing to draw: no row has {}", value_.label));
    return charts;
  }

  // Word operations a second against word operations a byte, below what memory and logic allow.
  Chart roofline() const {
    Chart chart;
    chart.title = title("roofline: speed against memory traffic");
    chart.x = {"operations on 64-bit words per byte moved", true, {}};
    chart.y = {"operations on 64-bit words per second", true, {}};
    const std::vector<const Axis*> by = varying_.others({});
    double minimum = INFINITY, maximum = 0;
    for (const Measurement& measurement : results_.measurements) {
      const Json operations = value_at(measurement.row, "operations_per_word"),
                 bytes = value_at(measurement.row, "bytes_per_second");
      if (!operations.is_number() || !bytes.is_number()) continue;
      std::optional<ChartPoint> point = point_of(measurement, values[0]);
      const double a_cell = operations.get<double>() / 64;
      point->x = point->y * a_cell / bytes.get<double>();
      for (double* value : {&point->y, &point->low, &point->high}) *value *= a_cell;
      minimum = std::min(minimum, point->x);
      maximum = std::max(maximum, point->x);
      series_named(chart, by.empty() ? words(measurement.row.at("kernel")) : name_of(measurement.row, by))
          .points.push_back(*point);
    }
    if (chart.series.empty())
      throw moorea::Error("no row has operations and bytes: a roofline needs kernels on bits");
    minimum /= 2;
    maximum *= 2;
    std::set<std::string> seen;
    for (const Json& ceiling : results_.ceilings) {
      const double copy = ceiling.at("copy_bytes_per_second").get<double>(),
                   logic = ceiling.at("logic_words_per_second").get<double>();
      const std::string name =
          fmt::format("{}, {} thread{}", words(ceiling.at("device")), ceiling.at("threads").dump(),
                      ceiling.at("threads") == 1 ? "" : "s");
      if (!seen.insert(name).second) continue;
      const double ridge = logic > 0 ? std::clamp(logic / copy, minimum, maximum) : maximum;
      chart.limits.push_back({"memory, " + name, minimum, minimum * copy, ridge, ridge * copy});
      if (logic > 0) chart.limits.push_back({"logic, " + name, ridge, logic, maximum, logic});
    }
    return chart;
  }

  std::vector<std::string> sorted_names(const std::string& axis) const {
    std::vector<Json> all = varying_.values(axis);
    if (varying_.numeric(axis)) std::sort(all.begin(), all.end());
    std::vector<std::string> names;
    for (const Json& value : all) {
      if (!value.is_null()) names.push_back(words(value));
    }
    return names;
  }

  static double place_of(const std::vector<std::string>& names, const std::string& name) {
    return static_cast<double>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  static ChartSeries& series_named(Chart& chart, const std::string& name) {
    for (ChartSeries& series : chart.series) {
      if (series.name == name) return series;
    }
    return chart.series.emplace_back(ChartSeries{name, {}});
  }

  const Results& results_;
  const ChartOptions& options_;
  Varying varying_;
  const Value& value_;
};

Json axis_json(const ChartAxis& axis) {
  Json json = {{"label", axis.label}, {"log", axis.log}};
  if (!axis.names.empty()) json["names"] = axis.names;
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

std::vector<std::string> chart_axes() {
  std::vector<std::string> names;
  for (const Axis& axis : axes) names.emplace_back(axis.name);
  return names;
}

std::vector<std::string> chart_values() {
  std::vector<std::string> names;
  for (const Value& value : values) names.emplace_back(value.name);
  return names;
}

std::vector<Chart> make_charts(const Results& results, const ChartOptions& options) {
  return Maker(results, options).charts();
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
    for (const ChartPoint& point : series.points) {
      Json entry = {{"x", point.x}, {"y", point.y}};
      if (chart.kind == ChartKind::heatmap) {
        entry["value"] = point.low;
      } else {
        entry["low"] = point.low;
        entry["high"] = point.high;
      }
      if (!point.label.empty()) entry["label"] = point.label;
      if (!point.group.empty()) entry["group"] = point.group;
      if (!point.note.empty()) entry["note"] = point.note;
      if (point.busy) entry["busy"] = true;
      points.push_back(entry);
    }
    json["series"].push_back({{"name", series.name}, {"points", points}});
  }
  json["limits"] = Json::array();
  for (const ChartLimit& limit : chart.limits)
    json["limits"].push_back(
        {{"name", limit.name}, {"x", {limit.x0, limit.x1}}, {"y", {limit.y0, limit.y1}}});
  json["caption"] = chart.caption;
  return json;
}

}  // namespace app
