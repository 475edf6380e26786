// SPDX-License-Identifier: MIT
#include "media/run_record.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "cli/world.h"
#include "moorea/checkpoint.h"
#include "moorea/error.h"
#include "moorea/pattern.h"
#include "moorea/support/nearest.h"

namespace app {
namespace {

constexpr const char* receipt_format = "moorea receipt";
constexpr int receipt_version = 1;
// Starts up to these sizes are part of the record; of larger ones it has the path
constexpr double max_recorded_cells = 1 << 22;
constexpr std::size_t max_recorded_bytes = 1 << 16;

Json state_json(const moorea::Simulation& simulation) {
  const moorea::WorldSummary facts = simulation.summary();
  return {{"generation", simulation.generation()},
          {"hash", hash_text(facts.hash)},
          {"population", facts.population}};
}

// A receipt is replayed in any folder. Standard input and names that are no files stay.
std::string absolute_path(const std::string& name) {
  std::error_code error;
  if (name == "-" || !std::filesystem::exists(name, error)) return name;
  const std::filesystem::path path = std::filesystem::absolute(name, error);
  return error ? name : path.string();
}

void add_world(Json& json, const moorea::WorldSpec& world) {
  json["rule"] = world.rule.str();
  json["topology"] = moorea::to_string(world.topology);
  json["width"] = world.width;
  json["height"] = world.height;
  if (world.mesh == nullptr) return;
  json["mesh"] = absolute_path(world.mesh->name());
  json["adjacency"] = to_string(world.adjacency);
  json["mesh_checksum"] = hash_text(moorea::mesh_checksum(*world.mesh));
}

Json start_json(const WorldOptions& options, const moorea::Simulation& simulation) {
  Json json = state_json(simulation);
  if (options.random) {
    json["random"] = *options.random;
    json["seed"] = options.seed_or_default();
    return json;
  }
  if (simulation.bounding_box().value_or(moorea::Box{}).area() <= max_recorded_cells) {
    const std::string rle = moorea::format_pattern(simulation.snapshot());
    if (rle.size() <= max_recorded_bytes) {
      json["rle"] = rle;
      return json;
    }
  }
  json["pattern"] = absolute_path(options.pattern);
  if (options.centre) json["centre"] = true;
  return json;
}

// Whether a record's world is the other's. A mesh is compared by its faces.
bool has_world(const Json& record, const Json& other) {
  for (const char* key : {"rule", "topology", "width", "height", "adjacency", "mesh_checksum"}) {
    if (record.value(key, Json()) != other.value(key, Json())) return false;
  }
  return true;
}

moorea::WorldSpec world_of_receipt(const Json& receipt) {
  const moorea::Rule rule = moorea::Rule::parse(receipt.at("rule").get<std::string>());
  if (!receipt.contains("mesh")) {
    return {rule, moorea::parse_topology(receipt.at("topology").get<std::string>()), receipt.at("width"),
            receipt.at("height")};
  }
  const std::string name = receipt.at("mesh");
  const auto mesh = moorea::Mesh::make(name);
  if (hash_text(moorea::mesh_checksum(*mesh)) != receipt.at("mesh_checksum").get<std::string>())
    throw moorea::Error(fmt::format("the mesh {} has changed since the receipt was written", name));
  return moorea::WorldSpec::on(rule, mesh,
                               moorea::parse_adjacency(receipt.at("adjacency").get<std::string>()));
}

moorea::Simulation start_of(const Json& start, const moorea::WorldSpec& world,
                            const moorea::Options& options) {
  if (start.contains("random")) {
    const std::uint64_t seed = parse_whole(start.at("seed"), "the seed of the receipt", UINT64_MAX);
    return noise(world, start.at("random"), seed, options);
  }
  if (start.contains("rle")) {
    const std::string rle = start.at("rle");
    return moorea::Simulation::of(moorea::parse_pattern(rle, "the pattern in the receipt"), world, options);
  }
  const bool centred = start.contains("centre");
  std::optional<moorea::CellTree> far;
  moorea::Pattern pattern = centred || !world.is_unbounded() ? moorea::read_pattern(start.at("pattern"))
                                                             : moorea::read_pattern(start.at("pattern"), far);
  if (centred) pattern.position.reset();
  return simulate_pattern(pattern, far, world, options);
}

}  // namespace

Json world_options_json(const WorldOptions& options) {
  Json json = Json::object();
  for (const auto& [key, text] : {std::pair{"pattern", &options.pattern},
                                  {"rule", &options.rule},
                                  {"topology", &options.topology},
                                  {"size", &options.size},
                                  {"mesh", &options.mesh},
                                  {"adjacency", &options.adjacency}}) {
    if (!text->empty()) json[key] = *text;
  }
  if (options.random) {
    json["random"] = *options.random;
    json["seed"] = options.seed_or_default();
  }
  if (options.centre) json["centre"] = true;
  return json;
}

std::string world_options_text(const Json& options) {
  std::string text;
  for (const auto& [key, value] : options.items()) {
    if (!text.empty()) text += ' ';
    if (key != "pattern") text += "--" + key;
    if (value.is_boolean()) continue;
    if (key != "pattern") text += ' ';
    text += value.is_string() ? value.get<std::string>() : value.dump();
  }
  return text;
}

bool is_start_of(const Json& notes, const WorldOptions& options, const DescribedStart& described) {
  Json given = Json::object();
  add_world(given, described.world);
  if (!has_world(notes, given)) return false;
  const Json& start = notes.at("start");
  if (!options.random) {
    return !start.contains("random") && start.at("generation") == described.generation &&
           start.at("hash") == hash_text(described.hash());
  }
  const auto seed = [](const std::string& text) { return parse_whole(text, "--seed", UINT64_MAX); };
  return start.contains("random") && start.at("random") == *options.random &&
         seed(start.at("seed")) == seed(options.seed_or_default());
}

bool is_one_run(const Json& notes, const Json& others) {
  return has_world(notes, others) && notes.at("start").at("hash") == others.at("start").at("hash") &&
         notes.at("start").at("generation") == others.at("start").at("generation");
}

RunRecord::RunRecord(const WorldOptions& options, const moorea::Simulation& simulation,
                     std::uint64_t generations)
    : json_({{"begin", simulation.generation()},
             {"goal", simulation.generation() + generations},
             {"command", world_options_json(options)}}) {
  add_world(json_, simulation.world());
  json_["start"] = start_json(options, simulation);
  json_["hashes"] = Json::array();
}

bool RunRecord::can_be_repeated() const { return json_["start"].value("pattern", "") != "-"; }

bool RunRecord::is_in(const Json& notes) {
  return notes.is_object() && notes.contains("begin") && notes.contains("goal") &&
         notes.contains("command") && notes.contains("start") && notes.contains("hashes");
}

void RunRecord::watch(moorea::Simulation& simulation) {
  const std::uint64_t now = simulation.generation();
  // A checkpoint at a power of two may have been saved before its hash was recorded
  const Json& hashes = json_["hashes"];
  if (now > begin() && std::has_single_bit(now) && (hashes.empty() || hashes.back()["generation"] != now))
    json_["hashes"].push_back(state_json(simulation));
  watch_from(simulation, now == 0 ? 1 : 2 * std::bit_floor(now));
}

void RunRecord::watch_from(moorea::Simulation& simulation, std::uint64_t power) {
  if (power == 0) return;  // beyond 2^63
  observation_ = simulation.observe(power, [this, &simulation, power](const moorea::Simulation& now) {
    json_["hashes"].push_back(state_json(now));
    watch_from(simulation, 2 * power);
  });
}

Json RunRecord::receipt(const moorea::Simulation& simulation) const {
  Json json = {{"format", receipt_format}, {"version", receipt_version}};
  for (const char* key :
       {"rule", "topology", "width", "height", "mesh", "adjacency", "mesh_checksum", "start", "hashes"}) {
    if (json_.contains(key)) json[key] = json_[key];
  }
  Json end = state_json(simulation);
  if (json["hashes"].empty() || json["hashes"].back() != end) json["hashes"].push_back(std::move(end));
  if (simulation.edge_met()) json["edge_met"] = *simulation.edge_met();
  json["device"] = simulation.device();
  json["kernel"] = simulation.kernel();
  json["written_by"] = machine_json();
  return json;
}

moorea::Simulation simulate_receipt(const Json& receipt, const moorea::Options& options) {
  try {
    const Json& start = receipt.at("start");
    moorea::Simulation simulation = start_of(start, world_of_receipt(receipt), options);
    simulation.set_generation(start.at("generation"));
    const moorea::WorldSummary facts = simulation.summary();
    if (hash_text(facts.hash) != start.at("hash").get<std::string>()) {
      throw moorea::Error(fmt::format(
          "the start of the run has changed since the receipt was written: hash {}, then {}{}",
          hash_text(facts.hash), start.at("hash").get<std::string>(),
          start.contains("pattern") ? " of " + start.at("pattern").get<std::string>() : std::string()));
    }
    if (start.at("population") != Json(facts.population)) {
      usage(fmt::format("the receipt is damaged: a population of {} at the start, which has {}",
                        start.at("population").dump(), facts.population));
    }
    return simulation;
  } catch (const Json::exception&) {
    usage("the receipt is damaged: its rule, world or start is missing or invalid");
  }
}

Json read_receipt(const std::string& path) {
  const auto fail = [&path](int error) {
    throw moorea::Error(fmt::format("{}: the receipt cannot be read: {}{}", path, std::strerror(error),
                                    error == ENOENT ? moorea::nearest_file(path) : ""));
  };
  if (std::error_code error; std::filesystem::is_directory(path, error)) fail(EISDIR);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(errno);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) fail(errno);
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("format", Json()) != receipt_format || !json.contains("hashes") ||
      !json["hashes"].is_array())
    usage(path + ": not a receipt, which moorea run --receipt FILE.json writes");
  if (json.value("version", Json()) != receipt_version)
    usage(
        fmt::format("{}: a receipt of another version; this Moorea reads version {}", path, receipt_version));
  return json;
}

}  // namespace app
