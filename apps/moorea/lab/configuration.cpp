// SPDX-License-Identifier: MIT
#include "lab/configuration.h"

namespace app {
namespace {

using moorea::Options;

// A key of asked(). Those of moorea::Options are also read.
struct AskedKey {
  const char* name;
  bool is_option;
  bool required;
  void (*write)(const Configuration& configuration, Json& json, const char* name);
  void (*read)(const Json& value, Options& options);
};

void ignore(const Json&, Options&) {}

// In the order of the JSON, which --resume compares as well.
constexpr AskedKey asked_keys[] = {
    {"kernel", true, true,
     [](const Configuration& c, Json& json, const char* name) { json[name] = c.kernel.name; },
     [](const Json& value, Options& options) {
       options.kernel = value.get<std::string>();
       if (options.kernel == automatic) options.kernel.clear();
     }},
    {"device", true, true,
     [](const Configuration& c, Json& json, const char* name) { json[name] = c.options.device; },
     [](const Json& value, Options& options) { options.device = value.get<std::string>(); }},
    {"rule", false, true,
     [](const Configuration& c, Json& json, const char* name) { json[name] = c.start.rule.str(); }, ignore},
    {"topology", false, true,
     [](const Configuration& c, Json& json, const char* name) {
       json[name] = moorea::to_string(c.start.topology);
     },
     ignore},
    {"width", false, true,
     [](const Configuration& c, Json& json, const char* name) { json[name] = c.start.size.width; }, ignore},
    {"height", false, true,
     [](const Configuration& c, Json& json, const char* name) { json[name] = c.start.size.height; }, ignore},
    {"start", false, true,
     [](const Configuration& c, Json& json, const char* name) { json[name] = c.start.world; }, ignore},
    {"after", false, true,
     [](const Configuration& c, Json& json, const char* name) { json[name] = c.start.after; }, ignore},
    {"threads", true, true,
     [](const Configuration& c, Json& json, const char* name) { json[name] = c.options.threads; },
     [](const Json& value, Options& options) { options.threads = value.get<int>(); }},
    {"kernel_text", false, false,
     [](const Configuration& c, Json& json, const char* name) {
       if (c.kernel.fingerprint != 0) json[name] = hash_text(c.kernel.fingerprint);
     },
     ignore},
    {"tile", true, false,
     [](const Configuration& c, Json& json, const char* name) {
       if (c.options.tile) json[name] = {c.options.tile->width, c.options.tile->height};
     },
     [](const Json& value, Options& options) {
       options.tile = {value.at(0).get<std::int64_t>(), value.at(1).get<std::int64_t>()};
     }},
    {"schedule", true, false,
     [](const Configuration& c, Json& json, const char* name) {
       if (c.options.schedule) json[name] = to_string(*c.options.schedule);
     },
     [](const Json& value, Options& options) {
       options.schedule = moorea::parse_schedule(value.get<std::string>());
     }},
    {"placement", true, false,
     [](const Configuration& c, Json& json, const char* name) {
       if (c.options.placement) json[name] = to_string(*c.options.placement);
     },
     [](const Json& value, Options& options) {
       options.placement = moorea::parse_placement(value.get<std::string>());
     }},
    {"block", true, false,
     [](const Configuration& c, Json& json, const char* name) {
       if (c.options.block) json[name] = to_string(*c.options.block);
     },
     [](const Json& value, Options& options) {
       options.block = moorea::parse_thread_block(value.get<std::string>());
     }},
    {"bytes_per_thread", true, false,
     [](const Configuration& c, Json& json, const char* name) {
       if (c.options.bytes_a_thread) json[name] = *c.options.bytes_a_thread;
     },
     [](const Json& value, Options& options) { options.bytes_a_thread = value.get<int>(); }},
    {"generations_per_pass", true, false,
     [](const Configuration& c, Json& json, const char* name) {
       if (c.options.generations_a_pass) json[name] = *c.options.generations_a_pass;
     },
     [](const Json& value, Options& options) { options.generations_a_pass = value.get<int>(); }},
};

}  // namespace

Json asked(const Configuration& configuration) {
  Json json;
  for (const AskedKey& key : asked_keys) key.write(configuration, json, key.name);
  return json;
}

Json options_json(const Options& options) {
  Configuration configuration;
  configuration.kernel.name = options.kernel.empty() ? automatic : options.kernel;
  configuration.options = options;
  Json json;
  for (const AskedKey& key : asked_keys) {
    if (key.is_option) key.write(configuration, json, key.name);
  }
  return json;
}

Options read_options(const Json& json) {
  Options options;
  for (const AskedKey& key : asked_keys) {
    if (key.is_option && (key.required || json.contains(key.name))) key.read(json.at(key.name), options);
  }
  return options;
}

}  // namespace app
