// SPDX-License-Identifier: MIT
#include "ensembles/gpu_periods.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ensembles/lane_kernel.h"
#include "ensembles/team_loop.h"

namespace moorea {
namespace {

constexpr std::size_t worlds_a_part = 64;    // that a thread generates or describes at once
constexpr std::size_t places_a_part = 8192;  // whose state a thread looks at

// Calls body(first, end) for parts of the range from 0 to `count` - 1, on several threads.
template <class Body>
void for_each_range(int threads, std::size_t count, std::size_t part, const Body& body) {
  for_each_part(threads, (count + part - 1) / part,
                [&](std::size_t i) { body(i * part, std::min(count, (i + 1) * part)); });
}

}  // namespace

GpuPeriods::GpuPeriods(const EnsembleSpec& spec, const SurveyOptions& options, std::uint64_t max_worlds)
    : spec_(spec),
      options_(options),
      max_worlds_(max_worlds),
      interval_(static_cast<std::uint32_t>(period_search_interval(options.max_period))),
      last_interval_(static_cast<std::uint32_t>(options.generations % interval_)),
      threads_((ensemble_threads(options.engine) + 1) / 2) {}

std::size_t GpuPeriods::world_words() const {
  return static_cast<std::size_t>((spec_.size.width + 63) / 64 * spec_.size.height);
}

void GpuPeriods::run(WorldQueue& queue, OrderedRecords& records) {
  for (std::size_t group = queue.group(); group < spec_.groups.size(); group = queue.group()) {
    const WorldSpec world{spec_.groups[group].rule, spec_.topology, spec_.size.width, spec_.size.height};
    search_.reset();  // frees the memory of the previous group
    search_ =
        make_gpu_search(*gpu_of(options_.engine), world, std::min(max_worlds_, spec_.groups[group].worlds));
    places_.assign(search_->places(), {});
    used_ = 0;
    Places idle(places_.size());
    std::iota(idle.begin(), idle.end(), 0u);
    while (refill(group, queue, std::move(idle))) {
      Outcome found;
      if (options_.generations == 0) {
        for (std::uint32_t i = 0; i < used_; ++i) (places_[i].active ? found.ended : found.idle).push_back(i);
      } else {
        found = outcome(advance());
      }
      if (!complete(found.found, GpuSearch::When::start, records) ||
          !complete(found.stopped, GpuSearch::When::stop, records) ||
          !complete(found.ended, GpuSearch::When::now, records)) {
        return;
      }
      idle.clear();
      for (const Places* const each : {&found.idle, &found.found, &found.stopped, &found.ended}) {
        const auto middle = idle.insert(idle.end(), each->begin(), each->end());
        std::inplace_merge(idle.begin(), middle, idle.end());
      }
      for (auto i = static_cast<std::uint32_t>(used_); i < places_.size(); ++i) idle.push_back(i);
    }
  }
}

// Fills idle places; returns whether any world is left to advance.
bool GpuPeriods::refill(std::size_t group, WorldQueue& queue, Places idle) {
  const WorldQueue::Range range = queue.take(group, idle.size());
  const bool is_last = range.count < idle.size();
  idle.resize(range.count);
  std::vector<std::uint64_t> cells(range.count * world_words());
  for_each_range(threads_, range.count, worlds_a_part, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      places_[idle[i]] = {range.first + i, 0, 0, 0, true};
      const Grid world = spec_.cells(range.first + i);
      std::copy_n(world.row(0), world_words(), &cells[i * world_words()]);
    }
  });
  search_->fill(idle, cells);
  active_ += range.count;
  if (!idle.empty()) used_ = std::max(used_, std::size_t{idle.back()} + 1);
  if (is_last && 2 * active_ < used_) compact();
  return active_ > 0;
}

// Moves the active worlds to the first places, so that few groups are left to advance.
void GpuPeriods::compact() {
  Places from;
  for (std::uint32_t i = 0; i < used_; ++i) {
    if (places_[i].active) from.push_back(i);
  }
  std::vector<std::uint64_t> cells;
  search_->read(from, GpuSearch::When::now, cells);
  Places to(from.size());
  std::iota(to.begin(), to.end(), 0u);
  for (std::size_t i = 0; i < from.size(); ++i) places_[i] = places_[from[i]];
  for (std::size_t i = from.size(); i < used_; ++i) places_[i].active = false;
  search_->fill(to, cells);
  used_ = from.size();
}

// Advances all active worlds by an interval and returns the periods that were found.
std::span<const std::uint16_t> GpuPeriods::advance() {
  const std::uint32_t worlds = search_->worlds_a_group();
  const std::size_t groups = places_.size() / worlds;
  std::vector<std::uint32_t> active(groups), searched(groups), limited(groups);
  for_each_range(threads_, (used_ + worlds - 1) / worlds, places_a_part / worlds,
                 [&](std::size_t first, std::size_t end) {
                   for (std::size_t i = first * worlds; i < end * worlds; ++i) {
                     const Place& place = places_[i];
                     const std::uint32_t bit = place.active ? 1u << i % worlds : 0;
                     active[i / worlds] |= bit;
                     if (place.period == 0) searched[i / worlds] |= bit;
                     if (place.age + interval_ > options_.generations) limited[i / worlds] |= bit;
                   }
                 });
  return search_->advance({interval_, options_.max_period, last_interval_}, active, searched, limited);
}

// Notes the periods and the ages after an interval.
GpuPeriods::Outcome GpuPeriods::outcome(std::span<const std::uint16_t> periods) {
  std::vector<Outcome> parts((used_ + places_a_part - 1) / places_a_part);
  for_each_range(threads_, used_, places_a_part, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i)
      add_outcome(static_cast<std::uint32_t>(i), periods[i], parts[first / places_a_part]);
  });
  Outcome all;
  for (const Outcome& part : parts) {
    for (Places Outcome::*const list : {&Outcome::idle, &Outcome::found, &Outcome::stopped, &Outcome::ended})
      (all.*list).insert((all.*list).end(), (part.*list).begin(), (part.*list).end());
  }
  return all;
}

void GpuPeriods::add_outcome(std::uint32_t index, std::uint32_t period, Outcome& outcome) {
  Place& place = places_[index];
  if (!place.active) {
    outcome.idle.push_back(index);
    return;
  }
  if (period != 0) {
    place.period = period;
    place.period_generation = place.age;
    if (options_.until_periodic) {
      outcome.found.push_back(index);
      return;
    }
  }
  place.age += interval_;
  if (place.age >= options_.generations) {
    (place.age > options_.generations ? outcome.stopped : outcome.ended).push_back(index);
    place.age = options_.generations;
  }
}

// Records worlds and frees their places. Returns whether the survey goes on.
bool GpuPeriods::complete(const Places& places, GpuSearch::When when, OrderedRecords& records) {
  if (places.empty()) return records.goes_on();
  std::vector<std::uint64_t> cells;
  search_->read(places, when, cells);
  std::vector<WorldRecord> complete(places.size());
  for_each_range(threads_, places.size(), worlds_a_part, [&](std::size_t first, std::size_t end) {
    Grid world(spec_.size.width, spec_.size.height);
    for (std::size_t i = first; i < end; ++i) {
      std::copy_n(&cells[i * world_words()], world_words(), world.row(0));
      Place& place = places_[places[i]];
      WorldRecord& record = complete[i];
      record.world = place.world;
      record.generation = place.age;
      record.population = world.population();
      record.hash = world.hash();
      record.bounding_box = world.bounding_box();
      record.period = place.period;
      if (place.period != 0) record.period_generation = place.period_generation;
      place.active = false;
    }
  });
  active_ -= places.size();
  return records.add(complete);
}

}  // namespace moorea
