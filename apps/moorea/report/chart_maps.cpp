// SPDX-License-Identifier: MIT
// Maps of the clock frequency by core and time.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "moorea/error.h"
#include "report/chart_kinds.h"
#include "report/frequency.h"

namespace app {
namespace {

// Cells of all maps together and of a map in time: a page has an element for each.
constexpr std::size_t max_cells = 6000, max_columns = 64, min_columns = 12;

std::vector<NamedFrequency> records_of(const ChartInput& input) {
  std::vector<const AxisSource*> by = input.axes.others({});
  if (by.empty()) by.push_back(&axis_named("kernel"));
  std::vector<NamedFrequency> records;
  for (const Measurement& measurement : input.results.measurements) {
    const Json frequency = value_at(measurement.row, "frequency");
    if (!frequency.is_object()) continue;
    records.push_back({name_by(measurement.row, by), read_frequency(frequency)});
  }
  return records;
}

// Columns of time that all maps share.
struct Columns {
  double seconds = 0;  // of one
  std::size_t count = 0;
};

Columns columns_of(const std::vector<NamedFrequency>& records, std::size_t cores) {
  std::size_t ticks = 0;
  double seconds = 0;
  for (const auto& [name, record] : records) {
    ticks = std::max(ticks, record.ticks());
    seconds = std::max(seconds, static_cast<double>(record.ticks()) * record.interval_seconds);
  }
  const std::size_t most = std::clamp(max_cells / (cores * records.size()), min_columns, max_columns);
  const std::size_t count = std::min(ticks, most);
  return {seconds / static_cast<double>(count), count};
}

// The mean of each column that has a sample, for one core.
void add_row(ChartSeries& series, const FrequencyRecord& record, int cpu, double y, const Columns& columns) {
  const std::vector<int>& values = record.megahertz.at(cpu);
  std::vector<double> sums(columns.count), counts(columns.count);
  for (std::size_t tick = 0; tick < values.size(); ++tick) {
    if (values[tick] == 0) continue;
    // A tick at the border of two columns belongs to the later one, whatever the rounding
    const double place = static_cast<double>(tick) * record.interval_seconds / columns.seconds + 1e-9;
    const std::size_t column = std::min(static_cast<std::size_t>(place), columns.count - 1);
    sums[column] += values[tick];
    ++counts[column];
  }
  for (std::size_t i = 0; i < columns.count; ++i) {
    if (counts[i] == 0) continue;
    ChartPoint cell;
    cell.x = static_cast<double>(i) * columns.seconds;
    cell.y = y;
    cell.low = cell.high = sums[i] / counts[i];
    series.points.push_back(cell);
  }
}

}  // namespace

Chart frequency_maps(const ChartInput& input) {
  if (input.value.name != std::string(frequency_value))
    usage(fmt::format("maps of core and time are for --y {}", frequency_value));
  const std::vector<NamedFrequency> records = records_of(input);
  std::set<int> cpus;
  for (const auto& [name, record] : records) {
    for (const auto& [cpu, series] : record.megahertz) cpus.insert(cpu);
  }
  if (cpus.empty())
    throw moorea::Error("there is nothing to draw: no row has samples of the clock frequency");
  Chart chart;
  chart.title = input.title("clock frequency (MHz) by core and time");
  chart.x.label = "time (s)";
  chart.y.label = "core";
  chart.value = input.value.label;
  chart.table = frequency_table(records);
  for (const int cpu : cpus) chart.y.names.push_back(std::to_string(cpu));
  const Columns columns = columns_of(records, cpus.size());
  chart.cell_width = columns.seconds;
  for (const auto& [name, record] : records) {
    ChartSeries& series = chart.series.emplace_back(ChartSeries{name, {}});
    for (const auto& [cpu, values] : record.megahertz)
      add_row(series, record, cpu, place_of(chart.y.names, std::to_string(cpu)), columns);
  }
  return chart;
}

}  // namespace app
