// SPDX-License-Identifier: MIT
// Identification of patterns, and periods of worlds. Results are dictionaries, of which python/moorea makes
// its classes.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <chrono>

#include "module.h"

namespace moorea::python {
namespace {

constexpr auto interval = std::chrono::milliseconds(25);

// The library asks far more often than another Python thread would give the GIL away.
std::function<bool()> seldom(bool (*go_on)()) {
  using Clock = std::chrono::steady_clock;
  return [go_on, next = Clock::now()]() mutable {
    const Clock::time_point now = Clock::now();
    if (now < next) return true;
    const bool goes_on = go_on();
    next = Clock::now() + interval;
    return goes_on;
  };
}

IdentifyOptions identify_options(std::uint64_t generations, std::uint64_t max_period, int threads) {
  IdentifyOptions options;
  options.max_generations = generations;
  options.max_period = max_period;
  options.threads = threads;
  options.go_on = seldom(no_signal);
  return options;
}

nb::tuple pair_of(const Position& at) { return nb::make_tuple(at.x, at.y); }

std::string text_of(std::string_view text) { return std::string(text); }

nb::dict dict_of(const Identification& found) {
  nb::list census;
  for (const ObjectCount& entry : found.census) {
    nb::dict row;
    row["count"] = entry.count;
    row["kind"] = text_of(to_string(entry.kind));
    row["name"] = entry.name;
    row["apgcode"] = entry.apgcode;
    row["period"] = entry.period;
    row["displacement"] = pair_of(entry.displacement);
    row["speed"] = speed_text(entry.displacement, entry.period);
    row["population"] = entry.population;
    census.append(row);
  }
  nb::dict all;
  all["kind"] = text_of(to_string(found.kind));
  all["settled"] = found.settled;
  all["period"] = found.period;
  all["displacement"] = pair_of(found.displacement);
  all["apgcode"] = found.apgcode;
  all["name"] = found.name;
  all["speed"] = speed_text(found.displacement, found.period);
  all["world_period"] = found.world_period;
  all["world_displacement"] = pair_of(found.world_displacement);
  all["initial_population"] = found.initial_population;
  all["population"] = found.population;
  all["searched"] = found.searched;
  all["census"] = census;
  return all;
}

nb::dict identify_pattern(const Pattern& pattern, std::uint64_t generations, std::uint64_t max_period,
                          int threads) {
  const IdentifyOptions options = identify_options(generations, max_period, threads);
  const Identification found = [&] {
    const WithoutGil free;
    return identify(pattern, options);
  }();
  return dict_of(found);
}

nb::dict identify_plane(Engine& engine, std::uint64_t generations, std::uint64_t max_period, int threads) {
  const IdentifyOptions options = identify_options(generations, max_period, threads);
  return dict_of(engine.use([&](const Simulation& world) { return identify(world, options); }));
}

std::optional<nb::tuple> period_of(Engine& engine, std::uint64_t generations, std::uint64_t max_period) {
  PeriodOptions options;
  options.max_generations = generations;
  options.max_period = max_period;
  options.go_on = seldom(no_signal);
  const auto found = engine.use([&](Simulation& world) { return find_period(world, options); });
  if (!found) return std::nullopt;
  return nb::make_tuple(found->generation, found->period, pair_of(found->displacement));
}

}  // namespace

void bind_identification(nb::module_& module) {
  module.def("identify_pattern", &identify_pattern,
             nb::sig("def identify_pattern(pattern: PatternFile, generations: int, max_period: int, threads: "
                     "int) -> dict[str, typing.Any]"));
  module.def("identify_plane", &identify_plane,
             nb::sig("def identify_plane(engine: Engine, generations: int, max_period: int, threads: int) -> "
                     "dict[str, typing.Any]"));
  module.def("find_period", &period_of,
             nb::sig("def find_period(engine: Engine, generations: int, max_period: int) -> tuple[int, int, "
                     "tuple[int, int]] | None"));
}

}  // namespace moorea::python
