// SPDX-License-Identifier: MIT
#include "serve/replies.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "cli/cell_output.h"
#include "cli/trees.h"
#include "moorea/error.h"
#include "moorea/hashlife.h"
#include "moorea/inventory.h"
#include "moorea/rule.h"
#include "serve/state.h"

namespace app {
namespace {

constexpr std::size_t max_file_bytes = 64'000'000;  // that a page is sent

// The first extension of a format, with its dot.
std::string extension(const std::string& name) {
  for (const moorea::FormatInfo& format : moorea::pattern_formats()) {
    if (format.name == name) return std::string(format.extensions.substr(0, format.extensions.find(' ')));
  }
  return name;
}

// An upper bound for the bytes of a file.
double max_bytes(const std::string& format, const moorea::Box& box, double population) {
  if (format == "rle") return 4 * population;
  if (format == "life106") return 24 * population;
  return format == "pbm" ? box.area() / 8 : 2 * box.area();
}

}  // namespace

Reply error_reply(const std::string& text) { return {{{"event", "error"}, {"text", text}}, {}}; }

Reply rule_reply(const std::string& text, const moorea::Simulation& world) {
  Json json = {{"event", "rule"}, {"text", text}};
  try {
    const moorea::WorldSpec spec = moorea::WorldSpec::parse(text);
    json["rule"] = spec.str();
    json["name"] = spec.rule.name();
    json["strobes"] = strobes(spec.rule);
    const bool unbounded = spec.is_unbounded() && world.grows();
    if (unbounded && spec.rule.births_from_nothing())
      json["error"] = "B0 fills an unbounded plane: such a rule needs a world with a size";
    if (!spec.is_unbounded() && world.world().is_surface())
      json["error"] = "a surface has the size of its mesh: leave the bounded grid out of the rule";
  } catch (const moorea::Error& error) {
    json["error"] = error.what();
  }
  return {json, {}};
}

Reply kernels_reply(const moorea::WorldSpec& world) {
  Json kernels = Json::array();
  for (const moorea::KernelInfo& kernel : moorea::list_kernels(world.rule)) {
    const bool flat_only = world.is_surface() && kernel.numbering.empty();
    kernels.push_back({{"name", kernel.name},
                       {"backend", to_string(kernel.backend)},
                       {"summary", kernel.summary},
                       {"runs", kernel.runs && !flat_only},
                       {"reason", flat_only ? "it is for flat worlds" : kernel.reason}});
  }
  const char* const refusal = moorea::HashLife::refusal(world);
  kernels.push_back({{"name", tree_kernel_name},
                     {"backend", "cpu"},
                     {"summary", tree_kernel_summary},
                     {"runs", refusal == nullptr},
                     {"reason", refusal == nullptr ? "" : refusal}});
  return {{{"event", "kernels"}, {"kernels", kernels}}, {}};
}

Reply copied_reply(const WorldEditor& editor, const moorea::Box& box) {
  return {{{"event", "copied"}, {"box", box_json(box)}}, moorea::format_pattern(editor.copy(box))};
}

Reply pattern_reply(const std::function<moorea::Pattern()>& get, const moorea::Rule& rule) {
  Reply reply{{{"event", "pattern"}}, {}};
  Json& json = reply.json;
  try {
    const moorea::Pattern pattern = get();
    if (pattern.cells.empty()) throw moorea::Error("the pattern has no cells");
    moorea::Size size = {pattern.cells.width(), pattern.cells.height()};
    require_area(size.width, size.height);
    // With the dead cells around it that its header counts, as a copied selection has them
    const moorea::Size header = pattern.header.value_or(size),
                       both = {std::max(size.width, header.width), std::max(size.height, header.height)};
    if (both.area() <= max_cells_at_once) size = both;
    json["name"] = pattern.name;
    json["width"] = size.width;
    json["height"] = size.height;
    json["population"] = pattern.cells.population();
    if (!pattern.rule.empty()) json["rule"] = pattern.rule;
    try {
      const moorea::WorldSpec spec = pattern.world();
      json["same_rule"] = pattern.rule.empty() || spec.rule == rule;
      if (!spec.rule.name().empty()) json["rule"] = spec.rule.name();
    } catch (const moorea::Error& error) {
      json["same_rule"] = false;
      json["rule_error"] = error.what();
    }
    // A page shows a million cells at most, which take less
    std::string text = moorea::format_pattern(pattern);
    if (text.size() <= max_file_bytes) reply.bytes = std::move(text);
  } catch (const std::exception& error) {
    json["error"] = error.what();
  }
  return reply;
}

Reply file_reply(const WorldEditor& editor, const std::string& format) {
  const moorea::Simulation& world = editor.simulation();
  const std::string name = editor.name().empty() ? "world" : editor.name();
  const Json event = {{"event", "file"},
                      {"name", fmt::format("{}-{}{}", name, world.generation(), extension(format))}};
  if (is_written_as_tree(world, "-", format)) {
    const moorea::Pattern facts = named(editor.about(), facts_of(world.world(), world.generation()));
    return {event, moorea::CellTree::of(world).text(facts, format, max_file_bytes)};
  }
  const bool whole = format.starts_with("pbm") && !world.grows();
  const moorea::Box box = whole ? world.box() : editor.bounding_box().value_or(moorea::Box());
  if (max_bytes(format, box, static_cast<double>(world.population())) > static_cast<double>(max_file_bytes))
    throw moorea::Error(
        "this world is too large for a page in this format; moorea run -o saves it where it runs");
  return {event, moorea::format_pattern(named(editor.about(), world.snapshot(whole)), format)};
}

}  // namespace app
