// SPDX-License-Identifier: MIT
#include "lab/tuning.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "lab/configuration.h"
#include "moorea/inventory.h"
#include "moorea/output_file.h"
#include "report/results.h"

namespace app {
namespace {

// Identity of the kind of machine. It must be found in microseconds: a run of a small pattern takes
// milliseconds.
Json this_machine() {
  std::string model, line;
  for (std::ifstream info("/proc/cpuinfo"); std::getline(info, line);) {
    if (!line.starts_with("model name")) continue;
    model = line.substr(line.find(':') + 1);
    break;
  }
  return {{"cpu", model}, {"threads", std::thread::hardware_concurrency()}};
}

// Minimum gain over Moorea's own choice, as a fraction of its time.
constexpr double min_gain = 0.05;

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

// Interpolates between two sizes as a power of the number of cells; beyond the measured sizes in proportion
// to it.
double seconds_for(const std::map<double, double>& measured, double cells) {
  const auto above = measured.lower_bound(cells);
  if (above == measured.end()) return measured.rbegin()->second * cells / measured.rbegin()->first;
  if (above == measured.begin()) return above->second * std::min(1.0, cells / above->first);
  const auto below = std::prev(above);
  const double part = std::log(cells / below->first) / std::log(above->first / below->first);
  return below->second * std::pow(above->second / below->second, part);
}

}  // namespace

Tuning::Tuning(const Json& results, std::map<std::string, Device> devices)
    : devices_(std::move(devices)), date_(results.at("date").get<std::string>()) {
  std::map<std::string, std::size_t> known;
  for (const Json& row : results.at("results")) {
    const moorea::Options options = read_options(row.at("asked"));
    const Json way = options_json(options);
    const auto [found, is_new] = known.emplace(way.dump(), ways_.size());
    if (is_new) ways_.push_back({options, name_of(way), {}});
    const double cells = row.at("width").get<double>() * row.at("height").get<double>();
    const std::string rule = words(row.at("rule"));
    ways_[found->second].seconds[rule][cells] = 1 / row.at("generations_per_second").get<double>();
    if (!gates_.contains(rule)) gates_[rule] = moorea::gates_per_word(moorea::Rule::parse(rule));
  }
}

Tuning::Tuning(const Json& document) : date_(document.at("date").get<std::string>()) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::runtime_error(what);
  };
  for (const auto& [name, device] : document.at("devices").items()) {
    devices_[name] = {words(device.at("description")), device.at("start_seconds").get<double>(), {}};
    if (device.contains("quiet")) devices_[name].quiet = device["quiet"].get<std::string>();
    require(devices_[name].start_seconds >= 0, "a device's start takes less than no time");
  }
  for (const auto& [rule, gates] : document.at("gates_per_word").items()) gates_[rule] = gates.get<double>();
  for (const Json& each : document.at("ways")) {
    Way way{read_options(each.at("way")), name_of(each.at("way")), {}};
    for (const Json& time : each.at("times")) {
      const double cells = time.at("cells").get<double>(), seconds = time.at("seconds").get<double>();
      require(cells >= 1 && seconds > 0, "a time or a number of cells that cannot be");
      way.seconds[words(time.at("rule"))][cells] = seconds;
    }
    require(!way.seconds.empty(), "a way without times");
    for (const auto& [rule, seconds] : way.seconds)
      require(gates_.contains(rule), "a rule without its gates");
    ways_.push_back(std::move(way));
  }
  require(!ways_.empty(), "no way to run");
}

Json Tuning::json() const {
  Json json = {{"version", moorea::version()}, {"revision", moorea::revision()},
               {"machine", this_machine()},    {"date", date_},
               {"devices", Json::object()},    {"gates_per_word", gates_},
               {"ways", Json::array()}};
  for (const auto& [name, device] : devices_) {
    json["devices"][name] = {{"description", device.description}, {"start_seconds", device.start_seconds}};
    if (device.quiet) json["devices"][name]["quiet"] = *device.quiet;
  }
  for (const Way& way : ways_) {
    Json times = Json::array();
    for (const auto& [rule, seconds] : way.seconds) {
      for (const auto& [cells, time] : seconds)
        times.push_back({{"rule", rule}, {"cells", cells}, {"seconds", time}});
    }
    json["ways"].push_back({{"way", options_json(way.options)}, {"times", times}});
  }
  return json;
}

const std::map<double, double>& Tuning::times_for(const Way& way, const moorea::Rule& rule,
                                                  std::optional<double>& gates) const {
  if (const auto found = way.seconds.find(rule.str()); found != way.seconds.end()) return found->second;
  if (way.seconds.size() == 1) return way.seconds.begin()->second;
  if (!gates) gates = moorea::gates_per_word(rule);
  const auto distance = [&](const auto& measured) { return std::abs(gates_.at(measured.first) - *gates); };
  return std::min_element(way.seconds.begin(), way.seconds.end(),
                          [&](const auto& x, const auto& y) { return distance(x) < distance(y); })
      ->second;
}

bool Tuning::can_be_taken(const Way& way) const {
  if (way.is_automatic()) return true;
  const auto device = devices_.find(way.options.device);
  return device != devices_.end() && device->second.quiet.has_value();
}

std::string Tuning::verdict_of(const Prediction& each, const Prediction& taken) const {
  const double factor = each.seconds / taken.seconds;
  const std::string percent = fmt::format("{:.0f} %", 100 * std::abs(1 / factor - 1));
  if (percent == "0 %") return "takes as long";
  if (factor < 1 && can_be_taken(*each.way))
    return percent + " faster, too little to leave Moorea's own choice for";
  if (factor < 1)
    return percent +
           " faster while all is busy, but it does not skip inactive cells: name it if that does not matter";
  return human_number(factor) + (each.start_seconds > 0.5 * each.seconds
                                     ? " times as long, most of it until the device is ready"
                                     : " times as long");
}

std::vector<Prediction> Tuning::predict(const moorea::Rule& rule, double cells, std::uint64_t generations,
                                        const std::function<bool(const std::string&)>& is_there) const {
  std::optional<double> gates;  // of the rule, computed on demand: the search takes a tenth of a second
  std::vector<Prediction> list;
  for (const Way& way : ways_) {
    const auto device = devices_.find(way.options.device);
    Prediction prediction;
    prediction.way = &way;
    prediction.start_seconds = device == devices_.end() ? 0 : device->second.start_seconds;
    prediction.seconds = prediction.start_seconds +
                         static_cast<double>(generations) * seconds_for(times_for(way, rule, gates), cells);
    list.push_back(prediction);
  }
  const auto worth = [](const Prediction& each) {
    return each.way->is_automatic() ? each.seconds * (1 - min_gain) : each.seconds;
  };
  std::stable_sort(list.begin(), list.end(),
                   [&](const Prediction& a, const Prediction& b) { return worth(a) < worth(b); });
  std::stable_partition(list.begin(), list.end(),
                        [&](const Prediction& each) { return can_be_taken(*each.way); });
  const Prediction* taken = nullptr;
  for (Prediction& each : list) {
    if (taken != nullptr || !can_be_taken(*each.way)) break;
    each.taken = is_there(each.way->options.device);
    each.verdict = each.taken ? "taken" : "its device is not there now, or is another one";
    if (each.taken) taken = &each;
  }
  for (Prediction& each : list) {
    if (each.verdict.empty()) each.verdict = verdict_of(each, taken != nullptr ? *taken : list.front());
  }
  return list;
}

moorea::Options Tuning::options_for(const Way& way) const {
  moorea::Options options = way.options;
  const auto device = devices_.find(options.device);
  if (!way.is_automatic() && device != devices_.end() && !device->second.quiet.value_or("").empty())
    options.kernel += " + " + *device->second.quiet;
  return options;
}

std::optional<Tuning> Tuning::without(const std::string& way) const {
  Tuning rest = *this;
  const auto is_it = [&](const Way& each) { return each.name == way; };
  if (std::any_of(ways_.begin(), ways_.end(),
                  [&](const Way& each) { return is_it(each) && each.is_automatic(); }))
    return std::nullopt;
  std::erase_if(rest.ways_, is_it);
  if (rest.ways_.empty()) return std::nullopt;
  return rest;
}

std::string judge_prediction(const Tuning& tuning, const std::string& way, double predicted_seconds,
                             double seconds, double cpu_taken) {
  // Predictions do not include the first generations, which wake threads and touch memory
  constexpr double missed_by = 3, min_seconds = 0.1, busy = 0.1;
  if (seconds < missed_by * predicted_seconds || seconds - predicted_seconds < min_seconds) return "";
  const std::string missed = fmt::format("this took {}, where moorea tune had predicted {} for {}",
                                         human_seconds(seconds), human_seconds(predicted_seconds), way);
  if (cpu_taken > busy)
    return fmt::format(
        "{}; other processes used the CPUs for {:.0f} % of the time, so the prediction is kept", missed,
        100 * cpu_taken);
  try {
    const std::string path = tuning_file();
    if (const std::optional<Tuning> rest = tuning.without(way)) {
      moorea::OutputFile file(path);
      file.write(rest->json().dump() + "\n");
      file.finish();
    } else {
      std::filesystem::remove(path);
    }
  } catch (const std::exception& error) {
    return fmt::format("{}; that prediction cannot be dropped: {}", missed, error.what());
  }
  return missed + ": that prediction is dropped, and moorea tune measures again";
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
          "{} was measured on another machine or by another version; moorea tune measures again", path);
      return std::nullopt;
    }
    return Tuning(document);
  } catch (const std::exception& error) {
    *why_not = fmt::format("{} cannot be read ({}); moorea tune writes it again", path, error.what());
    return std::nullopt;
  }
}

}  // namespace app
