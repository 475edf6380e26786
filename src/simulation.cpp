// SPDX-License-Identifier: MIT
// The loop around a board: chunks of generations between observers and queries whether to go on.
#include "moorea/simulation.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "boards/rank_board.h"
#include "choose/choose.h"
#include "choose/plan.h"
#include "model/coordinates.h"
#include "model/memory.h"
#include "moorea/error.h"
#include "patterns/requirements.h"
#include "simulation_access.h"

namespace moorea {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double query_interval = 0.05;      // seconds between two calls of go_on
constexpr std::uint64_t default_chunk = 12;  // generations: tiles of every usual period stay inactive
constexpr std::uint64_t max_counted_generations = 1 << 20;  // populations in one call
constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

}  // namespace

struct Observation::Observer {
  std::uint64_t every;
  std::function<Flow(const Simulation&)> call;
  bool removed = false;
};

Observation::~Observation() { remove(); }

Observation& Observation::operator=(Observation&& other) noexcept {
  remove();
  observer_ = std::exchange(other.observer_, {});
  return *this;
}

void Observation::remove() {
  if (const std::shared_ptr<Observer> observer = observer_.lock()) observer->removed = true;
  observer_.reset();
}

void Observation::release() { observer_.reset(); }

struct Simulation::State {
  RunPlan plan;
  Choice choice;
  std::string kernel;
  std::unique_ptr<Board> board;
  bool grows = false;                 // `board` is an unbounded plane
  const RankBoard* ranked = nullptr;  // `board`, of a world on several ranks
  std::uint64_t generation = 0;
  double cell_updates = 0;
  std::vector<std::shared_ptr<Observation::Observer>> observers;
  // Between two calls of go_on: of step(), step_counting() and step_comparing(), whose speeds differ
  std::uint64_t chunk = default_chunk, counted_chunk = default_chunk, compared_chunk = default_chunk;
  std::optional<std::uint64_t> edge_met;

  explicit State(PlannedChoice planned)
      : plan(std::move(planned.plan)), choice(std::move(planned.choice)), kernel(plan.kernel) {}

  // A world of fixed size. What keeps a predicted plan from running, such as the device's memory, is found
  // when its board is made; then the built-in preferences replace it.
  static std::unique_ptr<State> of(const WorldSpec& world, const Options& options,
                                   const std::function<void(Board&)>& load) {
    auto state = std::make_unique<State>(choose_planned(world, options));
    try {
      state->start(world, load);
    } catch (const Error& error) {
      if (state->plan.prediction() == nullptr) throw;
      state = std::make_unique<State>(choose_instead(state->plan, options, error.what()));
      state->start(world, load);
    }
    return state;
  }

  void start(const WorldSpec& world, const std::function<void(Board&)>& load) {
    board = make_board(world, choice);
    load(*board);
  }

  const WorldSpec& world() const { return board->world(); }

  // Called after the cells were replaced or edited: an empty world may have had any number of generations at
  // once.
  void edited() {
    chunk = counted_chunk = compared_chunk = default_chunk;
    if (grows && !board->at_edge()) edge_met.reset();
  }

  std::uint64_t until_observer() const {
    std::uint64_t left = no_limit;
    for (const auto& observer : observers)
      if (!observer->removed) left = std::min(left, observer->every - generation % observer->every);
    return left;
  }

  // Calls the observers of this generation; false if one of them asks to stop.
  bool call_observers(const Simulation& simulation) {
    bool go_on = true;
    // Observers that are added here begin with a later generation
    for (std::size_t i = 0, number = observers.size(); i < number; ++i) {
      const std::shared_ptr<Observation::Observer> observer = observers[i];
      if (!observer->removed && generation % observer->every == 0 && observer->call(simulation) == Flow::stop)
        go_on = false;
    }
    std::erase_if(observers, [](const auto& observer) { return observer->removed; });
    return go_on;
  }
};

Board& SimulationAccess::board(const Simulation& simulation) { return *simulation.state_->board; }
const Choice& SimulationAccess::choice(const Simulation& simulation) { return simulation.state_->choice; }
const RankBoard* SimulationAccess::ranked(const Simulation& simulation) { return simulation.state_->ranked; }
void SimulationAccess::add_cell_updates(Simulation& simulation, double updates) {
  simulation.state_->cell_updates += updates;
}
Simulation SimulationAccess::make(PlannedChoice planned, std::unique_ptr<RankBoard> board,
                                  std::uint64_t generation) {
  auto state = std::make_unique<Simulation::State>(std::move(planned));
  state->ranked = board.get();
  state->board = std::move(board);
  state->generation = generation;
  return Simulation(std::move(state));
}
std::uint64_t SimulationAccess::step_with(Simulation& simulation, std::uint64_t generations,
                                          const std::function<bool()>& go_on, std::uint64_t max_at_once,
                                          const std::function<void(std::uint64_t)>& advance) {
  return simulation.step_with(generations, go_on, max_at_once, advance);
}

Simulation::Simulation(std::unique_ptr<State> state) : state_(std::move(state)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

Simulation::Simulation(Rule rule, Topology topology, const Grid& cells, const Options& options)
    : Simulation(WorldSpec{rule, topology, cells.width(), cells.height()}, cells, options) {}

namespace {

void require_world(const WorldSpec& spec, const Size& size) {
  if (size.width < 1 || size.height < 1) {
    throw Error(fmt::format("a world of {} x {} cells has no cell", size.width, size.height),
                ErrorKind::usage);
  }
  if (spec.is_unbounded()) {
    throw Error("a world with a size is a plane or a torus; Simulation::unbounded creates an unbounded plane",
                ErrorKind::usage);
  }
  if (spec.is_surface() != (spec.mesh != nullptr))
    throw Error("a surface is a world with a mesh: WorldSpec::on() creates one", ErrorKind::usage);
  if (spec.rule.blocks() != nullptr && spec.topology == Topology::torus &&
      (size.width % 2 != 0 || size.height % 2 != 0)) {
    throw Error(
        fmt::format("a torus of {} x {} cells cannot be divided into blocks of 2 x 2, which {} needs: "
                    "choose an even width and height, or a plane",
                    size.width, size.height, spec.rule.str()),
        ErrorKind::usage);
  }
  if (spec.box().size() != size || (spec.mesh != nullptr && spec.mesh->size() != size)) {
    throw Error(fmt::format("{} x {} cells do not fill a world of {} x {}", size.width, size.height,
                            spec.width, spec.height),
                ErrorKind::usage);
  }
}

// Cells with states that a rule has.
void require_states(const Cells& cells, const Rule& rule) {
  if (cells.states() <= rule.states()) return;
  throw Error(
      fmt::format("cells of {} states for {}, which has {}", cells.states(), rule.str(), rule.states()),
      ErrorKind::usage);
}

}  // namespace

// The pattern's cells, with as many states as the rule has: a file may be for one of more states than its
// cells have.
static void load_pattern(Board& board, const Pattern& start, Position at) {
  const int states = board.world().rule.states();
  if (!start.states && states == 2) return board.load(start.cells, at);
  Pattern cells;
  cells.cells = start.cells;
  cells.states = start.states;
  board.load_states(place_states(cells, start.cells.width(), start.cells.height(), states), at);
}

Simulation::Simulation(const WorldSpec& spec, const Grid& cells, const Options& options) {
  require_world(spec, {cells.width(), cells.height()});
  state_ = State::of(spec, options, [&](Board& board) { board.load(cells, {}); });
}

Simulation::Simulation(const WorldSpec& spec, const Cells& cells, const Options& options) {
  require_world(spec, {cells.width(), cells.height()});
  require_states(cells, spec.rule);
  state_ = State::of(spec, options, [&](Board& board) { board.load_states(cells, {}); });
}

Simulation Simulation::unbounded(Rule rule, const Pattern& start, const Options& options) {
  if (rule.births_from_nothing()) {
    throw Error(fmt::format("{} has B0: every dead cell of an unbounded plane would be born at once; such a "
                            "rule needs a world with a size{}",
                            rule.str(), rule.has_nine_cells() ? ", or HashLife" : ""),
                ErrorKind::usage);
  }
  auto state = std::make_unique<State>(choose_planned({rule, Topology::unbounded, 0, 0}, options));
  const Position at =
      start.position.value_or(Position{-(start.cells.width() / 2), -(start.cells.height() / 2)});
  require_coordinates(at.x, at.y, "a pattern");
  state->board = make_unbounded_board(rule, state->choice, options.memory);
  state->grows = true;
  load_pattern(*state->board, start, at);
  Simulation made(std::move(state));
  made.set_generation(start.generation);
  return made;
}

Simulation Simulation::of(const Pattern& start, const Options& options) {
  return of(start, start.world(), options);
}

Simulation Simulation::of(const Pattern& start, const WorldSpec& world, const Options& options) {
  if (world.is_unbounded()) return unbounded(world.rule, start, options);
  require_world(world, world.box().size());
  const Position at = require_place(start, world.box().size());
  require_states(start, world.rule.states());
  Simulation made(State::of(world, options, [&](Board& board) { load_pattern(board, start, at); }));
  made.set_generation(start.generation);
  return made;
}

// Whether live cells in such a box, their top-left corner moved to `at`, are inside the world.
void Simulation::require_inside(const std::optional<Box>& live, Position at) const {
  require_coordinates(at.x, at.y, "cells");
  if (grows() || !live || box().contains(live->translated(at))) return;
  throw Error(fmt::format("cells of {} x {} at ({}, {}) do not fit into a world of {} x {}", live->width,
                          live->height, live->x + at.x, live->y + at.y, width(), height()),
              ErrorKind::usage);
}

void Simulation::reset(const Grid& cells, Position at) {
  require_inside(cells.bounding_box(), at);
  state_->board->load(cells, at);
  set_generation(0);
  state_->edited();
}

void Simulation::reset(const Cells& cells, Position at) {
  require_states(cells, rule());
  require_inside(cells.live().bounding_box(), at);
  state_->board->load_states(cells, at);
  set_generation(0);
  state_->edited();
}

std::uint64_t Simulation::step(std::uint64_t generations, const std::function<bool()>& go_on) {
  return step_with(generations, go_on, no_limit, [&](std::uint64_t now) { state_->board->advance(now); });
}

// What memory is left is not asked for a few.
static void require_numbers(double bytes, const char* what) {
  if (bytes > 1 << 26) require_memory(bytes, what);
}

std::vector<std::uint64_t> Simulation::step_counting(std::uint64_t generations,
                                                     const std::function<bool()>& go_on) {
  std::vector<std::uint64_t> populations;
  require_numbers(sizeof populations[0] * static_cast<double>(generations),
                  "the populations of all generations");
  step_with(generations, go_on, max_counted_generations, [&](std::uint64_t now) {
    populations.resize(populations.size() + now);
    state_->board->advance_counting(now, populations.data() + populations.size() - now);
  });
  return populations;
}

std::vector<Activity> Simulation::step_comparing(std::uint64_t generations,
                                                 const std::function<bool()>& go_on) {
  std::vector<Activity> activities;
  require_numbers(sizeof activities[0] * static_cast<double>(generations), "the activity of all generations");
  step_with(generations, go_on, 1, [&](std::uint64_t) {
    const std::uint64_t changed = state_->board->advance_comparing();
    activities.push_back({state_->board->population(), changed});
  });
  return activities;
}

// `advance` is called with at most `max_at_once` generations.
std::uint64_t Simulation::step_with(std::uint64_t generations, const std::function<bool()>& go_on,
                                    std::uint64_t max_at_once,
                                    const std::function<void(std::uint64_t)>& advance) {
  State& state = *state_;
  if (generations > no_limit - state.generation)
    throw Error("a world ends at generation 2^64 - 1: fewer generations are left", ErrorKind::usage);
  std::uint64_t& chunk = max_at_once == 1         ? state.compared_chunk
                         : max_at_once < no_limit ? state.counted_chunk
                                                  : state.chunk;
  const std::uint64_t min_chunk = max_at_once == no_limit ? state.board->min_generations() : 1;
  if (max_at_once == no_limit) state.board->expect(generations);
  std::uint64_t done = 0;
  while (done < generations) {
    const auto start = Clock::now();
    std::uint64_t asked = 0;
    chunk = std::max(chunk, min_chunk);
    const std::uint64_t part =
        std::min({generations - done, state.until_observer(), go_on ? chunk : no_limit});
    while (asked < part) {
      const std::uint64_t now = state.board->prepare(std::min(part - asked, max_at_once));
      if (state.board->at_edge() && !state.edge_met) state.edge_met = state.generation;
      advance(now);
      state.cell_updates += state.world().box().area() * static_cast<double>(now);
      state.generation += now;
      asked += now;
    }
    done += part;
    if (!state.call_observers(*this)) break;
    if (!go_on) continue;
    bool goes_on = go_on();
    double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (state.ranked != nullptr) state.ranked->agree(goes_on, seconds);
    if (!goes_on) break;
    if (seconds < query_interval / 2 && part == chunk && chunk < no_limit / 2) chunk *= 2;
    if (seconds > query_interval && chunk > 1) chunk /= 2;
  }
  return done;
}

Observation Simulation::add_observer(std::uint64_t every, std::function<Flow(const Simulation&)> observer) {
  if (every == 0) throw Error("an observer needs an interval of at least one generation", ErrorKind::usage);
  state_->observers.push_back(
      std::make_shared<Observation::Observer>(Observation::Observer{every, std::move(observer)}));
  return Observation(state_->observers.back());
}

std::uint64_t Simulation::generation() const { return state_->generation; }
void Simulation::set_generation(std::uint64_t generation) {
  state_->generation = generation;
  state_->board->set_phase(generation % 2 != 0);
}
std::uint64_t Simulation::population() const { return state_->board->population(); }
std::uint64_t Simulation::hash() const { return state_->board->hash({}); }
std::optional<Box> Simulation::bounding_box() const { return state_->board->bounding_box(); }
WorldSummary Simulation::summary() const {
  const BoardSummary facts =
      state_->board->summary({.population = true, .hash = true, .bounding_box = true}, {});
  return {facts.population, facts.hash, facts.bounding_box};
}
const Rule& Simulation::rule() const { return state_->world().rule; }
WorldSpec Simulation::world() const {
  return grows() ? WorldSpec{rule(), Topology::unbounded, 0, 0} : state_->world();
}
bool Simulation::grows() const { return state_->grows; }
Box Simulation::box() const { return state_->board->box(); }
std::optional<std::uint64_t> Simulation::edge_met() const { return state_->edge_met; }
const RunPlan& Simulation::plan() const { return state_->plan; }
const std::string& Simulation::kernel() const { return state_->kernel; }
double Simulation::cell_updates() const { return state_->cell_updates; }

void Simulation::paste(const ConstGridView& cells, Position at, PasteMode mode) {
  require_coordinates(at.x, at.y, "cells");
  state_->board->write(cells, at, mode);
  state_->edited();
}

void Simulation::paste(const Cells& cells, Position at) {
  require_coordinates(at.x, at.y, "cells");
  require_states(cells, rule());
  state_->board->write_states(cells, at);
  state_->edited();
}

}  // namespace moorea
