// SPDX-License-Identifier: MIT
#include "moorea/survey.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "ensembles/gpu_survey.h"
#include "ensembles/lane_kernel.h"
#include "ensembles/survey_batch.h"
#include "ensembles/team_loop.h"
#include "model/memory.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// Batches of one group after the other, by one thread.
void survey_groups(const EnsembleSpec& spec, const SurveyOptions& options, const kernels::TableEntry& entry,
                   WorldQueue& queue, OrderedRecords& records) {
  for (std::size_t group = queue.group(); group < spec.groups.size(); group = queue.group()) {
    const WorldSpec world{spec.groups[group].rule, spec.topology, spec.size.width, spec.size.height};
    SurveyBatch(spec, options, world, bind_lanes(entry, spec.topology, world.rule))
        .run(group, queue, records);
  }
}

// Throws Error (unavailable) if the kernel cannot run one of the rules, which depends on their family.
void require_bindings(const EnsembleSpec& spec, const kernels::TableEntry& entry) {
  for (const bool counts : {true, false}) {
    const auto group = std::ranges::find_if(
        spec.groups, [&](const RuleGroup& each) { return each.rule.is_life_like() == counts; });
    if (group != spec.groups.end()) bind_lanes(entry, spec.topology, group->rule);
  }
}

// Kernel and number of threads of a survey.
struct SurveyPlan {
  const kernels::TableEntry& entry;
  std::size_t threads;
};

SurveyPlan plan_survey(const EnsembleSpec& spec, const SurveyOptions& options) {
  check_ensemble(spec);
  if (options.max_period == 0) throw Error("periods up to 0: expected at least 1", ErrorKind::usage);
  if (options.first > spec.worlds()) {
    throw Error(fmt::format("a survey from world {} on of an ensemble of {}: expected at most {}",
                            options.first, spec.worlds(), spec.worlds()),
                ErrorKind::usage);
  }
  const std::uint64_t worlds = spec.worlds() - options.first;
  const kernels::TableEntry& entry = lane_kernel(spec, options.engine);
  if (!gpu_of(options.engine)) require_bindings(spec, entry);
  const auto lanes = static_cast<std::uint64_t>(lanes_of(entry));
  const auto threads = std::min<std::uint64_t>(static_cast<std::uint64_t>(ensemble_threads(options.engine)),
                                               worlds / lanes + (worlds % lanes != 0 ? 1 : 0));
  require_memory(
      static_cast<double>(threads) * SurveyBatch::bytes(*entry.kernel, lanes_of(entry), spec.size),
      fmt::format("{} worlds of {} x {} cells", threads * lanes, spec.size.width, spec.size.height));
  return {entry, threads};
}

}  // namespace

void check_survey(const EnsembleSpec& spec, const SurveyOptions& options) {
  plan_survey(spec, options);
  if (gpu_of(options.engine)) check_gpu_survey(spec, options);
}

SurveyTotals survey(const EnsembleSpec& spec, const SurveyOptions& options, const ReceiveRecords& receive,
                    const SurveyProgress& progress) {
  check_survey(spec, options);
  OrderedRecords records(options.first, spec.size.area(), receive, progress);
  if (gpu_of(options.engine)) {
    survey_on_gpu(spec, options, records);
    return records.totals();
  }
  const SurveyPlan plan = plan_survey(spec, options);
  WorldQueue queue(spec, options.first);
  for_each_part(static_cast<int>(plan.threads), plan.threads, [&](std::size_t) {
    try {
      survey_groups(spec, options, plan.entry, queue, records);
    } catch (...) {
      queue.close();
      records.stop();
      throw;
    }
  });
  return records.totals();
}

}  // namespace moorea
