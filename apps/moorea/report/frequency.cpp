// SPDX-License-Identifier: MIT
#include "report/frequency.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "moorea/error.h"
#include "report/statistics.h"

namespace app {
namespace {

constexpr std::size_t max_ticks = 10'000'000;  // of a CPU, a day at the default interval
constexpr int max_megahertz = 1'000'000;

std::string series_text(const std::vector<int>& series) {
  std::string text;
  for (std::size_t i = 0; i < series.size();) {
    std::size_t end = i + 1;
    while (end < series.size() && series[end] == series[i]) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : " ", series[i] > 0 ? std::to_string(series[i]) : "-");
    if (end - i > 1) text += fmt::format("*{}", end - i);
    i = end;
  }
  return text;
}

[[noreturn]] void refuse(const std::string& word) {
  throw moorea::Error(
      fmt::format("\"{}\" is no sample of a frequency: expected megahertz, or -, with an "
                  "optional *COUNT",
                  word));
}

std::vector<int> parse_series(const std::string& text) {
  std::vector<int> series;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t star = word.find('*');
    const std::string value = word.substr(0, star),
                      count = star == std::string::npos ? "1" : word.substr(star + 1);
    const auto is_number = [](const std::string& digits) {
      return !digits.empty() && digits.size() < 9 &&
             digits.find_first_not_of("0123456789") == std::string::npos;
    };
    if ((value != "-" && !is_number(value)) || !is_number(count)) refuse(word);
    const int megahertz = value == "-" ? 0 : std::stoi(value);
    const auto times = static_cast<std::size_t>(std::stoi(count));
    if (megahertz > max_megahertz || times > max_ticks - series.size()) refuse(word);
    series.insert(series.end(), times, megahertz);
  }
  return series;
}

std::vector<int> present(const std::vector<int>& series) {
  std::vector<int> values = series;
  std::erase(values, 0);
  return values;
}

bool same_cpus(const std::map<int, std::vector<int>>& a, const std::map<int, std::vector<int>>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first; });
}

}  // namespace

void FrequencyRecord::add(const std::string& from, const moorea::FrequencySamples& round) {
  if (round.megahertz.empty()) return;
  if (empty()) {
    source = from;
    interval_seconds = round.interval_seconds;
    for (const auto& [cpu, series] : round.megahertz) megahertz[cpu];
  }
  if (source != from || interval_seconds != round.interval_seconds || !same_cpus(megahertz, round.megahertz))
    return;
  for (const auto& [cpu, series] : round.megahertz)
    megahertz[cpu].insert(megahertz[cpu].end(), series.begin(), series.end());
  round_ticks.push_back(round.ticks());
  seconds += round.seconds;
  sampler_seconds += round.sampler_seconds;
}

std::map<int, double> FrequencyRecord::medians() const {
  std::map<int, double> found;
  for (const auto& [cpu, series] : megahertz) {
    const std::vector<int> values = present(series);
    if (!values.empty()) found[cpu] = summarise({values.begin(), values.end()}).median;
  }
  return found;
}

std::optional<FrequencyStatistics> statistics_of(const FrequencyRecord& record) {
  FrequencyStatistics all;
  double sum = 0, squares = 0, cpus = 0;
  all.min = INFINITY;
  for (const auto& [cpu, series] : record.megahertz) {
    const std::vector<int> values = present(series);
    if (values.empty()) continue;
    const auto [min, max] = std::minmax_element(values.begin(), values.end());
    all.min = std::min(all.min, static_cast<double>(*min));
    all.max = std::max(all.max, static_cast<double>(*max));
    all.mean_of_min += *min;
    all.mean_of_max += *max;
    for (const int value : values) sum += value;
    all.samples += values.size();
    ++cpus;
  }
  if (all.samples == 0) return std::nullopt;
  const auto n = static_cast<double>(all.samples);
  all.mean = sum / n;
  all.mean_of_min /= cpus;
  all.mean_of_max /= cpus;
  for (const auto& [cpu, series] : record.megahertz) {
    for (const int value : present(series)) squares += (value - all.mean) * (value - all.mean);
  }
  all.standard_deviation = std::sqrt(squares / n);
  return all;
}

Json frequency_json(const FrequencyRecord& record) {
  const std::optional<FrequencyStatistics> statistics = statistics_of(record);
  if (!statistics) return {};
  Json json = {{"source", record.source},
               {"mean", statistics->mean},
               {"min", statistics->min},
               {"max", statistics->max},
               {"mean_of_min", statistics->mean_of_min},
               {"mean_of_max", statistics->mean_of_max},
               {"standard_deviation", statistics->standard_deviation},
               {"interval_seconds", record.interval_seconds},
               {"seconds", record.seconds},
               {"sampler_seconds", record.sampler_seconds},
               {"round_ticks", record.round_ticks}};
  for (const auto& [cpu, series] : record.megahertz)
    json["megahertz"][std::to_string(cpu)] = series_text(series);
  return json;
}

FrequencyRecord read_frequency(const Json& json) {
  FrequencyRecord record;
  record.source = json.at("source").get<std::string>();
  record.interval_seconds = json.at("interval_seconds").get<double>();
  if (!(record.interval_seconds > 0 && record.interval_seconds < 1e6))
    throw moorea::Error(
        fmt::format("{} is no interval between samples of a frequency", record.interval_seconds));
  record.seconds = json.at("seconds").get<double>();
  record.sampler_seconds = json.at("sampler_seconds").get<double>();
  record.round_ticks = json.at("round_ticks").get<std::vector<std::size_t>>();
  for (const auto& [cpu, series] : json.at("megahertz").items()) {
    if (cpu.empty() || cpu.size() > 6 || cpu.find_first_not_of("0123456789") != std::string::npos)
      throw moorea::Error(fmt::format("\"{}\" is no number of a CPU", cpu));
    std::vector<int>& values = record.megahertz[std::stoi(cpu)];
    values = parse_series(series.get<std::string>());
    if (values.size() != record.ticks())
      throw moorea::Error(fmt::format("CPU {} has {} samples of its frequency, others have {}", cpu,
                                      values.size(), record.ticks()));
  }
  return record;
}

std::vector<std::vector<std::string>> frequency_table(const std::vector<NamedFrequency>& records) {
  std::vector<std::vector<std::string>> lines = {
      {"MHz", "mean", "min", "max", "mean of min", "mean of max", "standard deviation", "samples"}};
  for (const NamedFrequency& each : records) {
    const std::optional<FrequencyStatistics> found = statistics_of(each.record);
    if (!found) continue;
    lines.push_back({each.name, fmt::format("{:.1f}", found->mean), fmt::format("{:.0f}", found->min),
                     fmt::format("{:.0f}", found->max), fmt::format("{:.1f}", found->mean_of_min),
                     fmt::format("{:.1f}", found->mean_of_max),
                     fmt::format("{:.1f}", found->standard_deviation), std::to_string(found->samples)});
  }
  return lines;
}

}  // namespace app
