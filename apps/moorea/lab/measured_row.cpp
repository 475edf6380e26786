// SPDX-License-Identifier: MIT
#include "lab/measured_row.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "moorea/lab/ceilings.h"
#include "report/statistics.h"

namespace app {
namespace {

// As in --shares.
std::string shares_text(const std::vector<double>& shares) {
  std::string text;
  for (const double share : shares) text += fmt::format("{}{}", text.empty() ? "" : "+", share);
  return text;
}

void add_configuration(ResultRow& row, const Configuration& configuration) {
  const Start& start = configuration.start;
  row.kernel = configuration.kernel.name;
  row.rule = start.rule.str();
  row.topology = moorea::to_string(start.topology);
  row.width = start.size.width;
  row.height = start.size.height;
  row.start = start.world;
  if (start.mesh != nullptr) {
    row.mesh = start.mesh->name();
    row.adjacency = to_string(start.adjacency);
  }
  row.after = start.after;
  row.generations_per_pass = configuration.options.generations_a_pass;
  row.shares.reset();
  if (const std::vector<double>& shares = configuration.options.shares; !shares.empty())
    row.shares = shares_text(shares);
  row.fixed_generations = configuration.sample_generations;
}

void add_speed(ResultRow& row, const Configuration& configuration, const moorea::Ceilings& limit) {
  const moorea::KernelInfo& kernel = configuration.kernel;
  const Summary summary = summarise(row.sample_seconds);
  row.samples = row.sample_seconds.size();
  row.median_seconds = summary.median;
  row.spread = summary.spread;
  row.noise = summary.noise;
  row.generations_per_second = static_cast<double>(row.generations) / summary.median;
  row.cells_per_second = configuration.start.size.area() * row.generations_per_second;
  row.layout = kernel.layout;
  if (kernel.operations_per_word > 0) row.operations_per_word = kernel.operations_per_word;
  if (kernel.skips) return;  // skipped tiles are neither moved nor computed
  const double bytes_per_cell = row.bytes_per_cell.value_or(kernel.bits_moved_per_cell / 8);
  const double bytes_per_second =
      row.cells_per_second * bytes_per_cell / configuration.generations_per_pass();
  row.bytes_per_second = bytes_per_second;
  row.part_of_copy_bandwidth = bytes_per_second / limit.copy_bytes_per_second;
  if (kernel.operations_per_word > 0 && limit.logic_words_per_second > 0)
    row.part_of_logic_throughput =
        row.cells_per_second / 64 * kernel.operations_per_word / limit.logic_words_per_second;
}

void add_disturbance(ResultRow& row, const Samples& samples) {
  row.watched_seconds = samples.watched_seconds;
  row.cpu_taken.reset(), row.cpu_stolen.reset();
  if (samples.watched_seconds > 0) row.cpu_taken = samples.taken_seconds / samples.watched_seconds;
  if (samples.stolen_seconds > 0) row.cpu_stolen = samples.stolen_seconds / samples.watched_seconds;
}

void add_meters(ResultRow& row, const Samples& samples) {
  if (samples.joule_seconds > 0) {
    row.joules_per_billion_updates = samples.joules / samples.joule_seconds / row.cells_per_second * 1e9;
    row.energy = {{"joules", samples.joules}, {"seconds", samples.joule_seconds}};
  }
  row.core_megahertz = Json();
  for (const auto& [core, megahertz] : samples.frequency.medians())
    row.core_megahertz[std::to_string(core)] = megahertz;
  row.frequency = frequency_json(samples.frequency);
}

}  // namespace

ResultRow MeasuredRow::result(const moorea::Ceilings& limit) const {
  const KeptSamples kept = keep(samples.times, std::min(min_samples, samples.times.size()));
  ResultRow row = facts;
  add_configuration(row, configuration);
  row.generations = samples.generations;
  row.died_after.reset();
  row.relative_to.reset(), row.times_reference.reset();
  if (samples.dies_after == samples.generations) row.died_after = samples.dies_after;
  row.rounds = samples.rounds;
  row.sample_seconds = kept.seconds;
  row.round_median_seconds = samples.round_medians;
  add_speed(row, configuration, limit);
  row.parts = samples.parts;
  if (samples.skipped_tiles) row.skipped_tiles = samples.skipped_tiles;
  row.busy = kept.busy;
  row.discarded_samples = samples.discarded_before + kept.discarded;
  add_disturbance(row, samples);
  add_meters(row, samples);
  row.asked = asked;
  return row;
}

void MeasuredRow::adopt(const ResultRow& row) {
  checked = true;
  facts = row;
  samples = {};
  samples.rounds = row.rounds;
  samples.generations = row.generations;
  samples.dies_after = row.died_after;
  for (const double seconds : row.sample_seconds) samples.times.push_back({seconds, 0});
  samples.round_medians = row.round_median_seconds;
  samples.discarded_before = row.discarded_samples;
  samples.watched_seconds = row.watched_seconds;
  samples.taken_seconds = row.cpu_taken.value_or(0) * row.watched_seconds;
  samples.stolen_seconds = row.cpu_stolen.value_or(0) * row.watched_seconds;
  if (!row.energy.is_null()) {
    samples.joules = row.energy.at("joules").get<double>();
    samples.joule_seconds = row.energy.at("seconds").get<double>();
  }
  samples.parts = row.parts;
  if (!row.frequency.is_null()) samples.frequency = read_frequency(row.frequency);
}

}  // namespace app
