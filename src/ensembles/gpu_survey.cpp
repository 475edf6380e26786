// SPDX-License-Identifier: MIT
// Surveys on a GPU: ensembles of many worlds, one after the other.
#include "ensembles/gpu_survey.h"

#include <algorithm>
#include <vector>

#include "ensembles/ordered_records.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// Cells of an ensemble: enough worlds of 64 x 64 cells to fill a large GPU several times, in 256 MiB.
constexpr double max_ensemble_cells = 1ull << 31;

std::uint64_t worlds_at_once(Size size) {
  const auto worlds = static_cast<std::uint64_t>(max_ensemble_cells / size.area());
  return std::max<std::uint64_t>(worlds / 64, 1) * 64;
}

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

}  // namespace

void check_gpu_survey(const SurveyOptions& options) {
  if (options.until_periodic || options.period || options.generations_of) {
    throw Error(
        "periods, and numbers of generations that differ between worlds, are for surveys on the CPU: "
        "choose the device cpu",
        ErrorKind::unavailable);
  }
}

void survey_on_gpu(const EnsembleSpec& spec, const SurveyOptions& options, OrderedRecords& records) {
  const std::uint64_t at_once = worlds_at_once(spec.size);
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
