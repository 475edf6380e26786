// SPDX-License-Identifier: MIT
// Clock frequencies sampled while a configuration was measured, as a results file has them, and their
// statistics.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/app.h"
#include "moorea/lab/frequency.h"

namespace app {

/// Frequencies of all rounds of a configuration. Rounds follow each other without a gap.
struct FrequencyRecord {
  std::string source;  ///< as moorea::FrequencyMeter::source()
  double interval_seconds = 0;
  std::vector<std::size_t> round_ticks;       ///< samples of each CPU, by round
  std::map<int, std::vector<int>> megahertz;  ///< by CPU; 0: no sample
  double seconds = 0;                         ///< of all rounds
  double sampler_seconds = 0;                 ///< CPU time of the sampling thread

  bool empty() const { return megahertz.empty(); }
  std::size_t ticks() const { return megahertz.empty() ? 0 : megahertz.begin()->second.size(); }

  /// Adds a round. Rounds of another source, interval or set of CPUs are discarded.
  void add(const std::string& from, const moorea::FrequencySamples& round);

  /// Median of the samples of each CPU that has any.
  std::map<int, double> medians() const;
};

/// Statistics in megahertz.
struct FrequencyStatistics {
  double mean = 0, min = 0, max = 0;  ///< of all samples
  double mean_of_min = 0;             ///< mean of the CPUs' minima
  double mean_of_max = 0;             ///< mean of the CPUs' maxima
  double standard_deviation = 0;      ///< of all samples
  std::size_t samples = 0;
};

/// Empty if there is no sample.
std::optional<FrequencyStatistics> statistics_of(const FrequencyRecord& record);

/// The key `frequency` of a row: the samples of a CPU are a text of megahertz, "2900*12 3100 -" with
/// repetitions and "-" for a missing sample. Null for an empty record.
Json frequency_json(const FrequencyRecord& record);

/// The inverse of frequency_json(). Throws Json::exception or moorea::Error (run) for anything else.
FrequencyRecord read_frequency(const Json& json);

/// Statistics of the records as a table with heads, a line for each name, in megahertz.
struct NamedFrequency {
  std::string name;
  FrequencyRecord record;
};
std::vector<std::vector<std::string>> frequency_table(const std::vector<NamedFrequency>& records);

}  // namespace app
