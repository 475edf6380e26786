// SPDX-License-Identifier: MIT
// Runs a pattern in stages. After each, the populations of its last part decide whether it is worth the
// effort to partition the cells into objects. A settled world is extrapolated backwards to find when it
// settled.
#include "moorea/identify.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "moorea/error.h"
#include "moorea/simulation.h"
#include "moorea/support/nine_cells.h"
#include "objects/census.h"
#include "objects/growth.h"
#include "objects/outlook.h"
#include "objects/planes.h"
#include "objects/recurrence.h"
#include "objects/settled.h"
#include "objects/stages.h"

namespace moorea {
namespace {

constexpr std::uint64_t first_stage = 64;
constexpr std::uint64_t methuselah_generations = 50;
// Populations of a symmetric pattern recur several times in its period, and what is in flight between the
// parts of a gun reaches the next part after several periods: multiples of the populations' period that are
// tried
constexpr std::uint64_t factors[] = {1, 2, 4, 8, 16, 32};
// Cells times generations for which objects are separated after a stage
constexpr std::uint64_t max_cell_generations = 60'000'000;
// The populations of all generations are counted up to this one. Of later stages only the last ones are, and
// those before if these recur: counting is several times as slow as running, and is in vain most times.
constexpr std::uint64_t last_all_counted = 4096;
constexpr std::uint64_t min_compared = 64;  // populations that are compared with those a period later
// Bitboards that are evolved after the first stage, about 30 ns each: a second, or more for many cells. Later
// ones get less if that was in vain.
constexpr std::uint64_t max_work = 40'000'000;
constexpr std::uint64_t min_work = max_work / 10;
constexpr std::uint64_t max_work_per_cell = 200;

// What several parts emit in their common period is listed
constexpr std::uint64_t max_common_period = 1'000'000;

// The least common multiple; 0 if it exceeds 2^64 - 1, or if one of them is 0.
std::uint64_t common_multiple(std::uint64_t a, std::uint64_t b) {
  std::uint64_t multiple = 0;
  if (a == 0 || b == 0 || __builtin_mul_overflow(a / std::gcd(a, b), b, &multiple)) return 0;
  return multiple;
}

class Search {
 public:
  Search(Simulation plane, const IdentifyOptions& options)
      : options_(with_memory(options)),
        context_(plane.rule(), options.max_period, options_.go_on),
        world_(std::move(plane)),
        stages_(context_, options_) {
    world_.set_generation(0);
    result_.initial_population = result_.population = world_.population();
  }

  Identification run() try {
    stages_.add({0, live_cells(world_, context_)});
    while (!examine() && stage()) {
    }
    return result_;
  } catch (const SearchStopped&) {
    return result_;
  }

 private:
  const Stage& now() const { return stages_.last(); }

  // Advances to the next stage; false if a limit is reached.
  bool stage() {
    const std::uint64_t from = now().generation;
    const std::uint64_t goal = std::min(std::max(first_stage, from + from / 2), options_.max_generations);
    if (goal <= from || now().cells.size() > options_.max_population) return false;
    const std::uint64_t examined = std::min(goal - from, 3 * std::max(options_.max_period, min_compared) + 1);
    if (examined < goal - from) first_examined_ = goal - examined;
    const std::uint64_t counted =
        goal <= last_all_counted
            ? examined
            : std::min(examined, max_period_at(goal, now().cells.size()) * 5 / 4 + min_compared);
    if (!run_to(goal - counted)) return false;
    const std::vector<std::uint64_t> populations = world_.step_counting(counted, options_.go_on);
    if (counted < goal - from) populations_.clear();
    populations_.insert(populations_.end(), populations.begin(), populations.end());
    result_.searched = world_.generation();
    result_.population = world_.population();
    if (is_stopped_ || populations.size() != counted || world_.edge_met()) return false;
    stages_.add({world_.generation(), live_cells(world_, context_)});
    return true;
  }

  // Runs until a later generation, or none; false if the caller has asked to stop. The plane is a tree if
  // that is faster (docs/unbounded.md), which pays only if it knows of the later stages.
  bool run_to(std::uint64_t generation) {
    if (generation == world_.generation()) return true;
    const Observation stop = world_.observe(generation, [](const Simulation&) { return Flow::stop; });
    world_.step(options_.max_generations - world_.generation(), options_.go_on);
    return !is_stopped_ && world_.generation() == generation;
  }

  // Whether the pattern is identified.
  bool examine() {
    const std::uint64_t limit = std::max(work_, max_work_per_cell * now().cells.size());
    const Examined examined = within(limit, [&] { return examine_recurrence(); });
    bool found = examined.found;
    if (examined.work > work_ / 2) work_ = std::max(min_work, work_ / 3 * 2);
    if (!found && !recurs_ && now().generation >= last_all_counted)
      found = within(std::max(min_work, max_work_per_cell * now().cells.size()), [&] {
                return examine_objects();
              }).found;
    return found;
  }

  struct Examined {
    bool found = false;
    std::uint64_t work = 0;
  };

  template <class Examine>
  Examined within(std::uint64_t work, const Examine& examine_now) {
    Examined examined;
    context_.limit_work(work);
    try {
      examined.found = examine_now();
      examined.work = work - std::min(work, context_.work_left());  // (the limit may have been raised)
    } catch (const TooMuchWork&) {
      examined.work = work;
    }
    context_.limit_work(UINT64_MAX);
    return examined;
  }

  // Longer ones are not examined.
  std::uint64_t max_useful_period(std::size_t cells) const {
    return std::min(options_.max_period, max_cell_generations / std::max<std::size_t>(cells, 1));
  }

  // That recurrence_of_populations() finds at a generation.
  std::uint64_t max_period_at(std::uint64_t generation, std::size_t cells) const {
    return std::min(max_useful_period(cells), (generation - first_examined_) / 6);
  }

  // Oscillators whose common period is longer than any that is looked for.
  bool examine_objects() {
    Separation separation(context_, now().cells);
    const std::optional<SettledWorld> world =
        settled_world(context_, separation, {first_stage, max_useful_period(now().cells.size()), 0, true});
    return world && world->others.empty() && settled(*world);
  }

  bool examine_recurrence() {
    recurs_ = true;
    if (now().cells.empty()) {
      result_.settled = stages_.first_equal(SettledWorld());
      result_.kind = PatternKind::dies;
      result_.world_period = 1;
      result_.population = 0;
      return true;
    }
    const std::optional<Recurrence> recurrence = recurrence_of_populations();
    recurs_ = recurrence.has_value();
    if (!recurrence || recurrence->growth < 0) return false;
    const std::uint64_t max_generations = max_useful_period(now().cells.size());
    std::optional<Separation> separation;
    for (const std::uint64_t factor : factors) {
      const std::uint64_t generations = factor * recurrence->period;
      if (generations > max_generations) return false;
      if (recurrence->growth == 0) {
        if (const auto world = recurring_world(context_, now().cells, generations); world && settled(*world))
          return true;
      }
      if (!separation) separation.emplace(context_, now().cells);
      const std::optional<SettledWorld> world =
          settled_world(context_, *separation,
                        {generations, max_generations, recurrence->growth > 0 ? recurrence->period : 0});
      if (!world) continue;
      if (world->others.empty()
              ? settled(*world)
              : recurrence->growth > 0 &&
                    growing(*world, generations, factor * static_cast<std::uint64_t>(recurrence->growth)))
        return true;
    }
    return false;
  }

  // The first populations may precede what recurs, and long periods need many.
  std::optional<Recurrence> recurrence_of_populations() {
    const std::uint64_t examined = now().generation - first_examined_;
    if (populations_.size() < examined / 2) {
      const std::uint64_t longest = max_period_at(now().generation, now().cells.size());
      if (populations_.size() >= longest + min_compared && !find_recurrence(populations_, longest) &&
          !find_varying_growth(populations_, longest))
        return std::nullopt;
      count_again(examined / 2);
    }
    for (const std::uint64_t part : {3, 2}) {
      const std::span<const std::uint64_t> last = std::span(populations_).last(examined / part);
      if (const auto found = find_recurrence(last)) return found;
      if (const auto found = find_varying_growth(last, last.size())) return found;
    }
    return std::nullopt;
  }

  // The populations of the last generations.
  void count_again(std::uint64_t generations) {
    const std::uint64_t from = now().generation - generations;
    const Stage& start = stages_.before(from);
    Simulation again = plane_of(context_.rule(), start.cells, options_);
    again.step(from - start.generation, options_.go_on);
    if (is_stopped_) throw SearchStopped();
    populations_ = again.step_counting(generations, options_.go_on);
    if (is_stopped_) throw SearchStopped();
  }

  // A search that is stopped, or takes too much work, leaves the result as it was.
  bool settled(const SettledWorld& world) {
    Identification found = result_;
    found.settled = stages_.first_equal(world);
    found.census = count_objects(context_, world.objects);
    found.population = world.at(static_cast<std::int64_t>(found.settled - now().generation)).size();
    const bool alone = world.objects.size() == 1;
    found.kind = kind_of_settled(found, alone);
    found.period = 1;
    for (const Cycle& object : world.objects) {
      if (alone || !object.moves()) found.period = common_multiple(found.period, object.period());
    }
    if (alone) found.displacement = world.objects[0].displacement;
    if (found.kind == PatternKind::object) {
      found.apgcode = found.census[0].apgcode;
      found.name = found.census[0].name;
    }
    const WholePeriod whole = whole_period(world);
    found.world_period = whole.period;
    found.world_displacement = whole.displacement;
    result_ = std::move(found);
    return true;
  }

  static PatternKind kind_of_settled(const Identification& found, bool alone) {
    if (found.settled == 0) return alone ? PatternKind::object : PatternKind::objects;
    const bool is_long = found.settled >= methuselah_generations &&
                         found.settled >= methuselah_ratio * found.initial_population;
    return is_long ? PatternKind::methuselah : PatternKind::settles;
  }

  // `gain` live cells in `step` generations.
  bool growing(const SettledWorld& world, std::uint64_t step, std::uint64_t gain) {
    std::vector<CellList> cores = world.others;
    std::vector<Growth> parts;
    if (auto whole = find_whole_growth(context_, world, step)) {
      if (!whole->is_endless) return false;
      cores = {std::move(whole->core)};
      parts = {std::move(whole->growth)};
    }
    // Objects that recur each by itself, as two puffers do, or together, as the successive remains of one do
    const bool is_whole = !parts.empty();
    if (parts.empty()) parts = growths(cores, step, {});
    if (parts.empty()) {
      CellList all;
      for (const CellList& core : cores) all.insert(all.end(), core.begin(), core.end());
      std::sort(all.begin(), all.end(), RowOrder());
      cores = {std::move(all)};
      parts = growths(cores, step, gain);
    }
    if (parts.empty() || (!is_whole && !grow_for_ever(context_, world, cores, parts, step))) return false;
    std::uint64_t period = 1;
    for (const Growth& part : parts) period = common_multiple(period, part.period);
    if (period == 0 || period > max_common_period) return false;
    // (in a single period, or step, spaceships may be in phases of more or fewer live cells)
    const std::uint64_t both = common_multiple(period, step);
    if (both == 0 || both > max_common_period) return false;
    std::uint64_t gained = 0;
    for (const Growth& part : parts) gained += gain_of(part, both);
    if (gained != gain * (both / step)) return false;
    bool all_move = true, all_stay = true;
    std::vector<Cycle> emitted;
    for (const Growth& part : parts) {
      for (std::uint64_t turn = 0; turn < period; turn += part.period)
        emitted.insert(emitted.end(), part.emitted.begin(), part.emitted.end());
      all_stay = all_stay && part.displacement == Position();
    }
    for (const Cycle& object : emitted) all_move = all_move && object.moves();
    if (all_stay && !all_move) return false;
    Identification found = result_;
    found.kind = all_stay ? PatternKind::gun : all_move ? PatternKind::rake : PatternKind::puffer;
    found.period = period;
    found.displacement = common_displacement(parts, period);
    found.census = count_objects(context_, emitted);
    try {
      context_.limit_work(max_work);
      found.apgcode = growth_code(context_, cores, emitted, period);
    } catch (const TooMuchWork&) {
    } catch (const SearchStopped&) {
      // What has been found is kept
    }
    if (context_.rule() == Rule()) found.name = object_name(found.apgcode);
    result_ = std::move(found);
    return true;
  }

  // Empty if one of the cores does not recur.
  std::vector<Growth> growths(const std::vector<CellList>& cores, std::uint64_t step,
                              std::optional<std::uint64_t> gain) {
    std::vector<Growth> result;
    for (const CellList& core : cores) {
      std::optional<Growth> growth = find_growth(context_, core, step, gain);
      if (!growth) return {};
      result.push_back(std::move(*growth));
    }
    return result;
  }

  // A caller that has asked to stop, also after the last part of a step, is not asked again.
  IdentifyOptions with_memory(IdentifyOptions options) {
    if (!options.go_on) return options;
    options.go_on = [this, go_on = options.go_on] {
      is_stopped_ = is_stopped_ || !go_on();
      return !is_stopped_;
    };
    return options;
  }

  bool is_stopped_ = false;
  bool recurs_ = false;  // the populations of the last stage
  IdentifyOptions options_;
  SearchContext context_;
  Simulation world_;
  Stages stages_;
  std::vector<std::uint64_t> populations_;  // of the last generations, as far as they were counted
  std::uint64_t first_examined_ = 0;        // generation after which populations are to recur
  std::uint64_t work_ = max_work;           // after the next stage
  Identification result_;
};

}  // namespace

IdentifyOptions settling_within(std::uint64_t generations, std::uint64_t max_period) {
  // Recurrence is looked for in the last half of the populations, of which a stage counts three times
  // max_period
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / 4;
  IdentifyOptions options;
  options.max_generations = 2 * std::min(generations, most) + 6 * std::min(max_period, most / 6);
  options.max_period = max_period;
  return options;
}

Identification identify(const Pattern& pattern, const IdentifyOptions& options) {
  const WorldSpec spec = pattern.world();
  if (!spec.is_unbounded())
    throw Error("identify needs an unbounded plane: remove \"" + spec.bounds().suffix() + "\" from the rule",
                ErrorKind::usage);
  require_nine_cells(spec.rule, "identify");
  return Search(Simulation::unbounded(spec.rule, pattern, cpu_options(options)), options).run();
}

Identification identify(const Simulation& plane, const IdentifyOptions& options) {
  if (!plane.grows()) throw Error("identify needs an unbounded plane", ErrorKind::usage);
  require_nine_cells(plane.rule(), "identify");
  return Search(copy_of(plane, options), options).run();
}

}  // namespace moorea
