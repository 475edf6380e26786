// SPDX-License-Identifier: MIT
// A table is read twice, as it may be larger than memory: for the range of the generations, and for the
// values.
#include "report/population_chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "cli/numbers.h"
#include "moorea/error.h"
#include "report/table_file.h"

namespace app {
namespace {

constexpr std::size_t max_intervals = 400;

struct Interval {
  double generations = 0, values = 0;  // sums
  double first = 0, last = 0;          // generations
  double low = INFINITY, high = -INFINITY;
  double count = 0;
};

class Populations {
 public:
  Populations(const std::string& path, const std::string& column) : path_(path), table_(path) {
    const std::vector<std::string>& heads = table_.heads();
    const auto found = std::find(heads.begin() + 1, heads.end(), column);
    if (found == heads.end())
      throw moorea::Error(fmt::format("--value \"{}\": expected a column of {}: {}", column, path,
                                      joined({heads.begin() + 1, heads.end()}, ", ")),
                          moorea::ErrorKind::usage);
    columns_[1] = static_cast<std::size_t>(found - heads.begin());
  }

  ChartSeries series() {
    double first = INFINITY, last = -INFINITY, rows = 0;
    for_rows([&](double generation, double) {
      first = std::min(first, generation);
      last = std::max(last, generation);
      ++rows;
    });
    if (rows == 0) throw moorea::Error(fmt::format("{}: the table has no rows", path_));
    // The first and the last row are intervals of their own, for the line to begin and to end there; of few
    // rows all are
    const bool has_all = rows <= static_cast<double>(max_intervals);
    std::vector<Interval> intervals(has_all ? 0 : max_intervals);
    for_rows([&](double generation, double value) {
      if (has_all)
        add(intervals.emplace_back(), generation, value);
      else
        add(intervals[place_of(generation, first, last)], generation, value);
    });
    ChartSeries line;
    for (const Interval& each : intervals) {
      if (each.count > 0) line.points.push_back(point(each));
    }
    return line;
  }

 private:
  template <class Visit>
  void for_rows(const Visit& visit) {
    table_.for_rows(columns_, [&](std::span<const std::string_view> values) {
      if (values[1].empty()) return true;  // nothing has changed before the first generation
      const auto generation = number_in<double>(values[0]), value = number_in<double>(values[1]);
      if (!generation || !value || !std::isfinite(*generation) || !std::isfinite(*value)) return false;
      visit(*generation, *value);
      return true;
    });
  }

  // The table may have been replaced between two readings
  static std::size_t place_of(double generation, double first, double last) {
    if (!(generation > first)) return 0;
    if (!(generation < last)) return max_intervals - 1;
    const double part = (generation - first) / (last - first);
    return 1 + std::min(static_cast<std::size_t>(part * static_cast<double>(max_intervals - 2)),
                        max_intervals - 3);
  }

  static void add(Interval& interval, double generation, double value) {
    if (interval.count++ == 0) interval.first = generation;
    interval.last = generation;
    interval.generations += generation;
    interval.values += value;
    interval.low = std::min(interval.low, value);
    interval.high = std::max(interval.high, value);
  }

  static ChartPoint point(const Interval& interval) {
    ChartPoint point;
    point.x = interval.generations / interval.count;
    point.y = interval.values / interval.count;
    point.low = interval.low;
    point.high = interval.high;
    point.label = interval.count == 1
                      ? fmt::format("generation {:.0f}", interval.first)
                      : fmt::format("generations {:.0f} to {:.0f}", interval.first, interval.last);
    return point;
  }

  std::string path_;
  TableFile table_;
  std::array<std::size_t, 2> columns_ = {0, 0};
};

}  // namespace

bool is_population_table(const std::string& path) {
  if (!TableFile::begins_with(path, "generation,population")) return false;
  const std::vector<std::string> heads = TableFile(path).heads();
  return heads[1] == "population";
}

Chart population_chart(const std::vector<std::string>& paths, const std::string& column,
                       const std::string& title) {
  Chart chart;
  const std::string wanted = column.empty() ? "population" : column;
  chart.kind = ChartKind::line;
  chart.x.label = "generation";
  chart.y.label = wanted == "population" ? "live cells" : wanted == "changed" ? "changed cells" : wanted;
  chart.table.push_back({"table", "generations", "mean", "lowest", "highest"});
  const auto stem = [](const std::string& path) { return std::filesystem::path(path).stem().string(); };
  for (const std::string& path : paths) {
    chart.series.push_back(Populations(path, wanted).series());
    // Files of several folders may have one name
    const auto same = std::count_if(paths.begin(), paths.end(),
                                    [&](const std::string& other) { return stem(other) == stem(path); });
    chart.series.back().name = same == 1 ? stem(path) : path;
    for (const ChartPoint& each : chart.series.back().points)
      chart.table.push_back({chart.series.back().name, each.label, short_number(each.y, 6),
                             short_number(each.low, 6), short_number(each.high, 6)});
  }
  std::string what = wanted == "population" ? "Population" : wanted == "changed" ? "Changed cells" : wanted;
  if (paths.size() == 1) what += " of " + chart.series.front().name;
  chart.title = title.empty() ? what : title;
  chart.caption =
      "Lines: means of equally long intervals, if there are many generations; bars: their ranges.";
  return chart;
}

}  // namespace app
