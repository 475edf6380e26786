// SPDX-License-Identifier: MIT
// The text of a tuning file, which is JSON.
#include "moorea/lab/tuning.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "moorea/error.h"
#include "moorea/inventory.h"

namespace moorea {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* default_kernels = "auto";

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

Json to_json(const Options& options) {
  Json json = {{"kernel", options.kernel.empty() ? default_kernels : options.kernel},
               {"device", options.device},
               {"threads", options.threads}};
  if (options.tile) json["tile"] = {options.tile->width, options.tile->height};
  if (options.schedule) json["schedule"] = to_string(*options.schedule);
  if (options.placement) json["placement"] = to_string(*options.placement);
  if (options.wide_share) json["wide_share"] = *options.wide_share;
  if (options.block) json["block"] = to_string(*options.block);
  if (options.bytes_a_thread) json["bytes_per_thread"] = *options.bytes_a_thread;
  if (options.numbering) json["numbering"] = to_string(*options.numbering);
  if (options.generations_a_pass) json["generations_per_pass"] = *options.generations_a_pass;
  if (!options.shares.empty()) json["shares"] = options.shares;
  return json;
}

Options to_options(const Json& json) {
  const auto text = [&](const char* key) { return json.at(key).get<std::string>(); };
  const auto number = [&](const char* key) { return json.at(key).get<int>(); };
  Options options;
  options.kernel = text("kernel");
  if (options.kernel == default_kernels) options.kernel.clear();
  options.device = text("device");
  options.threads = number("threads");
  if (json.contains("tile"))
    options.tile = {json["tile"].at(0).get<std::int64_t>(), json["tile"].at(1).get<std::int64_t>()};
  if (json.contains("schedule")) options.schedule = parse_schedule(text("schedule"));
  if (json.contains("placement")) options.placement = parse_placement(text("placement"));
  if (json.contains("wide_share")) options.wide_share = json["wide_share"].get<double>();
  if (json.contains("block")) options.block = parse_thread_block(text("block"));
  if (json.contains("bytes_per_thread")) options.bytes_a_thread = number("bytes_per_thread");
  if (json.contains("numbering")) options.numbering = parse_numbering(text("numbering"));
  if (json.contains("generations_per_pass")) options.generations_a_pass = number("generations_per_pass");
  if (json.contains("shares")) options.shares = json["shares"].get<std::vector<double>>();
  return options;
}

// As Estimate::name.
std::string name_of(const Options& options) {
  std::string name =
      fmt::format("{} on {}", options.kernel.empty() ? default_kernels : options.kernel, options.device);
  if (options.threads != 0) name += fmt::format(", {} threads", options.threads);
  if (options.tile) name += fmt::format(", tile {}x{}", options.tile->width, options.tile->height);
  if (options.schedule) name += ", schedule " + to_string(*options.schedule);
  if (options.placement) name += ", placement " + to_string(*options.placement);
  if (options.wide_share) name += fmt::format(", wide share {}", *options.wide_share);
  if (options.block) name += ", block " + to_string(*options.block);
  if (options.bytes_a_thread) name += fmt::format(", {} bytes per thread", *options.bytes_a_thread);
  if (options.numbering) name += fmt::format(", numbering {}", to_string(*options.numbering));
  if (options.generations_a_pass)
    name += fmt::format(", {} generations per pass", *options.generations_a_pass);
  return name;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

TunedDevice device_of(const Json& json) {
  TunedDevice device;
  device.description = json.at("description").get<std::string>();
  device.start_seconds = json.at("start_seconds").get<double>();
  if (json.contains("quiet")) device.quiet = json["quiet"].get<std::string>();
  require(device.start_seconds >= 0, "a device's start takes less than no time");
  return device;
}

TunedPlan plan_of(const Json& json, const std::map<std::string, double>& gates) {
  TunedPlan plan;
  plan.options = to_options(json.at("plan"));
  plan.name = name_of(plan.options);
  for (const Json& time : json.at("times")) {
    const double cells = time.at("cells").get<double>(), seconds = time.at("seconds").get<double>();
    require(cells >= 1 && seconds > 0, "a time or a number of cells that is invalid");
    plan.seconds[time.at("rule").get<std::string>()][cells] = seconds;
  }
  require(!plan.seconds.empty(), "a plan without times");
  for (const auto& [rule, seconds] : plan.seconds) require(gates.contains(rule), "a rule without its gates");
  return plan;
}

Tuning tuning_of(const Json& document) {
  require(document.at("machine") == this_machine() && document.at("version") == version(),
          "it was measured on another machine or by another version");
  Tuning tuning;
  tuning.date = document.at("date").get<std::string>();
  for (const auto& [name, device] : document.at("devices").items()) tuning.devices[name] = device_of(device);
  for (const auto& [rule, gates] : document.at("gates_per_word").items())
    tuning.gates_per_word[rule] = gates.get<double>();
  for (const Json& each : document.at("plans")) tuning.plans.push_back(plan_of(each, tuning.gates_per_word));
  require(!tuning.plans.empty(), "no plan");
  return tuning;
}

}  // namespace

void Tuning::add(const Options& options, const Rule& rule, double cells, double seconds) {
  const std::string name = name_of(options);
  auto plan =
      std::find_if(plans.begin(), plans.end(), [&](const TunedPlan& each) { return each.name == name; });
  if (plan == plans.end()) plan = plans.insert(plan, {options, name, {}});
  plan->seconds[rule.str()][cells] = seconds;
  gates_per_word.try_emplace(rule.str(), moorea::gates_per_word(rule));
}

std::string format_tuning(const Tuning& tuning) {
  Json json = {{"version", version()},      {"revision", revision()},
               {"machine", this_machine()}, {"date", tuning.date},
               {"devices", Json::object()}, {"gates_per_word", tuning.gates_per_word},
               {"plans", Json::array()}};
  for (const auto& [name, device] : tuning.devices) {
    json["devices"][name] = {{"description", device.description}, {"start_seconds", device.start_seconds}};
    if (device.quiet) json["devices"][name]["quiet"] = *device.quiet;
  }
  for (const TunedPlan& plan : tuning.plans) {
    Json times = Json::array();
    for (const auto& [rule, seconds] : plan.seconds) {
      for (const auto& [cells, time] : seconds)
        times.push_back({{"rule", rule}, {"cells", cells}, {"seconds", time}});
    }
    json["plans"].push_back({{"plan", to_json(plan.options)}, {"times", times}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Tuning parse_tuning(std::string_view text) {
  try {
    return tuning_of(Json::parse(text));
  } catch (const std::exception& error) {
    throw Error(error.what());
  }
}

std::string format_options(const Options& options) {
  return to_json(options).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Options parse_options(std::string_view json) {
  try {
    return to_options(Json::parse(json));
  } catch (const std::exception& error) {
    throw Error(error.what());
  }
}

}  // namespace moorea
