// SPDX-License-Identifier: MIT
// The loop around a board: chunks between observers and questions, and planes that grow.
#include "moorea/simulation.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "boards/tile_trace.h"
#include "choose/choose.h"
#include "model/coordinates.h"
#include "model/memory.h"
#include "moorea/error.h"

namespace moorea {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double question_interval = 0.05;  // seconds between two calls of go_on
constexpr std::int64_t min_margin = 64;     // cells around the pattern when a plane grows
constexpr std::int64_t default_margin = 256;
constexpr double memory_share = 0.8;         // of what is available, for a plane that grows
constexpr std::uint64_t default_chunk = 12;  // generations: sleepers of every usual period stay asleep
constexpr std::uint64_t max_counted_generations = 1 << 20;  // populations in one call
constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

std::int64_t round_down_64(std::int64_t x) { return x & ~std::int64_t{63}; }

void require_raster(const Raster& raster) {
  require_box({raster.x, raster.y, raster.columns, raster.rows}, "a raster");
  if (raster.columns < 1 || raster.rows < 1 || raster.scale < 1 || raster.scale > max_raster_scale) {
    throw Error(
        fmt::format("a raster of {} x {} squares of {} cells: expected at least 1 x 1, of 1 to {} cells",
                    raster.columns, raster.rows, raster.scale, max_raster_scale),
        ErrorKind::usage);
  }
  require_memory(8 * static_cast<double>(raster.columns) * static_cast<double>(raster.rows),
                 fmt::format("a raster of {} x {} squares", raster.columns, raster.rows));
}

// What a board answers of a raster; nothing of the squares in which it can have no cells.
template <class Value, class Ask>
std::vector<Value> of_squares(const Raster& raster, const Box& world, const Ask& ask) {
  const std::int64_t scale = raster.scale, x = raster.x - world.x, y = raster.y - world.y;
  const auto squares_until = [&](std::int64_t cells, std::int64_t number) {
    return cells <= 0 ? 0 : std::min((cells + scale - 1) / scale, number);
  };
  const std::int64_t left = x < 0 ? std::min(-x / scale, raster.columns) : 0,
                     top = y < 0 ? std::min(-y / scale, raster.rows) : 0,
                     right = squares_until(world.width - x, raster.columns),
                     bottom = squares_until(world.height - y, raster.rows);
  const std::size_t number = static_cast<std::size_t>(raster.columns * raster.rows);
  if (left >= right || top >= bottom) return std::vector<Value>(number);
  const Raster inside = {x + left * scale, y + top * scale, right - left, bottom - top, scale};
  std::vector<Value> answer = ask(inside);
  if (answer.size() == number) return answer;
  std::vector<Value> squares(number);
  for (std::int64_t j = 0; j < inside.rows; ++j)
    std::copy_n(answer.data() + j * inside.columns, inside.columns,
                squares.data() + (top + j) * raster.columns + left);
  return squares;
}

}  // namespace

struct Simulation::State {
  struct Observer {
    std::uint64_t every;
    std::function<void(const Simulation&)> call;
  };

  Rule rule;
  Topology topology = Topology::plane;
  std::uint64_t memory = 0;
  Choice choice;
  std::string kernel;
  std::unique_ptr<Board> board;
  std::int64_t width = 0, height = 0;
  Position origin;
  std::uint64_t generation = 0;
  double cell_updates = 0;
  TileCounts earlier_counts;            // of the planes that this one replaced
  std::deque<Observer> observers;       // one may add another while it is called, and stays where it is
  std::unique_ptr<TileTrace> trace;     // of step_tracing()
  std::uint64_t chunk = default_chunk;  // generations between two questions whether to go on
  bool grows = false;
  std::optional<std::uint64_t> edge_met;

  Box box() const { return {origin.x, origin.y, width, height}; }

  void choose_kernel(const Options& options, std::int64_t columns, std::int64_t rows) {
    memory = options.memory;
    choice = choose({rule, topology, columns, rows}, options);
    kernel = choice.kernel();
  }

  // Generations that a growing plane can do before a live cell may stand at its edge.
  std::uint64_t room() {
    if (!grows || edge_met) return no_limit;
    const std::optional<Box> box = board->bounding_box();
    if (!box) return no_limit;
    const std::int64_t distance =
        std::min({box->x, box->y, width - box->x - box->width, height - box->y - box->height});
    if (distance > 0) {
      const auto generations = static_cast<std::uint64_t>(distance);
      return generations > default_chunk ? generations / default_chunk * default_chunk : generations;
    }
    return grow(*box) ? room() : no_limit;
  }

  // Moves the live cells into a plane with free space on all sides; false when memory does not allow it. The
  // old plane stays until the new one is complete, so that nothing is lost where memory is.
  bool grow(const Box& live) {
    const double available = memory_share * static_cast<double>(available_memory());
    const Box at = live.translated(origin);
    for (std::int64_t margin = std::max(default_margin, std::max(live.width, live.height) / 2);
         margin >= min_margin; margin /= 2) {
      const Box next = plane_around(at, margin);
      // A packed copy of the cells must have room too: it will be asked for to save them
      const double plane = board_bytes({rule, topology, next.width, next.height}, choice);
      const double copy = grid_bytes(next.width, next.height);
      const double here = copy + (in_main_memory(choice) ? plane : 0);
      if ((memory != 0 && plane > static_cast<double>(memory)) || here > available) continue;
      try {
        replace(next, [&](Board& larger) { larger.take(*board, origin - next.position()); });
        return true;
      } catch (const Error&) {
        continue;  // there is none where the plane lies, or somebody else took it meanwhile
      }
    }
    edge_met = generation;
    return false;
  }

  static Box plane_around(const Box& live, std::int64_t margin) {
    Box plane;
    plane.x = round_down_64(live.x - margin);  // so that words keep their cells when a plane is replaced
    plane.y = live.y - margin;
    plane.width = round_down_64(live.right() + margin + 63) - plane.x;
    plane.height = live.height + 2 * margin;
    return plane;
  }

  void adopt(const Box& plane, const Grid& cells, Position at) {
    replace(plane, [&](Board& next) { next.load(cells, at - plane.position()); });
  }

  // The old board stays where the new one cannot be made or filled.
  template <class Fill>
  void replace(const Box& plane, const Fill& fill) {
    std::unique_ptr<Board> next = make_board({rule, topology, plane.width, plane.height}, choice);
    fill(*next);
    if (board) earlier_counts = tile_counts();
    board = std::move(next);
    origin = {plane.x, plane.y};
    width = plane.width;
    height = plane.height;
  }

  TileCounts tile_counts() const { return earlier_counts + board->tile_counts(); }

  std::uint64_t until_observer() const {
    std::uint64_t left = no_limit;
    for (const Observer& observer : observers)
      left = std::min(left, observer.every - generation % observer.every);
    return left;
  }
};

Simulation::Simulation(std::unique_ptr<State> state) : state_(std::move(state)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

Simulation::Simulation(Rule rule, Topology topology, Grid world, const Options& options)
    : state_(std::make_unique<State>()) {
  if (world.empty()) {
    throw Error(fmt::format("a world of {} x {} cells has no cell", world.width(), world.height()),
                ErrorKind::usage);
  }
  state_->rule = rule;
  state_->topology = topology;
  state_->choose_kernel(options, world.width(), world.height());
  state_->adopt({0, 0, world.width(), world.height()}, world, {0, 0});
}

Simulation Simulation::unbounded(Rule rule, const Pattern& start, const Options& options) {
  if (rule.next(false, 0)) {
    throw Error(fmt::format("{} has B0: every dead cell of an unbounded plane would be born at once; such a "
                            "rule needs a world with a size",
                            rule.str()),
                ErrorKind::usage);
  }
  auto state = std::make_unique<State>();
  state->rule = rule;
  state->grows = true;
  state->choose_kernel(options, 0, 0);
  const Position at =
      start.position.value_or(Position{-(start.cells.width() / 2), -(start.cells.height() / 2)});
  require_coordinates(at.x, at.y, "a pattern");
  const Box plane = State::plane_around({at.x, at.y, start.cells.width(), start.cells.height()}, min_margin);
  state->adopt(plane, start.cells, at);
  state->generation = start.generation;
  return Simulation(std::move(state));
}

Simulation Simulation::of(const Pattern& start, const Options& options) {
  const RuleSpec spec = start.rule_spec();
  if (!spec.bounds) return unbounded(spec.rule, start, options);
  Simulation simulation(spec.rule, spec.bounds->topology,
                        place(start, spec.bounds->width, spec.bounds->height), options);
  simulation.set_generation(start.generation);
  return simulation;
}

std::uint64_t Simulation::step(std::uint64_t generations, const std::function<bool()>& go_on) {
  return step(generations, go_on, no_limit, [&](std::uint64_t now) { state_->board->advance(now); });
}

std::vector<std::uint64_t> Simulation::step_counting(std::uint64_t generations,
                                                     const std::function<bool()>& go_on) {
  std::vector<std::uint64_t> populations;
  step(generations, go_on, max_counted_generations, [&](std::uint64_t now) {
    populations.resize(populations.size() + now);
    state_->board->advance_counting(now, populations.data() + populations.size() - now);
  });
  return populations;
}

std::vector<Activity> Simulation::step_comparing(std::uint64_t generations,
                                                 const std::function<bool()>& go_on) {
  std::vector<Activity> activities;
  step(generations, go_on, 1, [&](std::uint64_t) {
    const std::uint64_t changed = state_->board->advance_comparing();
    activities.push_back({state_->board->population(), changed});
  });
  return activities;
}

std::vector<TileEvent> Simulation::step_tracing(std::uint64_t generations,
                                                const std::function<bool()>& go_on) {
  State& state = *state_;
  if (!state.board->record(nullptr)) {
    throw Error(fmt::format("kernel {} cuts the world its own way and does not tell which thread does what; "
                            "kernels of the CPU's ladder do",
                            state.kernel),
                ErrorKind::unavailable);
  }
  // Kept for the next call, so that its lists need not grow again
  if (!state.trace) state.trace = std::make_unique<TileTrace>(state.choice.threads);
  TileTrace& trace = *state.trace;
  std::vector<TileEvent> events;
  step(generations, go_on, static_cast<unsigned>(state.choice.entry->kernel->max_steps),
       [&](std::uint64_t now) {
         trace.set_generation(state.generation);
         state.board->record(&trace);
         state.board->advance(now);
         state.board->record(nullptr);
         for (TileEvent& event : trace.take()) {
           event.tile.x += state.origin.x;
           event.tile.y += state.origin.y;
           events.push_back(event);
         }
       });
  return events;
}

// `advance` makes `max_at_once` generations at once at most.
std::uint64_t Simulation::step(std::uint64_t generations, const std::function<bool()>& go_on,
                               std::uint64_t max_at_once, const std::function<void(std::uint64_t)>& advance) {
  State& state = *state_;
  std::uint64_t done = 0;
  while (done < generations) {
    const auto start = Clock::now();
    std::uint64_t asked = 0;
    const std::uint64_t part =
        std::min({generations - done, state.until_observer(), go_on ? state.chunk : no_limit});
    while (asked < part) {
      const std::uint64_t now = std::min({part - asked, state.room(), max_at_once});
      advance(now);
      state.cell_updates +=
          static_cast<double>(state.width) * static_cast<double>(state.height) * static_cast<double>(now);
      state.generation += now;
      asked += now;
    }
    done += part;
    // Those that are added here begin with a later generation
    for (std::size_t i = 0, number = state.observers.size(); i < number; ++i) {
      const State::Observer& observer = state.observers[i];
      if (state.generation % observer.every == 0) observer.call(*this);
    }
    if (!go_on) continue;
    if (!go_on()) break;
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (seconds < question_interval / 2 && part == state.chunk && state.chunk < no_limit / 2)
      state.chunk *= 2;
    if (seconds > question_interval && state.chunk > 1) state.chunk /= 2;
  }
  return done;
}

void Simulation::observe(std::uint64_t every, std::function<void(const Simulation&)> observer) {
  if (every == 0) throw Error("an observer needs an interval of at least one generation", ErrorKind::usage);
  state_->observers.push_back({every, std::move(observer)});
}

std::uint64_t Simulation::generation() const { return state_->generation; }
void Simulation::set_generation(std::uint64_t generation) { state_->generation = generation; }
std::uint64_t Simulation::population() const { return state_->board->population(); }
std::uint64_t Simulation::hash() const { return state_->board->hash(state_->origin); }
const Rule& Simulation::rule() const { return state_->rule; }
Topology Simulation::topology() const { return state_->topology; }
bool Simulation::grows() const { return state_->grows; }
std::int64_t Simulation::width() const { return state_->width; }
std::int64_t Simulation::height() const { return state_->height; }
Position Simulation::origin() const { return state_->origin; }
std::optional<std::uint64_t> Simulation::edge_met() const { return state_->edge_met; }
const std::string& Simulation::kernel() const { return state_->kernel; }
std::string Simulation::device() const { return state_->choice.device.str(); }
int Simulation::threads() const { return state_->choice.threads; }
const std::optional<Tiling>& Simulation::tiling() const { return state_->choice.tiling; }
TileCounts Simulation::tile_counts() const { return state_->tile_counts(); }
const std::optional<LaunchShape>& Simulation::launch_shape() const { return state_->choice.launch_shape; }
std::optional<KernelResources> Simulation::resources() const { return state_->board->resources(); }
std::optional<ConversionTimes> Simulation::time_conversion() { return state_->board->time_conversion(); }

double Simulation::cell_updates() const { return state_->cell_updates; }

std::optional<Box> Simulation::bounding_box() const {
  std::optional<Box> box = state_->board->bounding_box();
  if (box) box->x += state_->origin.x, box->y += state_->origin.y;
  return box;
}

Grid Simulation::window(const Box& box) const {
  require_box(box, "a window");
  return state_->board->window({box.x - state_->origin.x, box.y - state_->origin.y, box.width, box.height});
}

std::vector<std::uint32_t> Simulation::density(const Raster& raster) const {
  require_raster(raster);
  return of_squares<std::uint32_t>(raster, state_->box(),
                                   [&](const Raster& inside) { return state_->board->density(inside); });
}

std::vector<std::uint8_t> Simulation::levels(const Raster& raster,
                                             std::span<const std::uint32_t> limits) const {
  constexpr std::size_t max_limits = 255;
  require_raster(raster);
  if (limits.size() > max_limits || !std::is_sorted(limits.begin(), limits.end()) ||
      (!limits.empty() && limits.front() == 0)) {
    throw Error(fmt::format("{} limits of levels: expected at most {}, from 1 on in rising order",
                            limits.size(), max_limits),
                ErrorKind::usage);
  }
  return of_squares<std::uint8_t>(
      raster, state_->box(), [&](const Raster& inside) { return state_->board->levels(inside, limits); });
}

Grid Simulation::grid() const { return state_->board->window({0, 0, state_->width, state_->height}); }

void Simulation::paste(const Grid& cells, Position at) {
  require_coordinates(at.x, at.y, "cells");
  State& state = *state_;
  if (!state.grows) {
    Grid world = grid();
    world.paste(cells, at);
    state.board->load(world, {});
    state.chunk = default_chunk;  // what was empty a moment ago had any number of generations at once
    return;
  }
  const Box added = cells.bounding_box().value_or(Box()).translated(at);
  const Box live = unite(bounding_box().value_or(Box()), added);
  if (live.empty()) return;
  Grid part = window(live);
  part.paste(cells, at - live.position());
  if (state.box().contains(live)) {
    state.board->load(part, live.position() - state.origin);
  } else {
    state.adopt(State::plane_around(live, min_margin), part, live.position());
    state.edge_met.reset();
  }
  state.chunk = default_chunk;
}

Pattern Simulation::snapshot(bool whole) const {
  Pattern pattern;
  pattern.generation = state_->generation;
  pattern.rule = state_->rule.str();
  Box box = state_->box();
  if (!whole || state_->grows) {
    // Nothing alive: an empty pattern where the world's centre is
    box = bounding_box().value_or(state_->grows ? Box{} : Box{state_->width / 2, state_->height / 2, 0, 0});
  }
  pattern.cells = window(box);
  pattern.position = box.position();
  if (!state_->grows) {
    pattern.rule += Bounds{state_->topology, state_->width, state_->height}.suffix();
    pattern.position = Position{box.x - state_->width / 2, box.y - state_->height / 2};
  }
  return pattern;
}

}  // namespace moorea
