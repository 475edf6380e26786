// SPDX-License-Identifier: MIT
#include "tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "moorea/inventory.h"
#include "results.h"
#include "sweep.h"

namespace app {
namespace {

// So much faster must be what computes all cells than what leaves out those that rest.
constexpr double worth_it = 0.9;

// What tells that it is the same kind of machine, found in no time: a run of a small pattern takes
// milliseconds.
Json this_machine() {
  std::string model, line;
  for (std::ifstream info("/proc/cpuinfo"); std::getline(info, line);) {
    if (!line.starts_with("model name")) continue;
    model = line.substr(line.find(':') + 2);
    break;
  }
  return {{"cpu", model}, {"threads", std::thread::hardware_concurrency()}};
}

// Of a way the options, as bench writes them.
constexpr const char* option_keys[] = {"kernel", "device",           "threads",
                                       "tile",   "schedule",         "placement",
                                       "block",  "bytes_per_thread", "generations_per_pass"};

Json way_json(const moorea::Options& options) {
  Configuration configuration;
  configuration.kernel.name = options.kernel.empty() ? automatic : options.kernel;
  configuration.options = options;
  const Json all = asked(configuration);
  Json json;
  for (const char* key : option_keys) {
    if (all.contains(key)) json[key] = all[key];
  }
  return json;
}

moorea::Options options_of(const Json& way) {
  moorea::Options options;
  options.kernel = way.at("kernel").get<std::string>();
  if (options.kernel == automatic) options.kernel.clear();
  options.device = way.at("device").get<std::string>();
  options.threads = way.at("threads").get<int>();
  if (way.contains("tile"))
    options.tile = {way["tile"].at(0).get<std::int64_t>(), way["tile"].at(1).get<std::int64_t>()};
  if (way.contains("schedule")) options.schedule = moorea::parse_schedule(way["schedule"].get<std::string>());
  if (way.contains("placement"))
    options.placement = moorea::parse_placement(way["placement"].get<std::string>());
  if (way.contains("block")) options.block = moorea::parse_thread_block(way["block"].get<std::string>());
  if (way.contains("bytes_per_thread")) options.bytes_a_thread = way["bytes_per_thread"].get<int>();
  if (way.contains("generations_per_pass"))
    options.generations_a_pass = way["generations_per_pass"].get<int>();
  return options;
}

std::string name_of(const Json& way) {
  std::string name = fmt::format("{} on {}", words(way.at("kernel")), words(way.at("device")));
  if (way["threads"] != 0) name += fmt::format(", {} threads", way["threads"].dump());
  if (way.contains("tile"))
    name += fmt::format(", tile {}x{}", way["tile"].at(0).dump(), way["tile"].at(1).dump());
  for (const char* key : {"schedule", "placement", "block"}) {
    if (way.contains(key)) name += fmt::format(", {} {}", key, words(way[key]));
  }
  if (way.contains("bytes_per_thread"))
    name += fmt::format(", {} bytes a thread", way["bytes_per_thread"].dump());
  if (way.contains("generations_per_pass"))
    name += fmt::format(", {} generations a pass", way["generations_per_pass"].dump());
  return name;
}

// Between two sizes as a power of the cells; beyond them in proportion.
double seconds_for(const std::map<double, double>& measured, double cells) {
  const auto above = measured.lower_bound(cells);
  if (above == measured.end()) return measured.rbegin()->second * cells / measured.rbegin()->first;
  if (above == measured.begin()) return above->second * std::min(1.0, cells / above->first);
  const auto below = std::prev(above);
  const double part = std::log(cells / below->first) / std::log(above->first / below->first);
  return below->second * std::pow(above->second / below->second, part);
}

}  // namespace

Tuning::Tuning(const Json& results, std::map<std::string, double> start_seconds)
    : start_seconds_(std::move(start_seconds)), date_(results.at("date").get<std::string>()) {
  std::map<std::string, std::size_t> known;
  for (const Json& row : results.at("results")) {
    const moorea::Options options = options_of(row.at("asked"));
    const Json way = way_json(options);
    const auto [found, is_new] = known.emplace(way.dump(), ways_.size());
    if (is_new) ways_.push_back({options, name_of(way), {}});
    const double cells = row.at("width").get<double>() * row.at("height").get<double>();
    ways_[found->second].seconds[words(row.at("rule"))][cells] =
        1 / row.at("generations_per_second").get<double>();
  }
}

Tuning::Tuning(const Json& document)
    : start_seconds_(document.at("start_seconds").get<std::map<std::string, double>>()),
      date_(document.at("date").get<std::string>()) {
  for (const Json& each : document.at("ways")) {
    Way way{options_of(each.at("way")), name_of(each.at("way")), {}};
    for (const Json& time : each.at("times"))
      way.seconds[words(time.at("rule"))][time.at("cells").get<double>()] = time.at("seconds").get<double>();
    ways_.push_back(std::move(way));
  }
}

Json Tuning::json() const {
  Json json = {{"version", moorea::version()},
               {"machine", this_machine()},
               {"date", date_},
               {"start_seconds", start_seconds_}};
  json["ways"] = Json::array();
  for (const Way& way : ways_) {
    Json times = Json::array();
    for (const auto& [rule, seconds] : way.seconds) {
      for (const auto& [cells, time] : seconds)
        times.push_back({{"rule", rule}, {"cells", cells}, {"seconds", time}});
    }
    json["ways"].push_back({{"way", way_json(way.options)}, {"times", times}});
  }
  return json;
}

std::vector<Prediction> Tuning::predict(const moorea::Rule& rule, double cells,
                                        std::uint64_t generations) const {
  const double gates = moorea::rule_cost(rule).gates_per_word;
  const auto distance = [&](const auto& measured) {
    return std::abs(moorea::rule_cost(moorea::Rule::parse(measured.first)).gates_per_word - gates);
  };
  std::vector<Prediction> list;
  for (const Way& way : ways_) {
    auto found = way.seconds.find(rule.str());
    if (found == way.seconds.end())
      found = std::min_element(way.seconds.begin(), way.seconds.end(),
                               [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    const auto start = start_seconds_.find(way.options.device);
    Prediction prediction;
    prediction.way = &way;
    prediction.start_seconds = start == start_seconds_.end() ? 0 : start->second;
    prediction.seconds =
        prediction.start_seconds + static_cast<double>(generations) * seconds_for(found->second, cells);
    list.push_back(prediction);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  // What leaves out what rests goes first, unless something is much faster
  const auto skips = std::find_if(list.begin(), list.end(),
                                  [](const auto& each) { return each.way->options.kernel.empty(); });
  if (skips != list.end() && list.front().seconds >= worth_it * skips->seconds)
    std::rotate(list.begin(), skips, skips + 1);
  for (Prediction& each : list) {
    const double times = each.seconds / list.front().seconds;
    if (&each == &list.front()) {
      each.verdict = "taken";
    } else if (times < 1) {
      each.verdict = fmt::format("{:.0f} % faster, but it computes what rests, too", 100 * (1 / times - 1));
    } else if (times < 1.005) {
      each.verdict = "takes as long";
    } else if (each.start_seconds > 0.5 * each.seconds) {
      each.verdict = fmt::format("{:.3g} times as long, most of it until the device is ready", times);
    } else {
      each.verdict = fmt::format("{:.3g} times as long", times);
    }
  }
  return list;
}

std::string tuning_file() {
  const std::string folder = moorea::cache_folder();
  return folder.empty() ? "" : (std::filesystem::path(folder) / "tuning.json").string();
}

std::optional<Tuning> kept_tuning(std::string* why_not) {
  const std::string path = tuning_file();
  std::ifstream file(path);
  if (path.empty() || !file) {
    *why_not = "moorea tune was not run here yet";
    return std::nullopt;
  }
  try {
    const Json document = Json::parse(file);
    if (document.at("machine") != this_machine() || document.at("version") != moorea::version()) {
      *why_not = fmt::format(
          "{} was measured on another machine or by another version; moorea tune measures anew", path);
      return std::nullopt;
    }
    return Tuning(document);
  } catch (const std::exception& error) {
    *why_not = fmt::format("{} cannot be read ({}); moorea tune makes it anew", path, error.what());
    return std::nullopt;
  }
}

}  // namespace app
