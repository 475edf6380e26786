// SPDX-License-Identifier: MIT
// Surveys on a GPU: ensembles of many worlds, one after the other.
#include "ensembles/gpu_survey.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <vector>

#include "devices/cpu/threads.h"
#include "ensembles/gpu_periods.h"
#include "ensembles/ordered_records.h"
#include "moorea/error.h"
#include "moorea/support/life_like.h"

namespace moorea {
namespace {

// Cells of an ensemble: enough worlds of 64 x 64 cells to fill a large GPU several times, in 256 MiB.
constexpr double max_ensemble_cells = 1ull << 31;

// Worlds `first` to `first` + `count` - 1 as an ensemble of their own.
EnsembleSpec part_of(const EnsembleSpec& spec, std::uint64_t first, std::uint64_t count) {
  EnsembleSpec part = spec;
  part.start = [&spec, first](std::uint64_t world) { return spec.cells(first + world); };
  part.groups.clear();
  std::uint64_t begin = 0;
  for (const RuleGroup& group : spec.groups) {
    const std::uint64_t end = begin + group.worlds;
    const std::uint64_t from = std::max(begin, first), to = std::min(end, first + count);
    if (from < to) part.groups.push_back({group.rule, to - from});
    begin = end;
  }
  return part;
}

constexpr std::uint32_t max_gpu_period = std::numeric_limits<std::uint16_t>::max();

// Advances an ensemble; returns whether the survey goes on.
bool advance_part(Ensemble& ensemble, std::uint64_t generations, OrderedRecords& records) {
  ensemble.step(generations, [&] { return records.goes_on(); });
  return ensemble.generations().front() == generations;
}

std::vector<WorldRecord> records_of(Ensemble& ensemble, const SurveyOptions& options, std::uint64_t first,
                                    const std::vector<std::uint64_t>& changed) {
  const auto populations = ensemble.populations();
  const auto hashes = ensemble.hashes();
  const auto boxes = ensemble.bounding_boxes();
  std::vector<WorldRecord> records(populations.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].world = first + i;
    records[i].generation = options.generations;
    records[i].population = populations[i];
    records[i].hash = hashes[i];
    records[i].bounding_box = boxes[i];
    if (options.changed) records[i].changed = changed[i];
  }
  return records;
}

// Two threads with half of the places each: the GPU advances the worlds of one, while the other describes
// complete worlds and generates the next ones.
void search_periods(const EnsembleSpec& spec, const SurveyOptions& options, OrderedRecords& records) {
  constexpr int halves = 2;
  WorldQueue queue(spec, options.first);
  std::exception_ptr failures[halves];
  Crew crew(halves);
  crew.run([&](int member, int) {
    try {
      GpuPeriods(spec, options, gpu_worlds_at_once(spec.size) / halves).run(queue, records);
    } catch (...) {
      failures[member] = std::current_exception();
      records.stop();
    }
    queue.close();
  });
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace

void check_gpu_survey(const EnsembleSpec& spec, const SurveyOptions& options) {
  for (const RuleGroup& group : spec.groups) require_life_like(group.rule, "a survey on a GPU");
  if (options.generations_of) {
    throw Error(
        "numbers of generations that differ between worlds are for surveys on the CPU: choose the device cpu",
        ErrorKind::unavailable);
  }
  if (!options.until_periodic && !options.period) return;
  if (options.changed) {
    throw Error(
        "surveys on a GPU do not count changed cells while they search periods: choose the device cpu",
        ErrorKind::unavailable);
  }
  if (options.max_period > max_gpu_period) {
    throw Error(fmt::format("periods up to {} on a GPU: expected at most {}, or the device cpu",
                            options.max_period, max_gpu_period),
                ErrorKind::unavailable);
  }
  if (!gpu_finds_periods({spec.size.width, spec.size.height, spec.topology == Topology::torus})) {
    throw Error(
        fmt::format(
            "worlds of {} x {} cells are too large for a search of periods on a GPU: choose the device cpu",
            spec.size.width, spec.size.height),
        ErrorKind::unavailable);
  }
}

std::uint64_t gpu_worlds_at_once(Size size) {
  const auto worlds = static_cast<std::uint64_t>(max_ensemble_cells / size.area());
  return std::max<std::uint64_t>(worlds / 64, 1) * 64;
}

void survey_on_gpu(const EnsembleSpec& spec, const SurveyOptions& options, OrderedRecords& records) {
  if (options.until_periodic || options.period) {
    search_periods(spec, options, records);
    return;
  }
  const std::uint64_t at_once = gpu_worlds_at_once(spec.size);
  for (std::uint64_t first = options.first; first < spec.worlds(); first += at_once) {
    const std::uint64_t count = std::min(at_once, spec.worlds() - first);
    Ensemble ensemble(part_of(spec, first, count), options.engine);
    const bool compares = options.changed && options.generations > 0;
    if (!advance_part(ensemble, options.generations - (compares ? 1 : 0), records)) return;
    const std::vector<std::uint64_t> changed =
        compares ? ensemble.step_comparing() : std::vector<std::uint64_t>(count);
    if (!records.add(records_of(ensemble, options, first, changed))) return;
  }
}

}  // namespace moorea
