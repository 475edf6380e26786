// SPDX-License-Identifier: MIT
#include "lab/sweep.h"

#include <algorithm>
#include <set>
#include <utility>

#include "lab/crash_trial.h"
#include "lab/run_facts.h"

namespace app {

using moorea::Simulation;

Sweep::Sweep(std::vector<Configuration> configurations, SweepOptions options)
    : options_(std::move(options)),
      limits_(devices_),
      checker_(worlds_),
      sampler_(devices_, worlds_, options_.sampling),
      store_(options_.output, options_.notes),
      progress_(options_.sampling.rounds) {
  std::set<std::string> seen;
  for (Configuration& configuration : configurations) {
    MeasuredRow row;
    row.asked = asked(configuration);
    if (!seen.insert(row.asked.dump()).second) continue;
    row.configuration = std::move(configuration);
    row.samples.generations =
        row.configuration.sample_generations.value_or(first_generations(row.configuration));
    checker_.announce(row.configuration);
    rows_.push_back(std::move(row));
  }
  if (options_.resume) resume();
  write();  // an output that cannot be written is an error before the first measurement
}

void Sweep::run() {
  plan();
  for (int round = 0; round < options_.sampling.rounds && !was_interrupted(); ++round) run_round(round);
  progress_.clear();
  for (const MeasuredRow& row : rows_) {
    if (row.samples.rounds > 0 && row.samples.rounds < options_.sampling.rounds)
      finish(row);  // after an interruption
  }
  write();
}

// Refuses configurations with a known problem, reports those that a resumed file contains, and counts the
// others.
void Sweep::plan() {
  for (MeasuredRow& row : rows_) {
    if (!row.configuration.problem.empty()) {
      refuse(row, row.configuration.problem_kind, row.configuration.problem);
    } else if (row.samples.rounds >= options_.sampling.rounds) {
      finish(row);
    } else {
      progress_.plan(static_cast<std::size_t>(options_.sampling.rounds - row.samples.rounds));
    }
  }
}

void Sweep::run_round(int round) {
  for (MeasuredRow& row : rows_) {
    if (row.refused || row.samples.rounds > round) continue;
    progress_.show(row.configuration, round);
    measure(row);
    progress_.add_done();
    if (row.refused) progress_.drop(static_cast<std::size_t>(options_.sampling.rounds - 1 - round));
    if (was_interrupted()) return;
    if (row.samples.rounds == options_.sampling.rounds) finish(row);
    if (!options_.output.empty()) write();
  }
}

void Sweep::measure(MeasuredRow& row) {
  const Configuration& configuration = row.configuration;
  try {
    if (!row.checked && may_crash(configuration, devices_))
      try_apart(configuration, options_.sampling.budget);
    if (was_interrupted()) return;
    Simulation simulation(configuration.start.spec(), *worlds_.at(configuration.start),
                          configuration.options);
    if (!row.checked && !check(row, simulation)) return;
    const std::string device = simulation.device();
    if (const auto meters = sampler_.sample(configuration, simulation, row.samples))
      store_.set_meters(device, meters->core_frequency, meters->energy);
    checker_.confirm(configuration, simulation);
  } catch (const WrongAnswer& error) {
    wrong_ = true;
    row.samples = Samples();  // times of wrong answers are none
    skip(row, error.what(), true);
  } catch (const moorea::Error& error) {
    failed_ = failed_ || moorea::is_run_error(error.kind());
    refuse(row, error.kind(), error.what());
  }
}

// Returns whether the row can be timed; not after an interruption.
bool Sweep::check(MeasuredRow& row, Simulation& simulation) {
  const std::string reference = checker_.check(row.configuration, simulation);
  if (was_interrupted()) return false;
  row.facts = run_facts(simulation);
  row.facts.checked_with = reference;
  row.checked = true;
  return !was_interrupted();
}

void Sweep::refuse(MeasuredRow& row, moorea::ErrorKind kind, const std::string& reason) {
  if (!first_refusal_) first_refusal_ = kind;
  skip(row, reason, moorea::is_run_error(kind));
}

void Sweep::skip(MeasuredRow& row, const std::string& reason, bool is_error) {
  row.refused = true;
  progress_.clear();
  Json entry = row.asked;
  entry["reason"] = reason;
  store_.add_not_timed(entry);
  if (on_skipped) on_skipped(entry, is_error);
}

void Sweep::finish(const MeasuredRow& row) {
  progress_.clear();
  if (!on_measured) return;
  Json json = result_json(row);
  relate(json, references());
  on_measured(json);
}

Json Sweep::result_json(const MeasuredRow& row) {
  return row_json(row.result(limits_.of(row.facts.device, row.facts.threads)));
}

// Rows that speeds are related to, as measured so far.
std::vector<Json> Sweep::references() {
  std::vector<Json> rows;
  if (!options_.relative_to) return rows;
  for (const MeasuredRow& row : rows_) {
    if (row.configuration.kernel.name == options_.relative_to->kernel && row.samples.rounds > 0)
      rows.push_back(result_json(row));
  }
  return rows;
}

void Sweep::relate(Json& row, const std::vector<Json>& references) const {
  std::vector<const Json*> list;
  for (const Json& reference : references) list.push_back(&reference);
  if (options_.relative_to) app::relate(row, *options_.relative_to, list);
}

void Sweep::write() {
  std::vector<Json> rows;
  const std::vector<Json> related_to = references();
  for (const MeasuredRow& row : rows_) {
    if (row.samples.rounds == 0) continue;
    rows.push_back(result_json(row));
    relate(rows.back(), related_to);
  }
  store_.write(rows, limits_.json());
}

// Adopts the rows that the output contains; rows of other configurations stay as they are.
void Sweep::resume() {
  store_.resume([this](const Json& before) {
    limits_.adopt(before.at("ceilings"));
    for (const Json& kept : before.at("results")) {
      const auto row = std::find_if(rows_.begin(), rows_.end(),
                                    [&](const MeasuredRow& each) { return each.asked == kept.at("asked"); });
      if (row == rows_.end()) {
        store_.keep(kept);
      } else if (!kept.value("busy", false)) {
        row->adopt(read_row(kept));  // a busy row is measured again
      }
    }
  });
}

}  // namespace app
