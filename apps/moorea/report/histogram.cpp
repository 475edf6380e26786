// SPDX-License-Identifier: MIT
// The table is read twice, as it may be larger than memory: for the range of the values, and for their
// numbers.
#include "report/histogram.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "cli/numbers.h"
#include "moorea/error.h"
#include "moorea/support/file_names.h"
#include "report/table_file.h"

namespace app {
namespace {

constexpr const char* world_table_begins = "world,generation";
constexpr std::size_t max_bins = 40;

struct WorldHistogram {
  std::map<std::uint64_t, std::uint64_t> bins;  // worlds by number of the interval
  double worlds = 0, sum = 0;
};

std::size_t column_named(const std::vector<std::string>& heads, const std::string& name) {
  std::vector<std::string> numbers;
  for (const std::string& head : heads) {
    if (head != "hash" && head != "seed" && head != "world" && head != "rule") numbers.push_back(head);
  }
  std::string wanted = name;
  if (wanted.empty()) {
    const bool counts = std::find(numbers.begin(), numbers.end(), "population") != numbers.end();
    wanted = counts ? "population" : numbers.size() > 1 ? numbers[1] : numbers[0];
  }
  if (std::find(numbers.begin(), numbers.end(), wanted) == numbers.end())
    throw moorea::Error(fmt::format("--value \"{}\": expected a column of numbers of the table: {}", wanted,
                                    joined(numbers, ", ")),
                        moorea::ErrorKind::usage);
  return static_cast<std::size_t>(std::find(heads.begin(), heads.end(), wanted) - heads.begin());
}

// Calls visit(rule, value) for each row; the rule is 0 in a table of one rule.
template <class Visit>
void for_rows(TableFile& table, std::size_t column, const Visit& visit) {
  const auto& heads = table.heads();
  const auto rule = static_cast<std::size_t>(std::find(heads.begin(), heads.end(), "rule") - heads.begin());
  std::vector<std::size_t> columns = {column};
  if (rule < heads.size()) columns.push_back(rule);
  table.for_rows(columns, [&](std::span<const std::string_view> values) {
    const auto value = number_in<std::uint64_t>(values[0]),
               of_rule = columns.size() == 1 ? 0 : number_in<std::uint64_t>(values[1]);
    if (!value || !of_rule) return false;
    visit(*of_rule, *value);
    return true;
  });
}

// Width of intervals, 1, 2 or 5 times a power of ten, of which there are at most max_bins.
std::uint64_t bin_width(std::uint64_t minimum, std::uint64_t maximum) {
  for (std::uint64_t power = 1;; power *= 10) {
    for (const std::uint64_t factor : {1, 2, 5}) {
      const std::uint64_t width = factor * power;
      if (maximum / width - minimum / width < max_bins) return width;
    }
  }
}

Chart chart_of(const WorldHistogram& histogram, const std::string& name, std::uint64_t width) {
  Chart chart;
  chart.kind = ChartKind::bars;
  chart.x.label = "worlds";
  chart.series.emplace_back();
  const auto add = [&](std::uint64_t bin) {
    const auto found = histogram.bins.find(bin);
    const auto count = static_cast<double>(found == histogram.bins.end() ? 0 : found->second);
    ChartPoint point;
    point.label =
        width <= 1 ? std::to_string(bin) : fmt::format("{} to {}", bin * width, (bin + 1) * width - 1);
    point.x = static_cast<double>(chart.y.names.size());
    point.y = point.low = point.high = count;
    chart.y.names.push_back(point.label);
    chart.series[0].points.push_back(point);
  };
  if (width == 0) {
    for (const auto& [value, count] : histogram.bins) add(value);
  } else {
    for (std::uint64_t bin = histogram.bins.begin()->first; bin <= histogram.bins.rbegin()->first; ++bin)
      add(bin);
  }
  chart.caption = fmt::format("{} worlds; mean {} {}", static_cast<std::uint64_t>(histogram.worlds), name,
                              human_number(histogram.sum / histogram.worlds, 5));
  return chart;
}

}  // namespace

bool is_world_table(const std::string& path) {
  return moorea::has_ending(path, ".csv") && TableFile::begins_with(path, world_table_begins);
}

std::vector<Chart> world_histograms(const std::string& path, const std::string& column,
                                    const std::string& title) {
  TableFile table(path);
  const std::vector<std::string>& heads = table.heads();
  const std::size_t place = column_named(heads, column);
  std::set<std::uint64_t> values;  // the first ones
  std::uint64_t minimum = UINT64_MAX, maximum = 0;
  for_rows(table, place, [&](std::uint64_t, std::uint64_t value) {
    if (values.size() <= max_bins) values.insert(value);
    minimum = std::min(minimum, value);
    maximum = std::max(maximum, value);
  });
  if (values.empty()) throw moorea::Error(fmt::format("{}: the table has no rows", path));
  // 0: a bar for each value that occurs
  const std::uint64_t width = values.size() <= max_bins ? 0 : bin_width(minimum, maximum);
  std::map<std::uint64_t, WorldHistogram> of_rules;
  for_rows(table, place, [&](std::uint64_t rule, std::uint64_t value) {
    WorldHistogram& histogram = of_rules[rule];
    ++histogram.bins[width == 0 ? value : value / width];
    ++histogram.worlds;
    histogram.sum += static_cast<double>(value);
  });
  std::vector<Chart> charts;
  for (const auto& [rule, histogram] : of_rules) {
    charts.push_back(chart_of(histogram, heads[place], width));
    const std::string base = title.empty() ? fmt::format("Worlds by {}", heads[place]) : title;
    charts.back().title = of_rules.size() == 1 ? base : fmt::format("{}, rule {}", base, rule);
  }
  return charts;
}

}  // namespace app
