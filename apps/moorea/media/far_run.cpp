// SPDX-License-Identifier: MIT
#include "media/far_run.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/app.h"
#include "cli/clock.h"
#include "cli/numbers.h"
#include "cli/trees.h"
#include "moorea/hashlife.h"
#include "moorea/plan.h"
#include "moorea/support/bytes.h"

namespace app {
namespace {

constexpr std::uint64_t default_generations = 1000;

// As parse_count() reads it, or a number of any size.
moorea::BigInteger parse_generations(const std::string& text) {
  if (text.empty()) return default_generations;
  try {
    return parse_count(text, "generations");
  } catch (const moorea::Error&) {
    const moorea::BigInteger number = moorea::BigInteger::parse(text);
    if (number.is_negative()) throw;
    return number;
  }
}

Json far_json(const moorea::HashLife& world, int threads, double seconds) {
  const moorea::WorldSpec& spec = world.world();
  moorea::BigInteger width = spec.width, height = spec.height;
  if (spec.is_unbounded()) {
    if (const auto box = world.bounding_box()) {
      width = box->width();
      height = box->height();
    }
  }
  const moorea::TreeFacts facts = world.facts();
  Json json = {{"rule", spec.rule.str()},
               {"topology", moorea::to_string(spec.topology)},
               {"width", number_json(width)},
               {"height", number_json(height)},
               {"generation", number_json(world.generation())},
               {"population", number_json(world.population())},
               {"hash", hash_text(world.hash())},
               {"kernel", "hashlife"},
               {"device", "cpu"},
               {"threads", threads},
               {"seconds", seconds},
               {"tree",
                {{"nodes", facts.nodes},
                 {"bytes", facts.bytes},
                 {"level", facts.level},
                 {"evaluations", facts.evaluations},
                 {"collections", facts.collections}}}};
  if (world.background()) json["background"] = "alive";
  if (was_interrupted()) json["interrupted"] = true;
  return json;
}

std::string far_text(const Json& json, const moorea::Rule& rule) {
  const Json& tree = json["tree"];
  const bool alive = json.contains("background");
  return fmt::format(
      "generation {}, {} {}\n"
      "  rule    {}\n"
      "  world   {}, {}{} x {}{}\n"
      "  hash    {}\n"
      "  kernel  hashlife on cpu, {} thread{}\n"
      "  tree    {} nodes, {}, {} collection{}\n"
      "  time    {}\n",
      number_text(json["generation"]), alive ? "dead cells" : "population", number_text(json["population"]),
      rule.name().empty() ? rule.str() : fmt::format("{} ({})", rule.str(), rule.name()),
      json["topology"].get<std::string>(), json["topology"] == "unbounded" ? "now " : "",
      number_text(json["width"]), number_text(json["height"]),
      alive ? ", where all other cells are alive" : "", json["hash"].get<std::string>(),
      json["threads"].get<int>(), json["threads"] == 1 ? "" : "s", tree["nodes"].get<std::size_t>(),
      moorea::human_bytes(tree["bytes"].get<double>()), tree["collections"].get<std::uint64_t>(),
      tree["collections"] == 1 ? "" : "s", human_seconds(json["seconds"].get<double>()));
}

moorea::HashLife started(const FarRun& run, const moorea::Options& options) {
  const moorea::HashLifeOptions limits = {options.memory, std::max(options.threads, 1)};
  const WorldOptions& asked = run.world;
  if (may_hold_tree(asked.pattern) && asked.size.empty() && asked.topology.empty() && asked.mesh.empty() &&
      !asked.centre && !asked.random) {
    if (std::optional<moorea::HashLife> world =
            moorea::HashLife::read_tree(asked.pattern, asked.rule, limits))
      return std::move(*world);
  }
  WorldOptions large = asked;
  large.is_tree = true;
  const World world(large);
  const moorea::WorldSpec& spec = world.spec();
  if (world.tree()) {
    moorea::HashLife tree = moorea::HashLife::of(*world.tree(), spec, limits);
    tree.set_generation(world.pattern()->generation);
    return tree;
  }
  if (world.pattern()) return moorea::HashLife::of(*world.pattern(), spec, limits);
  moorea::HashLife made(spec, limits);
  made.reset(world.rows(0, spec.height));
  return made;
}

// Whether the condition is fulfilled, if there is one.
bool advance(moorea::HashLife& world, const moorea::BigInteger& generations, const Until& until) {
  const auto go_on = [] { return !was_interrupted(); };
  if (!until.is_given()) return world.step(generations, go_on);
  const moorea::BigInteger goal = world.generation() + generations;
  while (true) {
    const moorea::BigInteger distance = until.distance(world);
    if (distance.is_zero()) return true;
    const moorea::BigInteger left = goal - world.generation();
    if (left.is_zero() || !world.step(std::min(left, distance), go_on)) return false;
  }
}

}  // namespace

int run_far(const FarRun& run) {
  const moorea::BigInteger generations = parse_generations(run.generations);
  const CellOutput& output = run.output;
  output.check();
  if (output.path == "-" && run.json)
    usage("-o - and --json both want standard output; write the pattern to a file");
  const moorea::Options options = run.engine.options();
  catch_interruption();
  moorea::HashLife world = started(run, options);
  run.until.require(world.world());
  run.engine.say_plan(moorea::plan_run(world.world(), options));
  const auto begun = Clock::now();
  const bool fulfilled = advance(world, generations, run.until);
  const double seconds = since(begun);
  Json json = far_json(world, std::max(options.threads, 1), seconds);
  if (!output.path.empty()) output.write(world, json);
  run.until.report(json, world.generation(), fulfilled);
  const std::string text = far_text(json, world.world().rule) + Until::text(json);
  if (run.json) {
    print_json(json);
  } else if (output.path == "-") {
    std::fputs(text.c_str(), stderr);
  } else {
    print(text);
  }
  return Until::exit_of(json, was_interrupted() ? interruption_exit() : 0);
}

}  // namespace app
