// SPDX-License-Identifier: MIT
#include "ensembles/survey_batch.h"

#include <algorithm>
#include <utility>

namespace moorea {
namespace {

constexpr std::uint64_t min_search_interval = 64;

// Cells of two worlds that differ.
std::uint64_t differing_cells(const Grid& a, const Grid& b) {
  Grid difference = a;
  difference.paste(b, {}, PasteMode::bitwise_xor);
  return difference.population();
}

}  // namespace

std::uint64_t period_search_interval(std::uint32_t max_period) {
  return std::max<std::uint64_t>(min_search_interval, max_period);
}

double SurveyBatch::bytes(const kernels::Kernel& kernel, int lanes, Size size) {
  return LaneBoard::bytes(kernel, size) + 3 * LaneBoard::snapshot_bytes(lanes, size);
}

SurveyBatch::SurveyBatch(const EnsembleSpec& spec, const SurveyOptions& options, const WorldSpec& world,
                         const BoundKernel& kernel)
    : spec_(spec),
      options_(options),
      interval_(period_search_interval(options.max_period)),
      board_(world, kernel),
      start_(world, board_.lanes()),
      before_start_(world, board_.lanes()),
      before_(world, board_.lanes()),
      all_(LaneSet::first(board_.lanes())),
      lanes_(static_cast<std::size_t>(board_.lanes())) {}

void SurveyBatch::run(std::size_t group, WorldQueue& queue, OrderedRecords& records) {
  while (refill(group, queue)) {
    if (!advance_interval(records) || !records.add(std::exchange(complete_, {}))) {
      queue.close();
      return;
    }
  }
}

// Fills the lanes of complete worlds; returns whether any world is left to advance.
bool SurveyBatch::refill(std::size_t group, WorldQueue& queue) {
  const std::vector<int> idle = all_.without(active_).lanes();
  const WorldQueue::Range range = queue.take(group, idle.size());
  if (range.count > 0) {
    std::vector<Grid> grids;
    for (std::uint64_t i = 0; i < range.count; ++i) {
      const int lane = idle[i];
      const std::uint64_t world = range.first + i;
      const std::uint64_t limit =
          options_.generations_of ? options_.generations_of(world) : options_.generations;
      lanes_[static_cast<std::size_t>(lane)] = {world, 0, limit, 0, 0};
      active_.add(lane);
      grids.push_back(spec_.cells(world));
    }
    const auto filled = std::span(idle).first(range.count);
    write_lanes(board_.cells(), filled, grids);
    board_.edited();
    // At generation 0 nothing has changed
    if (options_.changed) write_lanes(before_.view(), filled, grids);
  }
  return !active_.empty();
}

// Advances all lanes by an interval, or until no world is left in them. Returns whether the survey goes on.
bool SurveyBatch::advance_interval(OrderedRecords& records) {
  now_ = 0;
  complete_limited();  // worlds of no generations
  searched_ = {};
  if (searches()) {
    for (const int lane : active_.lanes()) {
      if (lanes_[static_cast<std::size_t>(lane)].period == 0) searched_.add(lane);
    }
  }
  if (!searched_.empty()) board_.save(start_);
  if (options_.changed && !searched_.empty()) std::swap(before_start_, before_);
  while (now_ < interval_ && !active_.empty()) {
    const std::uint64_t stop = next_stop();
    const bool compares = now_ < options_.max_period && !searched_.empty();
    const std::uint64_t generation = compares ? now_ + 1 : std::min(stop, now_ + board_.short_advance());
    advance_to(generation, generation == stop);
    if (!records.goes_on()) return false;
    if (compares) find_periods(static_cast<std::uint32_t>(now_));
    complete_limited();
  }
  for (const int lane : active_.lanes()) lanes_[static_cast<std::size_t>(lane)].age += now_;
  return true;
}

// Generation of the interval at which the next worlds are complete, or its end.
std::uint64_t SurveyBatch::next_stop() const {
  std::uint64_t stop = interval_;
  for (const int lane : active_.lanes()) {
    const Lane& each = lanes_[static_cast<std::size_t>(lane)];
    stop = std::min(stop, each.limit - each.age);
  }
  return stop;
}

// Advances to a generation of the interval; if it is read, the one before is saved for changed cells.
void SurveyBatch::advance_to(std::uint64_t generation, bool is_read) {
  std::uint64_t left = generation - now_;
  if (options_.changed && is_read) {
    board_.advance(left - 1);
    board_.save(before_);
    left = 1;
  }
  board_.advance(left);
  now_ = generation;
}

// Ends the search in the lanes whose state is that of the interval's beginning.
void SurveyBatch::find_periods(std::uint32_t distance) {
  const LaneSet differing = board_.differing(start_, all_.without(searched_));
  const LaneSet found = searched_.without(differing);
  searched_ = differing;
  for (const int lane : found.lanes()) {
    Lane& each = lanes_[static_cast<std::size_t>(lane)];
    each.period = distance;
    each.period_generation = each.age;
  }
  if (!options_.until_periodic || found.empty()) return;
  const std::uint64_t present = std::exchange(now_, 0);
  record(found, start_.view(), before_start_.view());
  now_ = present;
}

// Records the worlds that have reached their number of generations.
void SurveyBatch::complete_limited() {
  LaneSet limited;
  for (const int lane : active_.lanes()) {
    const Lane& each = lanes_[static_cast<std::size_t>(lane)];
    if (each.age + now_ == each.limit) limited.add(lane);
  }
  if (!limited.empty()) record(limited, board_.cells(), before_.view());
}

// Records worlds whose cells are in a view, in which the present generation is now_.
void SurveyBatch::record(const LaneSet& lanes, const LaneView& cells, const LaneView& before) {
  const std::vector<int> list = lanes.lanes();
  const std::vector<Grid> grids = read_lanes(cells, list);
  const std::vector<Grid> earlier = options_.changed ? read_lanes(before, list) : std::vector<Grid>();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Lane& lane = lanes_[static_cast<std::size_t>(list[i])];
    WorldRecord record;
    record.world = lane.world;
    record.generation = lane.age + now_;
    record.population = grids[i].population();
    record.hash = grids[i].hash();
    record.bounding_box = grids[i].bounding_box();
    if (options_.changed) record.changed = differing_cells(grids[i], earlier[i]);
    record.period = lane.period;
    if (lane.period != 0) record.period_generation = lane.period_generation;
    complete_.push_back(record);
  }
  active_ = active_.without(lanes);
  searched_ = searched_.without(lanes);
}

}  // namespace moorea
