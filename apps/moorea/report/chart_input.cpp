// SPDX-License-Identifier: MIT
#include "report/chart_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <sstream>

#include "moorea/error.h"

namespace app {
namespace {

std::vector<Json> distinct_values(const Results& results, const AxisSource& axis) {
  std::vector<Json> found;
  for (const Measurement& measurement : results.measurements) {
    const Json value = axis.of(measurement.row);
    if (std::find(found.begin(), found.end(), value) == found.end()) found.push_back(value);
  }
  return found;
}

// Whether each kernel has one value of the axis, such as a tile size of its own.
bool follows_kernel(const Results& results, const AxisSource& axis) {
  std::map<std::string, Json> of_kernel;
  return axis.name != std::string("kernel") &&
         std::all_of(results.measurements.begin(), results.measurements.end(), [&](const Measurement& each) {
           const Json value = axis.of(each.row);
           return of_kernel.try_emplace(words(each.row.at("kernel")), value).first->second == value;
         });
}

std::string label_of(const ValueSource& value, const Results& results) {
  if (value.name != std::string(relative_value)) return value.label;
  for (const Measurement& measurement : results.measurements) {
    const Json reference = value_at(measurement.row, "relative_to");
    if (reference.is_string()) return "times " + reference.get<std::string>();
  }
  return value.label;
}

// A value that all results share, in words; empty for a default.
std::string constant_text(const AxisSource& axis, const Json& value) {
  const std::string name = axis.name;
  if (value.is_null() || value == 0 || value == "none") return "";
  if (name == "size")
    return value.is_number() ? fmt::format("{0} x {0} cells", value.dump()) : words(value) + " cells";
  if (name == "threads") return value == 1 ? "1 thread" : value.dump() + " threads";
  if (value.is_number()) return fmt::format("{} {}", axis.label, value.dump());
  return name == "schedule" || name == "placement" ? fmt::format("{} {}", name, words(value)) : words(value);
}

// Kernels that were to be measured and have no row.
std::string not_timed_text(const Results& results) {
  constexpr std::size_t most = 4;
  std::vector<std::string> names;
  for (const std::string& kernel : results.not_timed) {
    const bool is_measured = std::ranges::any_of(
        results.measurements, [&](const Measurement& each) { return each.row.at("kernel") == kernel; });
    if (!is_measured && std::ranges::find(names, kernel) == names.end()) names.push_back(kernel);
  }
  if (names.empty()) return "";
  if (names.size() > most) {
    const std::string rest = fmt::format("and {} more", names.size() - most);
    names.resize(most);
    names.push_back(rest);
  }
  return fmt::format(" Not timed: {}.", joined(names, ", "));
}

// The devices of the machine that measurements ran on; all of them if one has another name.
std::vector<std::string> measured_devices(const Results& results) {
  std::set<std::string> names;
  for (const Measurement& each : results.measurements) {
    std::istringstream devices(words(value_at(each.row, "device")));  // "cpu" or "cpu,cuda:0"
    for (std::string name; std::getline(devices, name, ',');) names.insert(name);
  }
  std::vector<std::string> list;
  for (const Json& device : results.about.at("machine").at("devices")) {
    if (names.erase(device.at("name").get<std::string>()) > 0)
      list.push_back(device.at("description").get<std::string>());
  }
  return names.empty() ? list : results.devices;
}

std::string frequency_caption(const Results& results) {
  std::set<std::string> sources;
  for (const Measurement& each : results.measurements) {
    const Json source = value_at(each.row, "frequency", "source");
    if (source.is_string()) sources.insert(source.get<std::string>());
  }
  const std::vector<std::string> list(sources.begin(), sources.end());
  return fmt::format(
      "Means of the samples of all cores, with the means of the cores' minima and maxima; the rounds of a "
      "measurement follow each other. Source: {}.",
      joined(list, ", "));
}

}  // namespace

AxisValues::AxisValues(const Results& results) {
  for (const AxisSource& axis : axis_sources()) {
    values_[axis.name] = distinct_values(results, axis);
    if (follows_kernel(results, axis)) follows_kernel_.insert(axis.name);
  }
}

bool AxisValues::is_numeric(const std::string& axis) const {
  std::vector<Json> all = values_.at(axis);
  std::erase_if(all, [](const Json& value) { return value.is_null(); });
  return all.size() > 1 && std::all_of(all.begin(), all.end(), [](const Json& v) { return v.is_number(); });
}

bool AxisValues::is_numeric_everywhere(const std::string& axis) const {
  const std::vector<Json>& all = values_.at(axis);
  return is_numeric(axis) && std::find(all.begin(), all.end(), Json()) == all.end();
}

std::string AxisValues::first_numeric() const {
  for (const AxisSource& axis : axis_sources()) {
    if (!axis.is_side_of_block && is_numeric_everywhere(axis.name)) return axis.name;
  }
  return "";
}

bool AxisValues::has_block_shapes() const {
  const std::size_t widths = values("block-width").size(), heights = values("block-height").size();
  return is_numeric_everywhere("block-width") && is_numeric_everywhere("block-height") &&
         values("block").size() > std::max(widths, heights);
}

std::vector<const AxisSource*> AxisValues::others(const std::set<std::string>& used) const {
  const bool by_sides = used.contains("block-width") || used.contains("block-height");
  std::vector<const AxisSource*> list;
  for (const AxisSource& axis : axis_sources()) {
    if (axis.is_side_of_block ? !by_sides : by_sides && axis.name == std::string("block")) continue;
    const bool is_represented = follows_kernel_.contains(axis.name);
    if (varies(axis.name) && !used.contains(axis.name) && !is_represented) list.push_back(&axis);
  }
  return list;
}

std::vector<std::string> AxisValues::sorted_names(const std::string& axis) const {
  std::vector<Json> all = values(axis);
  if (is_numeric(axis)) std::sort(all.begin(), all.end());
  std::vector<std::string> names;
  for (const Json& value : all) {
    if (!value.is_null()) names.push_back(words(value));
  }
  return names;
}

ChartInput::ChartInput(const Results& the_results, const ChartOptions& the_options)
    : results(the_results),
      options(the_options),
      axes(results),
      value(value_named(options.y.empty() ? default_value : options.y)),
      value_label(label_of(value, results)) {}

std::string ChartInput::title(std::string default_title) const {
  default_title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(default_title[0])));
  return options.title.empty() ? default_title : options.title;
}

std::string ChartInput::caption(const Chart& chart) const {
  std::vector<std::string> parts;
  for (const AxisSource& axis : axis_sources()) {
    if (axes.varies(axis.name) || axis.is_side_of_block) continue;
    const std::string text = constant_text(axis, axes.values(axis.name).front());
    if (!text.empty()) parts.push_back(text);
  }
  std::vector<const Json*> rows;
  for (const Measurement& measurement : results.measurements) rows.push_back(&measurement.row);
  const bool of_clocks = value.name == std::string(frequency_value);
  std::size_t pale = 0, skipped = 0, all = 0;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) pale += point.busy, skipped += point.mostly_skipped, ++all;
  }
  const std::string busy = of_clocks ? busy_text(rows) : busy_text(rows, pale, all);
  const std::string statistics = of_clocks ? frequency_caption(results)
                                 : chart.kind == ChartKind::heatmap
                                     ? "Medians."
                                     : "Medians, with the quartiles of the samples.";
  const std::string ash =
      skipped == 0 ? ""
                   : fmt::format(" {} of {} measurements skipped most tiles: their speed is that of ash.",
                                 skipped, all);
  return fmt::format("{}. {} Measured on {}, {}, revision {}.{}{}{}", joined(parts, ", "), statistics,
                     joined(measured_devices(results), "; "),
                     results.about.at("date").get<std::string>().substr(0, 10),
                     results.about.at("revision").get<std::string>(),
                     busy.empty() ? "" : fmt::format(" {}{}.", of_clocks ? "" : "Pale: ", busy), ash,
                     not_timed_text(results));
}

const AxisSource& ChartInput::varying_axis(const std::string& name) const {
  const AxisSource& axis = axis_named(name);
  if (!axes.varies(name))
    throw moorea::Error(fmt::format("these results have one value of {} only", name),
                        moorea::ErrorKind::usage);
  return axis;
}

std::string name_by(const Json& row, const std::vector<const AxisSource*>& by) {
  std::vector<std::string> parts;
  for (const AxisSource* axis : by) {
    const Json value = axis->of(row);
    if (value.is_null()) continue;
    parts.push_back(value.is_string() ? value.get<std::string>()
                                      : fmt::format("{} {}", axis->name, value.dump()));
  }
  return joined(parts, ", ");
}

double place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<double>(std::find(names.begin(), names.end(), name) - names.begin());
}

ChartSeries& series_named(Chart& chart, const std::string& name) {
  for (ChartSeries& series : chart.series) {
    if (series.name == name) return series;
  }
  return chart.series.emplace_back(ChartSeries{name, {}});
}

std::string lacking_text(const ChartInput& input, std::size_t lacking, const std::string& axes) {
  return lacking == 0 ? ""
                      : fmt::format(" Not drawn: {} of {} measurements, which have no {}.", lacking,
                                    input.results.measurements.size(), axes);
}

bool suits_log(const std::vector<ChartSeries>& series, double ChartPoint::*value, double ratio) {
  double minimum = INFINITY, maximum = 0;
  for (const ChartSeries& each : series) {
    for (const ChartPoint& point : each.points) {
      minimum = std::min(minimum, point.*value);
      maximum = std::max(maximum, point.*value);
    }
  }
  return minimum > 0 && maximum / minimum > ratio;
}

}  // namespace app
