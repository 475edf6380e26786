// SPDX-License-Identifier: MIT
#include "media/far_run.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/app.h"
#include "cli/clock.h"
#include "cli/numbers.h"
#include "cli/plane_changes.h"
#include "cli/status_line.h"
#include "cli/trees.h"
#include "moorea/error.h"
#include "moorea/far_plane.h"
#include "moorea/hashlife.h"
#include "moorea/plan.h"
#include "moorea/support/bytes.h"

namespace app {
namespace {

constexpr std::uint64_t default_far_generations = 1000;

// Generations in which no population that began within 64 bits exceeds them: it grows with their square.
constexpr std::int64_t max_near_generations = std::int64_t{1} << 31;

void add_form(Json& json, const moorea::TreeFacts& facts) {
  json["tree"] = {{"nodes", facts.nodes},
                  {"bytes", facts.bytes},
                  {"level", facts.level},
                  {"evaluations", facts.evaluations},
                  {"collections", facts.collections}};
}

void add_form(Json& json, const moorea::HashLife& world) {
  add_form(json, world.facts());
  if (world.background()) json["background"] = "alive";
}

void add_form(Json& json, const moorea::FarPlane& world) {
  if (const std::optional<moorea::TreeFacts> facts = world.tree()) {
    add_form(json, *facts);
  } else {
    json["kernel"] = world.plan().kernel;
    json["threads"] = world.threads();
  }
  add_plane_changes(json, world.changes());
  if (world.edge_met()) json["edge_met"] = number_json(*world.edge_met());
}

template <class World>
Json far_json(const World& world, int threads, double seconds) {
  const moorea::WorldSpec& spec = world.world();
  moorea::BigInteger width = spec.width, height = spec.height;
  if (spec.is_unbounded()) {
    const std::optional<moorea::BigBox> box = world.bounding_box();
    width = box ? box->width() : 0;
    height = box ? box->height() : 0;
  }
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
               {"seconds", seconds}};
  add_form(json, world);
  if (was_interrupted()) add_interruption(json);
  return json;
}

std::string tree_text(const Json& json) {
  if (!json.contains("tree")) return "";
  const Json& tree = json["tree"];
  return fmt::format("  tree    {} nodes, {}, {}\n", tree["nodes"].get<std::size_t>(),
                     moorea::human_bytes(tree["bytes"].get<double>()),
                     counted(tree["collections"].get<std::uint64_t>(), "collection"));
}

std::string far_text(const Json& json, const moorea::Rule& rule, const std::string& changes) {
  const bool alive = json.contains("background");
  const int threads = json["threads"].get<int>();
  return fmt::format(
      "generation {}, {} {}\n"
      "  rule    {}\n"
      "  world   {}, {}{} x {}{}\n"
      "  hash    {}\n"
      "  kernel  {} on cpu, {}\n{}{}"
      "  time    {}\n",
      number_text(json["generation"]), alive ? "dead cells" : "population", number_text(json["population"]),
      rule.name().empty() ? rule.str() : fmt::format("{} ({})", rule.str(), rule.name()),
      json["topology"].get<std::string>(), json["topology"] == "unbounded" ? "now " : "",
      number_text(json["width"]), number_text(json["height"]),
      alive ? ", where all other cells are alive" : "", json["hash"].get<std::string>(),
      json["kernel"].get<std::string>(), threads == 1 ? "1 thread" : fmt::format("up to {} threads", threads),
      tree_text(json), changes, human_seconds(json["seconds"].get<double>()));
}

// Whether all of the world is in the file.
bool is_of_file(const WorldOptions& world) {
  return world.size.empty() && world.topology.empty() && world.mesh.empty() && !world.centre && !world.random;
}

// The world of a macrocell file, whose cells are not expanded; `limits` are the options of such a world.
template <class Far, class Limits>
std::optional<Far> read_far(FarRun& run, const Limits& limits) {
  if (!may_hold_tree(run.world.pattern) || !is_of_file(run.world)) return std::nullopt;
  moorea::Pattern& facts = run.output.about;
  std::optional<Far> world = Far::read_tree(run.world.pattern, run.world.rule, limits, &facts);
  // A bounded grid of the file's rule holds for another rule, too
  if (!world || run.world.rule.empty() || facts.rule.find(':') == std::string::npos) return world;
  facts = {};
  return std::nullopt;
}

template <class Far, class Limits>
Far far_pattern(const World& world, const Limits& limits) {
  if (!world.tree()) return Far::of(*world.pattern(), world.spec(), limits);
  Far tree = Far::of(*world.tree(), world.spec(), limits);
  tree.set_generation(world.pattern()->generation);
  return tree;
}

int tree_threads(const moorea::Options& options) { return std::max(options.threads, 1); }

// What a run starts with; `run` gets the name and comments of its pattern.
moorea::HashLife tree_of(FarRun& run, const World& world, const moorea::HashLifeOptions& limits) {
  if (world.pattern()) {
    run.output.keep_texts(*world.pattern());
    return far_pattern<moorea::HashLife>(world, limits);
  }
  moorea::HashLife made(world.spec(), limits);
  made.reset(world.rows(0, world.spec().height));
  return made;
}

moorea::HashLife started_tree(FarRun& run, const moorea::Options& options) {
  const moorea::HashLifeOptions limits = {options.memory, tree_threads(options)};
  if (auto world = read_far<moorea::HashLife>(run, limits)) return std::move(*world);
  WorldOptions large = run.world;
  large.is_tree = true;
  return tree_of(run, World(large), limits);
}

// Empty for another world whose generations fit 64 bits.
std::optional<moorea::FarPlane> started_plane(FarRun& run, const moorea::Options& options,
                                              std::unique_ptr<World>& other) {
  WorldOptions large = run.world;
  large.is_tree = begins_as_tree(run.world.pattern);
  if (auto world = read_far<moorea::FarPlane>(run, options)) return world;
  auto world = std::make_unique<World>(large);
  const bool fits = run.generations.as_signed().has_value();
  if (fits && !moorea::FarPlane::refusal(world->spec(), options).empty()) {
    other = std::move(world);
    return std::nullopt;
  }
  if (!world->pattern()) return moorea::FarPlane::of(moorea::Pattern(), world->spec(), options);
  run.output.keep_texts(*world->pattern());
  return far_pattern<moorea::FarPlane>(*world, options);
}

// Whether the condition is fulfilled, if there is one.
template <class World>
bool advance(World& world, const moorea::BigInteger& generations, const Until& until) {
  const moorea::BigInteger goal = world.generation() + generations;
  StatusLine line;
  const auto go_on = [&] {
    if (line.due())
      line.show(fmt::format("generation {} of {}", world.generation().str(), goal.str()),
                {{"generation", number_json(world.generation())}, {"goal", number_json(goal)}});
    return !was_interrupted();
  };
  if (!until.is_given()) return world.step(generations, go_on);
  while (true) {
    const moorea::BigInteger distance = until.distance(world);
    if (distance.is_zero()) return true;
    const moorea::BigInteger left = goal - world.generation();
    // A step of few generations does not ask
    if (left.is_zero() || !go_on() || !world.step(std::min(left, distance), go_on)) return false;
  }
}

const moorea::HashLife& as_tree(const moorea::HashLife& world) { return world; }
moorea::HashLife as_tree(moorea::FarPlane& world) { return std::move(world).into_tree(); }

std::vector<moorea::PlaneChange> changes_of(const moorea::HashLife&) { return {}; }
const std::vector<moorea::PlaneChange>& changes_of(const moorea::FarPlane& world) { return world.changes(); }

template <class World>
int run_to_end(const FarRun& run, World& world, int threads) {
  run.until.require(world.world());
  const auto begun = Clock::now();
  const bool fulfilled = advance(world, run.generations, run.until);
  stop_time_limit();
  const double seconds = since(begun);
  if (run.engine.explain) explain_plane_changes(changes_of(world));
  Json json = far_json(world, threads, seconds);
  run.until.report(json, world.generation(), fulfilled);
  const std::string text =
      far_text(json, world.world().rule, plane_changes_text(changes_of(world))) + Until::text(json);
  std::exception_ptr failure;
  try {
    if (!run.output.path.empty()) run.output.write(as_tree(world), json);
  } catch (const moorea::Error&) {
    failure = std::current_exception();
  }
  if (run.json) {
    print_json(json);
  } else if (run.output.path == "-") {
    std::fputs(text.c_str(), stderr);
  } else {
    print(text);
  }
  if (failure) std::rethrow_exception(failure);
  return Until::exit_of(json, was_interrupted() ? interruption_exit() : 0);
}

}  // namespace

// As parse_count() reads it, or a number of any size.
moorea::BigInteger parse_generations(const std::string& text) {
  if (text.empty()) return default_far_generations;
  try {
    return parse_count(text, "generations");
  } catch (const moorea::Error&) {
    const moorea::BigInteger number = moorea::BigInteger::parse(text);
    if (number.is_negative()) throw;
    return number;
  }
}

bool may_run_far(const FarRun& run) {
  if (!run.generations.as_signed()) return true;
  const WorldOptions& world = run.world;
  const bool is_plane = !world.random && world.size.empty() && world.mesh.empty() &&
                        (world.topology.empty() || world.topology == "unbounded");
  return is_plane && run.engine.may_become_tree() &&
         (begins_as_tree(world.pattern) || run.generations > max_near_generations);
}

std::optional<int> run_far(FarRun run, std::unique_ptr<World>& other) {
  run.output.check();
  if (run.output.path == "-" && run.json)
    usage("-o - and --json both want standard output; write the pattern to a file");
  const moorea::Options options = run.engine.options(run.generations.as_unsigned());
  if (options.kernel == "hashlife") {
    moorea::HashLife world = started_tree(run, options);
    catch_interruption();
    run.engine.say_plan(moorea::plan_run(world.world(), options));
    return run_to_end(run, world, tree_threads(options));
  }
  std::optional<moorea::FarPlane> world = started_plane(run, options, other);
  if (!world) return std::nullopt;
  catch_interruption();
  run.engine.say_plan(world->plan());
  return run_to_end(run, *world, 1);
}

bool needs_tree(const World& world, const EngineOptions& engine) {
  return world.spec().is_unbounded() && world.rule().births_from_nothing() &&
         (engine.may_become_tree() || engine.kernel == "hashlife") &&
         moorea::HashLife::refusal(world.spec()) == nullptr;
}

int run_tree(FarRun run, const World& world) {
  run.engine.kernel = "hashlife";
  const moorea::Options options = run.engine.options(run.generations.as_unsigned());
  moorea::HashLife tree = tree_of(run, world, {options.memory, tree_threads(options)});
  if (run.engine.explain) say("hashlife on cpu: under a rule with B0 only a tree can be an unbounded plane");
  return run_to_end(run, tree, tree_threads(options));
}

}  // namespace app
