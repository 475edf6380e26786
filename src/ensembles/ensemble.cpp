// SPDX-License-Identifier: MIT
#include "moorea/ensemble.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "ensembles/gpu_batches.h"
#include "ensembles/interruption.h"
#include "ensembles/lane_board.h"
#include "ensembles/lane_kernel.h"
#include "ensembles/team_loop.h"
#include "model/memory.h"
#include "moorea/error.h"

namespace moorea {

// Worlds `first` to `first` + `worlds` - 1 of an ensemble, in the lanes from 0 on.
struct ResidentBatch {
  std::uint64_t first;
  int worlds;
  LaneBoard board;
};

namespace {

// Worlds that are converted at a time: lanes of one 64-bit word of each vector.
constexpr int conversion_lanes = 64;

std::vector<int> lanes_from(int first, int last) {
  std::vector<int> lanes(static_cast<std::size_t>(last - first));
  std::iota(lanes.begin(), lanes.end(), first);
  return lanes;
}

// Calls visit(lane, cells) for the worlds in lanes `first` to `last` - 1 of a batch.
template <class Visit>
void for_lanes(const ResidentBatch& batch, int first, int last, const Visit& visit) {
  for (; first < last; first += conversion_lanes) {
    const std::vector<int> lanes = lanes_from(first, std::min(first + conversion_lanes, last));
    std::vector<Grid> grids = read_lanes(batch.board.cells(), lanes);
    for (std::size_t i = 0; i < lanes.size(); ++i) visit(lanes[i], grids[i]);
  }
}

void load_batch(ResidentBatch& batch, const EnsembleSpec& spec) {
  for (int first = 0; first < batch.worlds; first += conversion_lanes) {
    const std::vector<int> lanes = lanes_from(first, std::min(first + conversion_lanes, batch.worlds));
    std::vector<Grid> grids;
    for (const int lane : lanes) grids.push_back(spec.cells(batch.first + static_cast<unsigned>(lane)));
    write_lanes(batch.board.cells(), lanes, grids);
  }
  batch.board.edited();
}

// Advances a board by `generations`, or until an interruption; returns the completed generations.
std::uint64_t advance_board(LaneBoard& board, std::uint64_t generations, Interruption& interruption) {
  std::uint64_t done = 0;
  while (done < generations && !interruption.stopped()) {
    const std::uint64_t now = std::min(generations - done, board.short_advance());
    board.advance(now);
    done += now;
  }
  return done;
}

// Advances each lane by its own number of generations, and adds the completed ones to `reached`: a lane that
// is complete is saved while the others continue.
void advance_lanes(ResidentBatch& batch, std::span<const std::uint64_t> generations,
                   Interruption& interruption, std::span<std::uint64_t> reached) {
  const std::set<std::uint64_t> stops(generations.begin(), generations.end());
  if (stops.size() == 1) {
    const std::uint64_t done = advance_board(batch.board, *stops.begin(), interruption);
    for (std::uint64_t& each : reached) each += done;
    return;
  }
  const LaneSnapshot complete(batch.board.world(), batch.board.lanes());
  std::uint64_t now = 0;
  for (const std::uint64_t stop : stops) {
    now += advance_board(batch.board, stop - now, interruption);
    const bool interrupted = now < stop;
    LaneSet lanes;
    for (int lane = 0; lane < batch.worlds; ++lane) {
      const std::uint64_t wanted = generations[static_cast<std::size_t>(lane)];
      if (wanted != stop && !(interrupted && wanted > stop)) continue;
      lanes.add(lane);
      reached[static_cast<std::size_t>(lane)] += now;
    }
    copy_lanes(batch.board.cells(), complete.view(), lanes);
    if (interrupted) break;
  }
  batch.board.restore(complete);
}

// Finds the smallest distance at which the present state of each lane recurs.
void find_periods(LaneBoard& board, std::uint32_t max_period, std::span<std::uint32_t> periods,
                  Interruption& interruption) {
  const LaneSnapshot present(board.world(), board.lanes());
  board.save(present);
  LaneSet searched = LaneSet::first(static_cast<int>(periods.size()));
  const LaneSet all = LaneSet::first(board.lanes());
  for (std::uint32_t distance = 1; distance <= max_period && !searched.empty(); ++distance) {
    if (interruption.stopped()) break;
    board.advance(1);
    const LaneSet differing = board.differing(present, all.without(searched));
    for (const int lane : searched.without(differing).lanes()) {
      periods[static_cast<std::size_t>(lane)] = distance;
    }
    searched = differing;
  }
  board.restore(present);
}

}  // namespace

struct Ensemble::Worlds {
  EnsembleSpec spec;
  const kernels::TableEntry* entry;
  std::string kernel;
  int threads;
  std::uint64_t count;
  std::vector<ResidentBatch> batches;
  std::unique_ptr<GpuBatches> gpu;  // null: the boards advance by themselves
  std::vector<std::uint64_t> generations;

  Worlds(const EnsembleSpec& given, const EnsembleOptions& options)
      : spec(given),
        entry(&lane_kernel(given, options)),
        kernel(gpu_of(options) ? "cuda/lanes" : entry->name),
        threads(ensemble_threads(options)),
        count(given.worlds()) {
    require_memory_for_all();
    std::uint64_t first = 0;
    for (const RuleGroup& group : spec.groups) {
      if (group.worlds > 0) add_group(group, first);
      first += group.worlds;
    }
    generations.assign(count, 0);
    if (const std::optional<int> device = gpu_of(options)) use_gpu(*device);
    for_each_part(threads, batches.size(), [&](std::size_t i) { load_batch(batches[i], spec); });
  }

  void use_gpu(int device) {
    gpu = std::make_unique<GpuBatches>(device, threads);
    auto batch = batches.begin();
    for (std::uint64_t end = 0; const RuleGroup& group : spec.groups) {
      end += group.worlds;
      std::vector<LaneBoard*> boards;
      for (; batch != batches.end() && batch->first < end; ++batch) boards.push_back(&batch->board);
      if (!boards.empty()) gpu->add(boards, group.worlds);
    }
  }

  void require_memory_for_all() const {
    double boards = 0;
    for (const RuleGroup& group : spec.groups) {
      const auto lanes = static_cast<std::uint64_t>(lanes_of(*entry));
      boards += std::ceil(static_cast<double>(group.worlds) / static_cast<double>(lanes));
    }
    const double facts = static_cast<double>(count) * sizeof generations[0];
    require_memory(boards * LaneBoard::bytes(*entry->kernel, spec.size) + facts,
                   fmt::format("{} worlds of {} x {} cells", count, spec.size.width, spec.size.height));
  }

  void add_group(const RuleGroup& group, std::uint64_t first) {
    const WorldSpec world{group.rule, spec.topology, spec.size.width, spec.size.height};
    const BoundKernel bound = bind_lanes(*entry, spec.topology, group.rule);
    const auto lanes = static_cast<std::uint64_t>(lanes_of(*entry));
    for (std::uint64_t done = 0; done < group.worlds; done += lanes) {
      const int worlds = static_cast<int>(std::min(lanes, group.worlds - done));
      batches.push_back({first + done, worlds, LaneBoard(world, bound)});
    }
  }

  // Calls body(batch) for all batches, which it may only read.
  template <class Body>
  void for_batches(const Body& body) {
    Interruption never;
    for_batches(never, body);
  }
  template <class Body>
  void for_batches(Interruption& interruption, const Body& body) {
    if (gpu) gpu->update_boards();
    for_each_part(
        threads, batches.size(), [&](std::size_t i) { body(batches[i]); }, interruption);
  }

  // Calls body(batch) for all batches, which it changes; some of them if it is interrupted.
  template <class Body>
  void change_batches(Interruption& interruption, const Body& body) {
    if (gpu) {
      gpu->update_boards();
      gpu->boards_changed();
    }
    for_batches(interruption, body);
  }

  std::span<std::uint64_t> generations_of(const ResidentBatch& batch) {
    return std::span(generations).subspan(batch.first, static_cast<std::size_t>(batch.worlds));
  }

  void advance_on_gpu(std::uint64_t steps, Interruption& interruption) {
    in_short_parts(steps, interruption, [&](std::uint64_t part) {
      gpu->advance(part);
      completed(part);
    });
    interruption.rethrow();
  }

  void count_on_gpu(std::uint64_t steps, std::uint64_t* populations, Interruption& interruption) {
    in_short_parts(steps, interruption, [&](std::uint64_t part) {
      gpu->advance_counting(part, count, populations);
      populations += part * count;
      completed(part);
    });
    interruption.rethrow();
  }

  // An array with the result of each world.
  template <class Value, class Get>
  std::vector<Value> collect(const Get& get) {
    std::vector<Value> values(count);
    for_batches([&](const ResidentBatch& batch) {
      for_lanes(batch, 0, batch.worlds, [&](int lane, const Grid& grid) {
        values[batch.first + static_cast<unsigned>(lane)] = get(grid);
      });
    });
    return values;
  }

  // Copies an array with an entry for each lane to the entries of a batch's worlds.
  static void put(const ResidentBatch& batch, const std::vector<std::uint64_t>& of_lanes, std::uint64_t* to) {
    std::copy_n(of_lanes.begin(), batch.worlds, to + batch.first);
  }

  void completed(std::uint64_t steps) {
    for (std::uint64_t& each : generations) each += steps;
  }

  ResidentBatch& batch_of(std::uint64_t index) {
    if (index >= count) {
      throw Error(fmt::format("there is no world {} in an ensemble of {}: the first is 0", index, count),
                  ErrorKind::usage);
    }
    if (gpu) gpu->update_boards();
    const auto after =
        std::upper_bound(batches.begin(), batches.end(), index,
                         [](std::uint64_t world, const ResidentBatch& batch) { return world < batch.first; });
    return *(after - 1);
  }
};

Ensemble::Ensemble(const EnsembleSpec& spec, const EnsembleOptions& options) {
  check_ensemble(spec);
  worlds_ = std::make_unique<Worlds>(spec, options);
}
Ensemble::Ensemble(Ensemble&&) noexcept = default;
Ensemble& Ensemble::operator=(Ensemble&&) noexcept = default;
Ensemble::~Ensemble() = default;

std::uint64_t Ensemble::size() const { return worlds_->count; }
const EnsembleSpec& Ensemble::spec() const { return worlds_->spec; }
const std::string& Ensemble::kernel() const { return worlds_->kernel; }
int Ensemble::threads() const { return worlds_->threads; }
std::vector<std::uint64_t> Ensemble::generations() const { return worlds_->generations; }

void Ensemble::step(std::uint64_t generations, const std::function<bool()>& go_on) {
  Interruption interruption(go_on);
  if (worlds_->gpu) {
    worlds_->advance_on_gpu(generations, interruption);
    return;
  }
  worlds_->change_batches(interruption, [&](ResidentBatch& batch) {
    const std::uint64_t done = advance_board(batch.board, generations, interruption);
    for (std::uint64_t& each : worlds_->generations_of(batch)) each += done;
  });
}

void Ensemble::step(std::span<const std::uint64_t> generations, const std::function<bool()>& go_on) {
  if (generations.size() != size()) {
    throw Error(fmt::format("{} numbers of generations for {} worlds: expected one for each",
                            generations.size(), size()),
                ErrorKind::usage);
  }
  Interruption interruption(go_on);
  worlds_->change_batches(interruption, [&](ResidentBatch& batch) {
    advance_lanes(batch, generations.subspan(batch.first, static_cast<std::size_t>(batch.worlds)),
                  interruption, worlds_->generations_of(batch));
  });
}

std::vector<std::uint64_t> Ensemble::step_comparing() {
  std::vector<std::uint64_t> changed(size());
  Interruption never;
  worlds_->change_batches(never, [&](ResidentBatch& batch) {
    const LaneSnapshot before(batch.board.world(), batch.board.lanes());
    batch.board.save(before);
    batch.board.advance(1);
    Worlds::put(batch, batch.board.count_differing(before), changed.data());
  });
  worlds_->completed(1);
  return changed;
}

std::vector<std::uint64_t> Ensemble::step_counting(std::uint64_t generations,
                                                   const std::function<bool()>& go_on) {
  require_memory(static_cast<double>(size()) * static_cast<double>(generations) * sizeof(std::uint64_t),
                 fmt::format("the populations of {} worlds in {} generations", size(), generations));
  std::vector<std::uint64_t> counts(size() * generations);
  Interruption interruption(go_on);
  if (worlds_->gpu && worlds_->gpu->counts()) {
    worlds_->count_on_gpu(generations, counts.data(), interruption);
    return counts;
  }
  worlds_->change_batches(interruption, [&](ResidentBatch& batch) {
    const std::span<std::uint64_t> reached = worlds_->generations_of(batch);
    for (std::uint64_t g = 0; g < generations && !interruption.stopped(); ++g) {
      batch.board.advance(1);
      Worlds::put(batch, batch.board.populations(), counts.data() + g * size());
      for (std::uint64_t& each : reached) ++each;
    }
  });
  return counts;
}

std::vector<std::uint64_t> Ensemble::populations() const {
  std::vector<std::uint64_t> values(size());
  worlds_->for_batches(
      [&](const ResidentBatch& batch) { Worlds::put(batch, batch.board.populations(), values.data()); });
  return values;
}

std::vector<std::uint64_t> Ensemble::hashes() const {
  return worlds_->collect<std::uint64_t>([](const Grid& cells) { return cells.hash(); });
}

std::vector<std::optional<Box>> Ensemble::bounding_boxes() const {
  return worlds_->collect<std::optional<Box>>([](const Grid& cells) { return cells.bounding_box(); });
}

std::vector<std::uint32_t> Ensemble::periods(std::uint32_t max_period,
                                             const std::function<bool()>& go_on) const {
  std::vector<std::uint32_t> periods(size());
  Interruption interruption(go_on);
  worlds_->for_batches(interruption, [&](ResidentBatch& batch) {
    find_periods(batch.board, max_period,
                 std::span(periods).subspan(batch.first, static_cast<std::size_t>(batch.worlds)),
                 interruption);
  });
  return periods;
}

Grid Ensemble::world(std::uint64_t index) const {
  const ResidentBatch& batch = worlds_->batch_of(index);
  const int lane = static_cast<int>(index - batch.first);
  return std::move(read_lanes(batch.board.cells(), {&lane, 1}).front());
}

std::vector<Grid> Ensemble::worlds(std::uint64_t first, std::uint64_t count) const {
  const std::uint64_t last = size();
  if (first > last || count > last - first) {
    throw Error(fmt::format("there are no {} worlds from {} on in an ensemble of {}", count, first, last),
                ErrorKind::usage);
  }
  std::vector<Grid> grids(count);
  worlds_->for_batches([&](const ResidentBatch& batch) {
    const std::uint64_t from = std::max(first, batch.first);
    const std::uint64_t to = std::min(first + count, batch.first + static_cast<unsigned>(batch.worlds));
    if (from >= to) return;
    for_lanes(batch, static_cast<int>(from - batch.first), static_cast<int>(to - batch.first),
              [&](int lane, Grid& grid) {
                grids[batch.first + static_cast<unsigned>(lane) - first] = std::move(grid);
              });
  });
  return grids;
}

void Ensemble::set_world(std::uint64_t index, const Grid& cells) {
  const Size size = worlds_->spec.size;
  ResidentBatch& batch = worlds_->batch_of(index);
  if (cells.width() != size.width || cells.height() != size.height) {
    throw Error(fmt::format("{} x {} cells for world {}: expected {} x {}, as all worlds of the ensemble",
                            cells.width(), cells.height(), index, size.width, size.height),
                ErrorKind::usage);
  }
  const int lane = static_cast<int>(index - batch.first);
  write_lanes(batch.board.cells(), {&lane, 1}, {&cells, 1});
  batch.board.edited();
  if (worlds_->gpu) worlds_->gpu->boards_changed();
}

}  // namespace moorea
