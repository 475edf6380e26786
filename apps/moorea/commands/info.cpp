// SPDX-License-Identifier: MIT
// moorea info: what a pattern holds, what a rule is, or what this machine offers.
#include <fmt/core.h>

#include <memory>

#include "cli/app.h"
#include "cli/numbers.h"
#include "cli/rule_facts.h"
#include "cli/trees.h"
#include "moorea/checkpoint.h"
#include "moorea/error.h"
#include "moorea/hashlife.h"
#include "moorea/inventory.h"
#include "moorea/mesh.h"
#include "moorea/mpi_session.h"
#include "moorea/pattern.h"
#include "moorea/rule.h"
#include "moorea/support/bytes.h"
#include "moorea/support/printable.h"

namespace app {
namespace {

struct InfoOptions {
  std::string pattern;
  std::string rule;
  std::string mesh;
  std::string adjacency;
  bool rules = false;
  bool json = false;
};

int rule_info(const InfoOptions& options) {
  const Json facts = rule_facts(moorea::WorldSpec::parse(options.rule));
  if (options.json)
    print_json(facts);
  else
    print(rule_text(facts));
  return ok;
}

// Facts of a checkpoint that no other pattern has; empty for those.
Json checkpoint_json(const moorea::Pattern& pattern, const std::string& path) {
  if (pattern.format != "checkpoint" || path == "-") return {};
  const moorea::CheckpointReader reader(path);
  const moorea::CheckpointHeader& header = reader.header();
  Json json = {
      {"hash", hash_text(header.hash)}, {"saved_by", header.version}, {"chunks", reader.chunks().size()}};
  if (!header.mesh.empty()) {
    json["mesh"] = header.mesh;
    json["adjacency"] = to_string(header.adjacency);
  }
  if (header.edge_met) json["edge_met"] = *header.edge_met;
  json["run"] = Json::parse(header.notes);
  return json;
}

std::string checkpoint_text(const Json& json) {
  if (json.empty()) return "";
  std::string text = fmt::format("hash        {}\nsaved by    Moorea {}\n", json["hash"].get<std::string>(),
                                 moorea::escaped(json["saved_by"].get<std::string>()));
  if (json.contains("mesh"))
    text +=
        fmt::format("mesh        {}, neighbours by {}\n", moorea::escaped(json["mesh"].get<std::string>()),
                    json["adjacency"].get<std::string>());
  if (json["run"].contains("goal") && json["run"]["goal"].is_number())
    text += fmt::format("goal        generation {}\n", json["run"]["goal"].get<std::uint64_t>());
  return text;
}

constexpr const char* foreign_rule = ", which is not of the family that Moorea runs";

struct FileRule {
  std::string rule;
  std::string note;
  bool runs = true;
};

// The rule of a pattern, which may be one that Moorea does not run.
FileRule rule_of(const moorea::Pattern& pattern) {
  FileRule found{pattern.rule, "", true};
  try {
    const moorea::WorldSpec spec = pattern.world();
    found.rule = spec.str();
    if (pattern.rule.empty()) found.note = ", for the file names none";
    if (!spec.rule.name().empty()) found.note = fmt::format(" ({}){}", spec.rule.name(), found.note);
  } catch (const moorea::Error&) {
    found.runs = false;
    found.note = foreign_rule;
  }
  return found;
}

// Facts of a pattern whose cells are in a tree, and everything else in `file`.
Json tree_json(const moorea::HashLife& world, const moorea::Pattern& file) {
  const auto [rule, note, runs] = rule_of(file);
  const moorea::TreeFacts facts = world.facts();
  Json json = {{"format", file.format},
               {"width", 0},
               {"height", 0},
               {"population", number_json(world.population())},
               {"generation", file.generation},
               {"rule", rule},
               {"runs", runs},
               {"name", file.name},
               {"author", file.author},
               {"comments", file.comments},
               {"tree", {{"level", facts.level}, {"nodes", facts.nodes}}}};
  if (const std::optional<moorea::BigBox> box = world.bounding_box()) {
    json["width"] = number_json(box->width());
    json["height"] = number_json(box->height());
    json["position"] = {number_json(box->left), number_json(box->top)};
  }
  return json;
}

std::string tree_text(const std::string& path, const Json& json) {
  std::string text = fmt::format("pattern     {}\n", moorea::escaped(path));
  const std::string name = json["name"];
  if (!name.empty()) text += fmt::format("name        {}\n", moorea::escaped(name));
  if (const std::string author = json["author"]; !author.empty())
    text += fmt::format("author      {}\n", moorea::escaped(author));
  text += fmt::format("format      {}\nsize        {} x {}\n", json["format"].get<std::string>(),
                      number_text(json["width"]), number_text(json["height"]));
  text += fmt::format("population  {}\n", number_text(json["population"]));
  text += fmt::format("rule        {}{}\n", moorea::escaped(json["rule"].get<std::string>()),
                      json["runs"].get<bool>() ? "" : foreign_rule);
  if (json["generation"] != 0)
    text += fmt::format("generation  {}\n", json["generation"].get<std::uint64_t>());
  if (json.contains("position"))
    text += fmt::format("position    {}, {}\n", number_text(json["position"][0]),
                        number_text(json["position"][1]));
  text += fmt::format("tree        {} different squares, the largest of 2^{} cells on a side\n",
                      json["tree"]["nodes"].get<std::size_t>(), json["tree"]["level"].get<int>());
  for (const Json& comment : json["comments"])
    text += fmt::format("comment     {}\n", moorea::escaped(comment.get<std::string>()));
  return text;
}

int pattern_info(const InfoOptions& options) {
  // The rule does not matter for a tree, and may be one that Moorea does not run
  moorea::Pattern pattern;
  std::optional<moorea::HashLife> tree;
  if (may_hold_tree(options.pattern))
    tree = moorea::HashLife::read_tree(options.pattern, "B3/S23", {}, &pattern);
  if (!tree) {
    std::optional<moorea::CellTree> far;
    pattern = moorea::read_pattern(options.pattern, far);
    if (far) tree = moorea::HashLife::of(*far, {}, {});
  }
  if (tree) {
    Json json = tree_json(*tree, pattern);
    const Json checkpoint = checkpoint_json(pattern, options.pattern);
    if (!checkpoint.empty()) json["checkpoint"] = checkpoint;
    options.json ? print_json(json) : print(tree_text(options.pattern, json) + checkpoint_text(checkpoint));
    return ok;
  }
  const auto box = pattern.cells.bounding_box();
  const auto [rule, note, runs] = rule_of(pattern);
  const Json checkpoint = checkpoint_json(pattern, options.pattern);
  if (options.json) {
    Json json = {{"format", pattern.format},
                 {"width", pattern.cells.width()},
                 {"height", pattern.cells.height()},
                 {"population", pattern.cells.population()},
                 {"generation", pattern.generation},
                 {"rule", rule},
                 {"runs", runs},
                 {"name", pattern.name},
                 {"author", pattern.author},
                 {"comments", pattern.comments}};
    if (!checkpoint.empty()) json["checkpoint"] = checkpoint;
    if (pattern.states) json["cells_by_state"] = pattern.states->census();
    if (pattern.position) json["position"] = {pattern.position->x, pattern.position->y};
    if (box)
      json["live_box"] = {{"x", box->x}, {"y", box->y}, {"width", box->width}, {"height", box->height}};
    print_json(json);
    return ok;
  }
  std::string text = fmt::format(
      "pattern     {}\n", options.pattern == "-" ? "standard input" : moorea::escaped(options.pattern));
  if (!pattern.name.empty()) text += fmt::format("name        {}\n", moorea::escaped(pattern.name));
  if (!pattern.author.empty()) text += fmt::format("author      {}\n", moorea::escaped(pattern.author));
  text += fmt::format("format      {}\nsize        {} x {}\npopulation  {}\n", pattern.format,
                      pattern.cells.width(), pattern.cells.height(), pattern.cells.population());
  if (pattern.states) text += fmt::format("by state    {}\n", Json(pattern.states->census()).dump());
  text += fmt::format("rule        {}{}\n", moorea::escaped(rule), note);
  if (pattern.generation != 0) text += fmt::format("generation  {}\n", pattern.generation);
  if (pattern.position) text += fmt::format("position    {}, {}\n", pattern.position->x, pattern.position->y);
  for (const std::string& comment : pattern.comments)
    text += fmt::format("comment     {}\n", moorea::escaped(comment));
  text += checkpoint_text(checkpoint);
  print(text);
  return ok;
}

int mesh_info(const InfoOptions& options) {
  const std::shared_ptr<const moorea::Mesh> mesh = moorea::Mesh::make(options.mesh);
  const moorea::Adjacency adjacency =
      options.adjacency.empty() ? moorea::Adjacency::vertex : moorea::parse_adjacency(options.adjacency);
  const moorea::MeshFacts facts = mesh->facts(adjacency);
  if (options.json) {
    print_json({{"mesh", mesh->name()},
                {"faces", facts.faces},
                {"triangles", facts.triangles},
                {"quads", facts.quads},
                {"edges", facts.edges},
                {"vertices", facts.vertices},
                {"boundary_edges", facts.boundary_edges},
                {"components", facts.components},
                {"orientable", facts.orientable},
                {"euler_characteristic", facts.euler_characteristic()},
                {"adjacency", to_string(adjacency)},
                {"least_neighbours", facts.least_neighbours},
                {"most_neighbours", facts.most_neighbours},
                {"width", mesh->size().width},
                {"height", mesh->size().height}});
    return ok;
  }
  std::string text = fmt::format("mesh        {}\n", moorea::escaped(mesh->name()));
  text += fmt::format("faces       {}: {} triangles, {} quads, in {} x {} cells\n", facts.faces,
                      facts.triangles, facts.quads, mesh->size().width, mesh->size().height);
  text += fmt::format("neighbours  {} to {} of a face, by {}\n", facts.least_neighbours,
                      facts.most_neighbours, adjacency == moorea::Adjacency::vertex ? "vertices" : "edges");
  text += fmt::format("edges       {}, of which {} are a boundary\n", facts.edges, facts.boundary_edges);
  text += fmt::format("vertices    {}\n", facts.vertices);
  text += fmt::format("surface     {}, {}; Euler characteristic {}\n",
                      counted(static_cast<std::uint64_t>(facts.components), "component"),
                      facts.orientable ? "orientable" : "not orientable", facts.euler_characteristic());
  print(text);
  return ok;
}

int rules_info(const InfoOptions& options) {
  Json json = Json::array();
  std::string text;
  for (const moorea::NamedRule& named : moorea::named_rules()) {
    json.push_back({{"name", named.name}, {"rule", named.rule.str()}});
    text += fmt::format("{:24} {}\n", named.name, named.rule.str());
  }
  options.json ? print_json(json) : print(text);
  return ok;
}

int machine_info(const InfoOptions& options) {
  const std::vector<moorea::DeviceInfo> devices = moorea::list_devices();
  const std::vector<moorea::KernelInfo> kernels = moorea::list_kernels();
  std::size_t running = 0;
  for (const moorea::KernelInfo& kernel : kernels) running += kernel.runs ? 1 : 0;
  if (options.json) {
    Json json = {{"version", moorea::version()},
                 {"revision", moorea::revision()},
                 {"compiler", moorea::compiler()},
                 {"devices", Json::array()}};
    for (const moorea::DeviceInfo& device : devices) {
      json["devices"].push_back({{"name", device.name},
                                 {"description", device.description},
                                 {"threads", device.threads},
                                 {"memory_available_bytes", device.memory}});
    }
    json["checkpoints"] = moorea::checkpoints_unavailable_reason() == nullptr;
    json["kernels"] = kernels.size();
    json["kernels_that_run"] = running;
    json["mpi"] = moorea::has_mpi() ? Json(moorea::mpi_text()) : Json();
    json["nccl"] = moorea::nccl_text();
    print_json(json);
    return ok;
  }
  std::string text = fmt::format("moorea {}, revision {}, built with {}\n", moorea::version(),
                                 moorea::revision(), moorea::compiler());
  for (const moorea::DeviceInfo& device : devices) {
    text += fmt::format("device {}: {}, {}, {} free\n", device.name, device.description,
                        counted(static_cast<unsigned>(device.threads), "thread"),
                        moorea::human_bytes(static_cast<double>(device.memory)));
  }
  text += "a world that exceeds a device's memory runs with --out-of-core: docs/many-devices.md\n";
  text += fmt::format("{} of {} run here: moorea kernels lists them\n", running,
                      counted(kernels.size(), "kernel"));
  if (const char* reason = moorea::checkpoints_unavailable_reason())
    text += fmt::format("no checkpoints: {}\n", reason);
  text += fmt::format("many machines: {}", moorea::mpi_text());
  if (moorea::has_mpi()) text += "; " + moorea::nccl_text();
  text += '\n';
  print(text);
  return ok;
}

}  // namespace

Action add_info(CommandLine& line) {
  Command command = line.add_command("info", "Describe a pattern, a rule, a mesh, or this machine", false);
  const auto options = std::make_shared<InfoOptions>();
  command.add_option("pattern", options->pattern, "Pattern file, or - for standard input");
  command.add_option("-r,--rule", options->rule, "Describe this rule").type_name("RULE");
  command.add_option("--mesh", options->mesh, "Describe this mesh, as moorea run --mesh takes it")
      .type_name("NAME|FILE.obj");
  command
      .add_option(
          "--adjacency", options->adjacency,
          "Neighbours that --mesh counts: faces that share a corner (vertex) or an edge. Default: vertex")
      .type_name("vertex|edge");
  command.add_flag("--rules", options->rules, "List the rules that have names");
  command.add_flag("--json", options->json, "Print JSON");
  command.footer(
      "Examples:\n"
      "  moorea info                       version, devices, memory\n"
      "  moorea info patterns/acorn.rle    size, population, rule, comments\n"
      "  moorea info --rule \"Day & Night\"  birth and survival counts\n"
      "  moorea info --mesh sphere:32      faces, neighbours, Euler characteristic\n"
      "  moorea info --rules               every rule with a name");
  return [options] {
    const int asked = int{!options->pattern.empty()} + int{!options->rule.empty()} +
                      int{!options->mesh.empty()} + int{options->rules};
    if (asked > 1)
      throw moorea::Error("expected one of a pattern, --rule, --mesh and --rules", moorea::ErrorKind::usage);
    if (!options->adjacency.empty() && options->mesh.empty()) usage("--adjacency is for --mesh NAME");
    if (!options->mesh.empty()) return mesh_info(*options);
    if (!options->pattern.empty()) return pattern_info(*options);
    if (!options->rule.empty()) return rule_info(*options);
    return options->rules ? rules_info(*options) : machine_info(*options);
  };
}

}  // namespace app
