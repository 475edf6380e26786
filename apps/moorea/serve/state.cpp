// SPDX-License-Identifier: MIT
#include "serve/state.h"

#include <fmt/core.h>

#include <string>

#include "cli/rule_facts.h"
#include "moorea/bundled.h"
#include "moorea/inventory.h"
#include "moorea/pattern.h"
#include "moorea/picture.h"
#include "serve/access.h"
#include "serve/surface.h"
#include "serve/web_files.h"

namespace app {
namespace {

Json patterns_json() {
  Json patterns = Json::array();
  for (const moorea::BundledPattern& bundled : moorea::bundled_patterns()) {
    const moorea::Pattern pattern = moorea::parse_pattern(bundled.text, std::string(bundled.name));
    std::string comment;
    for (const std::string& line : pattern.comments) comment += (comment.empty() ? "" : " ") + line;
    patterns.push_back({{"file", bundled.name},
                        {"name", pattern.name},
                        {"author", pattern.author},
                        {"comment", comment},
                        {"rule", pattern.rule},
                        {"width", pattern.cells.width()},
                        {"height", pattern.cells.height()}});
  }
  return patterns;
}

// The colours of each palette's levels, "rrggbb" after one another.
Json palettes_json() {
  Json palettes = Json::array();
  for (const moorea::PaletteInfo& info : moorea::palettes()) {
    std::string colours;
    for (const moorea::Colour& colour : moorea::palette(info.name))
      colours += fmt::format("{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
    palettes.push_back({{"name", info.name}, {"summary", info.summary}, {"colours", colours}});
  }
  return palettes;
}

Json colourings_json() {
  Json all = Json::array();
  for (const moorea::ColouringInfo& info : moorea::colourings())
    all.push_back({{"name", info.name}, {"summary", info.summary}});
  return all;
}

}  // namespace

bool strobes(const moorea::Rule& rule) { return rule.births_from_nothing() && !rule.next(0x1FF); }

Json box_json(const moorea::Box& box) {
  return {{"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}};
}

Json state_json(const WorldEditor& editor, const Player& player) {
  const moorea::Simulation& world = editor.simulation();
  const bool busy = player.busy();
  Json json = {
      {"generation", world.generation()},
      {"rule", world.rule().str()},
      {"rule_name", world.rule().name()},
      {"strobes", strobes(world.rule())},
      {"states", world.rule().states()},
      {"colours", colours_json(world.rule())},
      {"topology", to_string(world.topology())},
      {"width", world.width()},
      {"height", world.height()},
      {"name", editor.name()},
      {"playing", player.playing()},
      {"busy", busy},
      {"exponent", player.exponent()},
      {"hyperspeed", player.hyperspeed()},
      {"is_tree", world.is_tree()},
      {"cells_per_second", busy ? player.cells_per_second() : 0},
      {"generations_per_second", busy ? player.generations_per_second() : 0},
      {"kernel", world.kernel()},
      {"device", world.device()},
      {"threads", world.threads()},
      {"asked_device", editor.engine().device},
      {"asked_kernel", editor.engine().kernel},
      {"first", editor.first_generation()},
      {"last", editor.last_generation()},
      {"undo", editor.can_undo()},
      {"redo", editor.can_redo()},
      {"edits", editor.edits()},
  };
  if (const moorea::WorldSpec spec = world.world(); spec.is_surface()) {
    json["mesh"] = short_name(*spec.mesh);
    json["faces"] = spec.mesh->face_count();
  }
  const auto edge = editor.edge_met();
  if (edge && world.generation() >= *edge) json["edge_met"] = *edge;
  return json;
}

Json program_json() {
  Json rules = Json::array(), devices = Json::array(), formats = Json::array();
  for (const moorea::NamedRule& named : moorea::named_rules())
    rules.push_back({{"name", named.name}, {"rule", named.rule.str()}});
  for (const moorea::DeviceInfo& device : moorea::list_devices())
    devices.push_back(
        {{"name", device.name}, {"description", device.description}, {"memory", device.memory}});
  for (const moorea::FormatInfo& format : moorea::pattern_formats()) {
    if (format.writable) formats.push_back({{"name", format.name}, {"summary", format.summary}});
  }
  return {{"version", moorea::version()},
          {"rules", rules},
          {"instance", random_token()},
          {"devices", devices},
          {"formats", formats},
          {"patterns", patterns_json()},
          {"three", has_three()},
          {"palettes", palettes_json()},
          {"colourings", colourings_json()}};
}

}  // namespace app
