// SPDX-License-Identifier: MIT
#include "report/outcome.h"

#include <fmt/core.h>

#include "cli/out_of_core.h"
#include "cli/parts.h"
#include "cli/plane_changes.h"
#include "moorea/lab/instruments.h"

namespace app {
namespace {

std::string rule_text(const moorea::Rule& rule) {
  return rule.name().empty() ? rule.str() : fmt::format("{} ({})", rule.str(), rule.name());
}

// A line, or nothing for kernels without tiles.
std::string tiles_text(const moorea::Simulation& simulation) {
  const moorea::TileCounts counts = moorea::tile_counts(simulation);
  const std::string what = fmt::format("{} computed, {} skipped", counts.computed, counts.skipped);
  // With two kernels the counts are those of the second, which cuts the world its own way
  if (simulation.tiling() && simulation.kernel().find(" + ") == std::string::npos) {
    const moorea::Tiling& tiling = *simulation.tiling();
    return fmt::format(
        "  tiles   {} x {}, schedule {}, placement {}{}; {}\n", tiling.tile.width, tiling.tile.height,
        to_string(tiling.schedule), to_string(tiling.placement),
        tiling.wide_share ? fmt::format(", wide vectors on {} of the threads", *tiling.wide_share) : "",
        what);
  }
  return counts.computed + counts.skipped > 0 ? fmt::format("  tiles   {}\n", what) : "";
}

// A line, or nothing for kernels that do not let it be chosen.
std::string block_text(const moorea::Simulation& simulation) {
  if (!simulation.launch_shape()) return "";
  const moorea::LaunchShape& shape = *simulation.launch_shape();
  return fmt::format("  block   {} x {} threads{}\n", shape.block.width, shape.block.height,
                     shape.bytes_a_thread > 0 ? fmt::format(", {} bytes each", shape.bytes_a_thread) : "");
}

// A speed counts every cell of the world, also in tiles that were left out.
const char* mostly_skipped_text(const moorea::Simulation& simulation) {
  const moorea::TileCounts counts = moorea::tile_counts(simulation);
  return counts.skipped > counts.computed ? " (mostly skipped: ash)" : "";
}

// With the name of a surface's mesh.
std::string topology_text(const Json& json) {
  std::string text = json["topology"];
  if (json.contains("mesh")) text += fmt::format(" {}", json["mesh"].get<std::string>());
  return text;
}

}  // namespace

Json outcome_json(const moorea::Simulation& simulation, double seconds) {
  Json json = {{"rule", simulation.rule().str()},
               {"topology", moorea::to_string(simulation.topology())},
               {"width", simulation.width()},
               {"height", simulation.height()},
               {"generation", simulation.generation()},
               {"population", simulation.population()},
               {"hash", hash_text(simulation.hash())},
               {"kernel", simulation.kernel()},
               {"device", simulation.device()},
               {"threads", simulation.threads()},
               {"seconds", seconds},
               {"cells_per_second", seconds > 0 ? simulation.cell_updates() / seconds : 0.0}};
  if (const auto& tiling = simulation.tiling()) {
    json["tiling"] = tiling_json(*tiling);
    if (tiling->wide_share) json["wide_share"] = *tiling->wide_share;
  }
  if (simulation.launch_shape()) add_launch_shape(json, *simulation.launch_shape());
  if (const moorea::TileCounts counts = moorea::tile_counts(simulation);
      counts.computed + counts.skipped > 0) {
    json["tiles"] = {{"computed", counts.computed},
                     {"skipped", counts.skipped},
                     {"changed", counts.has_changed ? Json(counts.changed) : Json()}};
  }
  if (Json parts = parts_json(simulation); !parts.is_null()) json["parts"] = std::move(parts);
  if (const auto& plan = simulation.plan().out_of_core) json["out_of_core"] = out_of_core_json(*plan);
  if (const moorea::WorldSpec world = simulation.world(); world.mesh != nullptr) {
    json["mesh"] = world.mesh->name();
    json["adjacency"] = to_string(world.adjacency);
  }
  add_plane_changes(json, simulation.plane_changes());
  if (simulation.edge_met()) json["edge_met"] = *simulation.edge_met();
  if (was_interrupted()) add_interruption(json);
  return json;
}

std::string outcome_text(const Json& json, const moorea::Simulation& simulation) {
  return fmt::format(
      "generation {}, population {}\n"
      "  rule    {}\n"
      "  world   {}, {}{} x {}{}\n"
      "  hash    {}\n"
      "  kernel  {} on {}, {}\n{}{}{}{}"
      "  time    {}, {} cells/s{}\n",
      json["generation"].get<std::uint64_t>(), json["population"].get<std::uint64_t>(),
      rule_text(simulation.rule()), topology_text(json), simulation.grows() ? "now " : "", simulation.width(),
      simulation.height(),
      simulation.edge_met() ? ", could not grow any more"
      : simulation.grows()  ? ", grows with the pattern"
                            : "",
      json["hash"].get<std::string>(), simulation.kernel(), simulation.device(),
      simulation.threads() == 1 ? "1 thread" : fmt::format("up to {} threads", simulation.threads()),
      parts_text(simulation) + out_of_core_text(simulation.plan().out_of_core), tiles_text(simulation),
      block_text(simulation), plane_changes_text(simulation.plane_changes()),
      human_seconds(json["seconds"].get<double>()), human_rate(json["cells_per_second"].get<double>()),
      mostly_skipped_text(simulation));
}

}  // namespace app
