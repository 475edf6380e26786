// SPDX-License-Identifier: MIT
// Finds the period of a world of fixed size, whose states do not fit in memory one by one: populations, which
// are counted while the world runs, say when it is worth to look for a state that comes back. The first state
// of the cycle is found by bisection, because a state that comes back is followed by such states only.
#include "moorea/period.h"

#include <algorithm>
#include <vector>

#include "moorea/error.h"
#include "moorea/identify.h"
#include "moorea/support/nine_cells.h"
#include "objects/recurrence.h"

namespace moorea {
namespace {

constexpr std::uint64_t first_period_stage = 64;
constexpr std::uint64_t max_counted = 1 << 20;  // populations at the end of a stage: 8 MiB

struct Interrupted {};

class PeriodSearch {
 public:
  PeriodSearch(Simulation& world, const PeriodOptions& options)
      : world_(world), options_(options), begin_(world.generation()), start_(world.grid()) {}
  PeriodSearch(const PeriodSearch&) = delete;
  PeriodSearch& operator=(const PeriodSearch&) = delete;
  ~PeriodSearch() {
    world_.reset(start_);
    world_.set_generation(begin_);
  }

  std::optional<WorldPeriod> run() try {
    std::uint64_t reached = 0;
    while (true) {
      const std::uint64_t goal =
          std::min(std::max(first_period_stage, 2 * reached), options_.max_generations);
      const std::vector<std::uint64_t> populations = advance_counting(goal - reached, goal);
      reached = goal;
      const Grid cells = world_.grid();
      std::uint64_t period = 0;
      if (const auto found = find_recurrence(populations); found && found->growth == 0)
        period = smallest_period(cells, return_time(cells, found->period, goal));
      const bool last = reached >= options_.max_generations;
      if (period == 0 && last) period = return_time(cells, 1, options_.max_period);
      if (period != 0) return WorldPeriod{begin_ + transient(period, reached), period, {}};
      if (last) return std::nullopt;
      world_.reset(cells);
    }
  } catch (const Interrupted&) {
    return std::nullopt;
  }

 private:
  void advance(std::uint64_t generations) {
    const auto go_on = [&] { return !options_.go_on || options_.go_on(); };
    if (world_.step(generations, go_on) != generations || !go_on()) throw Interrupted();
  }

  // Returns the populations of the last third of all `goal` generations, as far as they are new.
  std::vector<std::uint64_t> advance_counting(std::uint64_t generations, std::uint64_t goal) {
    const std::uint64_t counted = std::min({generations, goal / 3, max_counted});
    advance(generations - counted);
    std::vector<std::uint64_t> populations = world_.step_counting(counted, options_.go_on);
    if (populations.size() != counted) throw Interrupted();
    return populations;
  }

  // The smallest multiple of `step`, at most `limit`, after which `cells` are there again; 0 if there is
  // none.
  std::uint64_t return_time(const Grid& cells, std::uint64_t step, std::uint64_t limit) {
    world_.reset(cells);
    const std::uint64_t hash = world_.hash();
    for (std::uint64_t done = step; done <= limit; done += step) {
      advance(step);
      if (world_.hash() == hash && world_.grid() == cells) return done;
    }
    return 0;
  }

  bool repeats(const Grid& cells, std::uint64_t period) {
    world_.reset(cells);
    advance(period);
    return world_.grid() == cells;
  }

  // Of cells that are there again after `multiple` generations; 0 of 0.
  std::uint64_t smallest_period(const Grid& cells, std::uint64_t multiple) {
    return smallest_divisor(multiple, [&](std::uint64_t period) { return repeats(cells, period); });
  }

  // Generations before the first state that comes back after `period`, which that of generation `high` does.
  std::uint64_t transient(std::uint64_t period, std::uint64_t high) {
    if (repeats(start_, period)) return 0;
    Grid low_cells = start_;
    std::uint64_t low = 0;
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      world_.reset(low_cells);
      advance(middle - low);
      Grid cells = world_.grid();
      if (repeats(cells, period)) {
        high = middle;
      } else {
        low = middle;
        low_cells = std::move(cells);
      }
    }
    return high;
  }

  Simulation& world_;
  const PeriodOptions& options_;
  std::uint64_t begin_;
  Grid start_;
};

}  // namespace

std::optional<WorldPeriod> find_period(Simulation& world, const PeriodOptions& options) {
  require_nine_cells(world.rule(), "a search for the period");
  if (options.max_period == 0)
    throw Error("a search for periods of up to 0: expected at least 1", ErrorKind::usage);
  if (!world.grows()) return PeriodSearch(world, options).run();
  const std::uint64_t begin = world.generation();
  IdentifyOptions search = settling_within(options.max_generations, options.max_period);
  search.threads = world.threads();
  search.go_on = options.go_on;
  const Identification found = identify(world, search);
  if (found.world_period == 0 || found.settled > options.max_generations) return std::nullopt;
  return WorldPeriod{begin + found.settled, found.world_period, found.world_displacement};
}

}  // namespace moorea
