// SPDX-License-Identifier: MIT
#include "report/chart_axes.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "moorea/error.h"
#include "report/statistics.h"

namespace app {
namespace {

enum class SchedulePart { kind, chunk };

// "dynamic" or 4 of "dynamic,4"; the chunk is 0 if the schedule has none.
Json schedule_part(const Json& row, SchedulePart part) {
  const Json schedule = value_at(row, "tiling", "schedule");
  if (!schedule.is_string()) return {};
  const auto text = schedule.get<std::string>();
  const std::size_t comma = text.find(',');
  if (part == SchedulePart::kind) return text.substr(0, comma);
  if (comma == std::string::npos) return 0;
  return Json::parse(text.substr(comma + 1));
}

Json size_of(const Json& row) {
  if (row.at("width") == row.at("height")) return row.at("width");
  return fmt::format("{}x{}", row.at("width").dump(), row.at("height").dump());
}

Json block_of(const Json& row) {
  if (!row.contains("block")) return {};
  const Json& block = row.at("block");
  if (block.at("height") == 1) return block.at("width");
  return fmt::format("{}x{}", block.at("width").dump(), block.at("height").dump());
}

const AxisSource all_axes[] = {
    {"size", "width and height of the world", "cells", size_of},
    {"threads", "threads", "", [](const Json& row) { return value_at(row, "threads"); }},
    {"tile-width", "tile width", "cells", [](const Json& row) { return value_at(row, "tiling", "width"); }},
    {"tile-height", "tile height", "cells",
     [](const Json& row) { return value_at(row, "tiling", "height"); }},
    {"schedule", "schedule", "", [](const Json& row) { return schedule_part(row, SchedulePart::kind); }},
    {"chunk", "chunk", "tiles", [](const Json& row) { return schedule_part(row, SchedulePart::chunk); }},
    {"placement", "placement", "", [](const Json& row) { return value_at(row, "tiling", "placement"); }},
    {"wide-share", "share of threads with wide vectors", "",
     [](const Json& row) { return value_at(row, "wide_share"); }},
    {"shares", "shares of the rows", "", [](const Json& row) { return value_at(row, "shares"); }},
    {"block", "threads per block", "", block_of},
    {"block-width", "width of a thread block", "threads",
     [](const Json& row) { return value_at(row, "block", "width"); }, true},
    {"block-height", "height of a thread block", "threads",
     [](const Json& row) { return value_at(row, "block", "height"); }, true},
    {"bytes-per-thread", "bytes per thread", "",
     [](const Json& row) { return value_at(row, "bytes_per_thread"); }},
    {"generations-per-pass", "generations per pass", "",
     [](const Json& row) { return value_at(row, "generations_per_pass"); }},
    {"kernel", "kernel", "", [](const Json& row) { return value_at(row, "kernel"); }},
    {"device", "device", "", [](const Json& row) { return value_at(row, "device"); }},
    {"rule", "rule", "", [](const Json& row) { return value_at(row, "rule"); }},
    {"topology", "topology", "", [](const Json& row) { return value_at(row, "topology"); }},
    {"mesh", "mesh", "", [](const Json& row) { return value_at(row, "mesh"); }},
    {"adjacency", "adjacency", "", [](const Json& row) { return value_at(row, "adjacency"); }},
    {"numbering", "numbering", "", [](const Json& row) { return value_at(row, "numbering"); }},
    {"start", "start", "", [](const Json& row) { return value_at(row, "start"); }},
    {"after", "generations before", "", [](const Json& row) { return value_at(row, "after"); }},
    {"generations", "generations of a sample", "",
     [](const Json& row) { return value_at(row, "fixed_generations"); }},
};

std::optional<ChartPoint> frequency_point(const Measurement& measurement) {
  const Json frequency = value_at(measurement.row, "frequency");
  if (!frequency.is_object()) return std::nullopt;
  ChartPoint point;
  point.y = frequency.at("mean").get<double>();
  point.low = frequency.at("mean_of_min").get<double>();
  point.high = frequency.at("mean_of_max").get<double>();
  point.busy = is_busy(measurement.row);
  return point;
}

// In place of the key of a row its inverse
constexpr const char* inverse_value = "seconds-per-generation";

constexpr ValueSource all_values[] = {
    {default_value, "cells per second"},
    {"generations-per-second", "generations per second"},
    {"bytes-per-second", "bytes per second"},
    {inverse_value, "seconds a generation", true},
    {"joules-per-billion-updates", "joules a billion cell updates", true},
    {relative_value, "times the reference of --relative-to"},
    {"part-of-copy-bandwidth", "part of the copy bandwidth"},
    {"part-of-logic-throughput", "part of the logic throughput"},
    {frequency_value, "clock frequency (MHz)"},
};

}  // namespace

std::string AxisSource::text() const { return *unit != '\0' ? fmt::format("{} ({})", label, unit) : label; }

std::span<const AxisSource> axis_sources() { return all_axes; }

const AxisSource& axis_named(const std::string& name) {
  for (const AxisSource& axis : all_axes) {
    if (axis.name == name) return axis;
  }
  usage(fmt::format("there is no axis \"{}\": {}", name, joined(chart_axes(), ", ")));
}

const ValueSource& value_named(std::string_view name) {
  for (const ValueSource& value : all_values) {
    if (value.name == name) return value;
  }
  usage(fmt::format("there is no value \"{}\": {}", name, joined(chart_values(), ", ")));
}

std::optional<ChartPoint> ValueSource::point_of(const Measurement& measurement) const {
  if (name == std::string(frequency_value)) return frequency_point(measurement);
  const bool inverse = name == std::string(inverse_value);
  std::string key = inverse ? "generations-per-second" : name;
  std::replace(key.begin(), key.end(), '-', '_');
  const Json number = value_at(measurement.row, key.c_str());
  if (!number.is_number()) return std::nullopt;
  ChartPoint point;
  point.y = inverse ? 1 / number.get<double>() : number.get<double>();
  point.low = point.high = point.y;
  point.busy =
      is_busy(measurement.row) || (name == std::string(relative_value) && measurement.has_busy_reference);
  point.mostly_skipped = is_mostly_skipped(measurement.row);
  if (measurement.seconds.samples.size() > 1) {
    // Samples are times: the quartiles of a rate are those of its inverse
    std::vector<double> sorted = measurement.seconds.samples;
    std::sort(sorted.begin(), sorted.end());
    const double median = quantile(sorted, 0.5), lower = quantile(sorted, 0.25),
                 upper = quantile(sorted, 0.75);
    point.low = point.y * (is_cost ? lower / median : median / upper);
    point.high = point.y * (is_cost ? upper / median : median / lower);
  }
  return point;
}

std::vector<std::string> chart_axes() {
  std::vector<std::string> names;
  for (const AxisSource& axis : all_axes) names.emplace_back(axis.name);
  return names;
}

std::vector<std::string> chart_values() {
  std::vector<std::string> names;
  for (const ValueSource& value : all_values) names.emplace_back(value.name);
  return names;
}

}  // namespace app
