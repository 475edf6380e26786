// SPDX-License-Identifier: MIT
// moorea verify: two kernels in lockstep. A kernel of a C++ file is also to write in its blocks alone. One
// simulation of the first kernel advances by 64 generations at a time, and another one, unless the world is
// large, by one. Where the long steps alone are wrong, the last common state is run again by 2, 3, ...
// generations, so that the first wrong one is found.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "cli/app.h"
#include "cli/progress.h"
#include "cli/reference_kernel.h"
#include "cli/world.h"
#include "moorea/error.h"
#include "moorea/lab/instruments.h"
#include "moorea/pattern.h"

namespace app {
namespace {

using moorea::Box;
using moorea::Grid;
using moorea::Simulation;

constexpr std::uint64_t stride = 64;  // generations of the longest step
// Cells of a world up to which each generation is compared as well
constexpr std::int64_t max_cells_of_each = std::int64_t{1} << 22;
constexpr std::int64_t spot_radius = 8;  // cells around the difference in the picture of it

struct VerifyOptions {
  WorldOptions world;
  EngineOptions engine;
  std::string against;
  std::string generations = "1000";
  bool json = false;
};

struct Difference {
  std::uint64_t generation = 0;
  std::int64_t x = 0, y = 0;
  int kernel_state = 0, against_state = 0;
  std::string kernel_rle, against_rle;
  bool is_repeatable = true;  // from the last common state
};

// A difference of cells, or a cell that the kernel wrote outside its block.
struct Fault {
  std::optional<Difference> difference;
  std::optional<moorea::StrayWrite> stray;
};

std::string spot(const Simulation& simulation, const Box& box) {
  moorea::Pattern pattern;
  pattern.cells = simulation.window(box);
  if (simulation.rule().states() > 2) pattern.states = simulation.states(box);
  pattern.position = moorea::Position{box.x, box.y};
  pattern.generation = simulation.generation();
  pattern.set_world({simulation.rule()});
  return moorea::format_pattern(pattern);
}

constexpr const char* unrepeatable =
    "\nRepeated from the last common state they agree: the kernel depends on more than the cells, as on "
    "static "
    "data, on the order of its threads, or on cells that were not set";

std::string state_text(int state) {
  return state < 2 ? state == 1 ? "alive" : "dead" : fmt::format("in state {}", state);
}

bool same(const Simulation& a, const Simulation& b) {
  return a.population() == b.population() && a.hash() == b.hash();
}

Difference first_difference(const Simulation& a, const Simulation& b) {
  const Box box = unite(a.box(), b.box());  // unbounded planes may differ in size
  const moorea::Cells cells_a = a.states(box), cells_b = b.states(box);
  Difference difference;
  difference.generation = a.generation();
  for (std::int64_t y = 0; y < box.height; ++y) {
    for (std::int64_t x = 0; x < box.width; ++x) {
      if (cells_a.state(x, y) == cells_b.state(x, y)) continue;
      difference.x = box.x + x;
      difference.y = box.y + y;
      difference.kernel_state = cells_a.state(x, y);
      difference.against_state = cells_b.state(x, y);
      const Box around{difference.x - spot_radius, difference.y - spot_radius, 2 * spot_radius + 1,
                       2 * spot_radius + 1};
      difference.kernel_rle = spot(a, around);
      difference.against_rle = spot(b, around);
      return difference;
    }
  }
  throw moorea::Error("the two states have the same cells but different hashes or populations");
}

class Lockstep {
 public:
  Lockstep(const VerifyOptions& options, std::uint64_t generations)
      : world_(options.world),
        kernel_(options.engine.options(generations)),
        against_(kernel_),
        is_guarded_(kernel_.kernel.ends_with(".cpp")) {
    against_.kernel = options.against == "auto" ? ""
                      : options.against.empty() ? reference_kernel_for(world_.spec())
                                                : options.against;
    against_.device = "auto";
    against_.tile.reset();
    against_.schedule.reset();
    against_.placement.reset();
    against_.wide_share.reset();
    against_.block.reset();
    against_.bytes_a_thread.reset();
    against_.generations_a_pass.reset();
    against_.numbering.reset();
    a_ = std::make_unique<Simulation>(world_.simulate(kernel_));
    b_ = std::make_unique<Simulation>(world_.simulate(against_));
    if (is_small()) single_ = std::make_unique<Simulation>(world_.simulate(kernel_));
  }

  const Simulation& kernel() const { return *a_; }
  const Simulation& against() const { return *b_; }

  // Whether each generation is compared.
  bool compares_each() const { return single_ != nullptr; }

  std::optional<Fault> run(std::uint64_t generations) {
    Progress progress(*b_, generations);
    if (!same(*a_, *b_)) return Fault{first_difference(*a_, *b_), {}};
    for (std::uint64_t done = 0; done < generations && !was_interrupted();) {
      const std::uint64_t part = std::min(stride, generations - done);
      // The last common state is kept from the reference, which the other one equals
      const moorea::Pattern common = b_->snapshot();
      if (single_ && !is_small()) single_.reset();  // an unbounded plane has grown
      if (single_) {
        for (std::uint64_t g = 0; g < part && !was_interrupted(); ++g) {
          if (const auto stray = step(*single_, 1)) return Fault{{}, stray};
          b_->step(1);
          progress.update();
          require_room(*single_);
          if (!same(*single_, *b_)) return Fault{first_difference(*single_, *b_), {}};
        }
        if (was_interrupted()) break;
      } else {
        b_->step(part);
        progress.update();
      }
      if (const auto stray = step(*a_, part)) return Fault{{}, stray};
      require_room(*a_);
      if (!same(*a_, *b_)) return Fault{search(common, part), {}};
      done += part;
    }
    return std::nullopt;
  }

 private:
  std::optional<moorea::StrayWrite> step(Simulation& simulation, std::uint64_t generations) const {
    if (is_guarded_ && moorea::can_guard(simulation)) return moorea::step_guarded(simulation, generations);
    simulation.step(generations);
    return std::nullopt;
  }

  // Without a product, which would overflow where cells are far from each other.
  bool is_small() const {
    const Box box = a_->box();
    return box.width <= max_cells_of_each / std::max<std::int64_t>(box.height, 1);
  }

  void require_room(const Simulation& simulation) const {
    for (const Simulation* each : {&simulation, static_cast<const Simulation*>(b_.get())}) {
      if (!each->edge_met()) continue;
      throw moorea::Error(fmt::format(
          "memory ended the growth of the plane of {} at generation {}; what follows cannot be compared. "
          "Give the world a size, or more --memory",
          each->kernel(), each->edge_met().value()));
    }
  }

  Simulation after(const moorea::Pattern& common, const moorea::Options& options, std::uint64_t steps) const {
    Simulation simulation = Simulation::of(common, world_.spec(), options);
    simulation.step(steps);
    return simulation;
  }

  // The shortest step from the common state that is wrong.
  Difference search(const moorea::Pattern& common, std::uint64_t part) {
    Simulation b = Simulation::of(common, world_.spec(), against_);
    for (std::uint64_t steps = 1; steps <= part && !was_interrupted(); ++steps) {
      b.step(1);
      const Simulation a = after(common, kernel_, steps);
      if (!same(a, b)) return first_difference(a, b);
    }
    Difference difference = first_difference(*a_, *b_);
    difference.is_repeatable = was_interrupted();
    return difference;
  }

  World world_;
  moorea::Options kernel_, against_;
  bool is_guarded_;
  std::unique_ptr<Simulation> a_, b_, single_;
};

Json json_of(const Difference& difference, bool has_two_states) {
  Json json = {{"generation", difference.generation}, {"cell", {{"x", difference.x}, {"y", difference.y}}}};
  if (has_two_states) {
    json["alive"] = {{"kernel", difference.kernel_state == 1}, {"against", difference.against_state == 1}};
  } else {
    json["state"] = {{"kernel", difference.kernel_state}, {"against", difference.against_state}};
  }
  json["repeatable"] = difference.is_repeatable;
  json["rle"] = {{"kernel", difference.kernel_rle}, {"against", difference.against_rle}};
  return json;
}

Json json_of(const moorea::StrayWrite& stray) {
  return {{"generation", stray.generation},
          {"outside_block",
           {{"cell", {{"x", stray.cell.x}, {"y", stray.cell.y}}},
            {"block",
             {{"x", stray.block.x},
              {"y", stray.block.y},
              {"width", stray.block.width},
              {"height", stray.block.height}}}}}};
}

std::string text_of(const Difference& difference, const std::string& kernel, const std::string& against) {
  return fmt::format(
      "{0} and {1} differ: generation {2}, cell ({3}, {4}) is {5} in the first and {6} in the "
      "second{7}\n\n{0}:\n{8}\n{1}:\n{9}",
      kernel, against, difference.generation, difference.x, difference.y, state_text(difference.kernel_state),
      state_text(difference.against_state), difference.is_repeatable ? "" : unrepeatable,
      difference.kernel_rle, difference.against_rle);
}

std::string text_of(const moorea::StrayWrite& stray, const std::string& kernel) {
  return fmt::format(
      "{} writes outside its block: after generation {} at cell ({}, {}), in the block of {} x {} cells from "
      "({}, {}) on\n",
      kernel, stray.generation, stray.cell.x, stray.cell.y, stray.block.width, stray.block.height,
      stray.block.x, stray.block.y);
}

Json json_of(const Lockstep& lockstep, const std::optional<Fault>& fault) {
  const Simulation& at = lockstep.kernel();
  Json json = {{"kernel", at.kernel()},      {"against", lockstep.against().kernel()},
               {"rule", at.rule().str()},    {"topology", moorea::to_string(at.topology())},
               {"width", at.width()},        {"height", at.height()},
               {"same", !fault.has_value()}, {"compared_every", lockstep.compares_each() ? 1 : stride}};
  if (fault) {
    json.update(fault->stray ? json_of(*fault->stray)
                             : json_of(fault->difference.value(), at.rule().states() == 2));
    return json;
  }
  json["generation"] = at.generation();
  json["population"] = at.population();
  json["hash"] = hash_text(at.hash());
  if (was_interrupted()) add_interruption(json);
  return json;
}

std::string text_of(const Lockstep& lockstep, const std::optional<Fault>& fault) {
  const Simulation& at = lockstep.kernel();
  const std::string against = lockstep.against().kernel();
  if (fault)
    return fault->stray ? text_of(*fault->stray, at.kernel())
                        : text_of(fault->difference.value(), at.kernel(), against);
  return fmt::format("{} and {} agree {} generation {}: population {}, hash {}\n", at.kernel(), against,
                     lockstep.compares_each() ? "up to" : "at each 64th generation up to", at.generation(),
                     at.population(), hash_text(at.hash()));
}

int verify(const VerifyOptions& options) {
  if (!options.engine.names_kernel())
    throw moorea::Error("name a kernel: --kernel NAME or --kernel-file FILE", moorea::ErrorKind::usage);
  const std::uint64_t generations = parse_count(options.generations, "generations");
  catch_interruption();
  Lockstep lockstep(options, generations);
  options.engine.say_plan(lockstep.kernel().plan());
  options.engine.say_plan(lockstep.against().plan());
  if (!options.json) say_kernel_warnings(options.engine.kernel_file);
  const std::optional<Fault> fault = lockstep.run(generations);
  if (options.json) {
    Json json = json_of(lockstep, fault);
    const std::string warnings = kernel_warnings(options.engine.kernel_file);
    if (!warnings.empty()) json["warnings"] = warnings;
    print_json(json);
  } else {
    print(text_of(lockstep, fault));
  }
  if (fault) return results_differ;
  if (!was_interrupted()) return ok;
  say(fmt::format("{} after generation {}", interruption_text(), lockstep.kernel().generation()));
  return interruption_exit();
}

}  // namespace

Action add_verify(CommandLine& line) {
  Command command =
      line.add_command("verify", "Run two kernels in lockstep and show where they first differ");
  const auto options = std::make_shared<VerifyOptions>();
  add_world_options(command, options->world);
  command.add_option("--kernel", options->engine.kernel, "The kernel to check").type_name("NAME");
  command
      .add_option("--against", options->against,
                  "The kernel to compare it with. Default: cpu/reference; on surfaces\n"
                  "cpu/mesh/01_structures")
      .type_name("NAME");
  command.add_option("-g,--generations", options->generations, "Generations to run. Default: 1000")
      .type_name("N");
  add_engine_options(command, options->engine);
  command.add_flag("--json", options->json, "Print JSON");
  command.footer(
      "Examples:\n"
      "  moorea verify --kernel cpu/bits --random 0.5 --size 1000x1000 -g 500\n"
      "  moorea verify --kernel cpu/bits --against cpu/reference patterns/acorn.rle -g 5206\n"
      "Each generation is compared, in worlds of more than 4 million cells each 64th.\n"
      "Exits with 0 if the kernels agree; otherwise with 3, after printing the first generation and cell "
      "that\n"
      "differ and their surroundings as RLE, or the first cell that a kernel of a C++ file wrote outside "
      "its\n"
      "block.");
  return [options] { return verify(*options); };
}

}  // namespace app
