// SPDX-License-Identifier: MIT
#include "lab/study_findings.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "cli/numbers.h"
#include "lab/report.h"
#include "moorea/inventory.h"
#include "report/statistics.h"

namespace app {
namespace {

constexpr double min_difference = 0.02;  // of two medians, as a fraction

bool is_slower(const Measurement* a, const Measurement* b) { return rate(*a) < rate(*b); }

}  // namespace

double rate(const Measurement& measurement) { return measurement.row["cells_per_second"].get<double>(); }

std::string kernel_of(const Measurement& measurement) { return measurement.row["kernel"].get<std::string>(); }

std::string short_name(const std::string& kernel) { return kernel.substr(kernel.rfind('/') + 1); }

std::vector<std::string> runnable(std::initializer_list<const char*> names) {
  const std::vector<moorea::KernelInfo> all = moorea::list_kernels();
  std::vector<std::string> found;
  for (const std::string name : names) {
    if (std::any_of(all.begin(), all.end(),
                    [&](const auto& kernel) { return kernel.name == name && kernel.runs; }))
      found.push_back(name);
  }
  return found;
}

void find_absent_rungs(Report& report) {
  std::vector<std::string> rungs;
  for (const moorea::KernelInfo& kernel : moorea::list_kernels())
    if (kernel.name.starts_with("cpu/ladder/")) rungs.push_back(kernel.name);
  find_absent(report, rungs);
}

void find_absent(Report& report, const std::vector<std::string>& names) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const moorea::KernelInfo& kernel : moorea::list_kernels()) {
    if (!kernel.runs && std::ranges::find(names, kernel.name) != names.end())
      by_reason[kernel.reason].push_back(kernel.name);
  }
  for (const auto& [reason, kernels] : by_reason)
    report.find(fmt::format("Not possible here: {}; {}.", joined(kernels, ", "), reason));
}

Measurements where(const Results& results, const std::function<bool(const Measurement&)>& holds) {
  Measurements list;
  for (const Measurement& measurement : results.measurements) {
    if (holds(measurement)) list.push_back(&measurement);
  }
  return list;
}

Measurements of_kernel(const Results& results, const std::string& kernel) {
  return where(results, [&](const Measurement& each) { return kernel_of(each) == kernel; });
}

const Measurement* fastest(const Measurements& list) {
  const auto found = std::max_element(list.begin(), list.end(), is_slower);
  return found == list.end() ? nullptr : *found;
}

const Measurement* slowest(const Measurements& list) {
  const auto found = std::min_element(list.begin(), list.end(), is_slower);
  return found == list.end() ? nullptr : *found;
}

std::vector<Json> values_of(const Results& results, const char* key) {
  std::vector<Json> values;
  for (const Measurement& measurement : results.measurements) {
    const Json value = measurement.row.value(key, Json());
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

std::string times(double factor) { return human_number(factor) + " times"; }

std::string medians_apart(double speed) {
  if (speed > 0.5 && speed < 2) return fmt::format("medians {:+.1f} %", 100 * (speed - 1));
  return fmt::format("medians {} times apart", human_number(speed < 1 ? 1 / speed : speed));
}

bool is_quiet(const Measurement& measurement) { return !is_busy(measurement.row); }

std::string comparison_text(const Contender& a, const Contender& b) {
  if (!is_quiet(a.measurement) || !is_quiet(b.measurement))
    return fmt::format(
        "{} and {}: measured while other processes used the CPUs, so they cannot be compared reliably.",
        a.name, b.name);
  const Comparison found = compare(b.measurement.seconds, a.measurement.seconds, min_difference);
  switch (found.verdict) {
    case Verdict::better:
    case Verdict::worse:
      return fmt::format("{} is {} as fast as {}.", a.name, times(found.speed), b.name);
    case Verdict::unclear:
      return fmt::format(
          "{} and {}: the samples are too few or too different to decide which is faster ({}).", a.name,
          b.name, medians_apart(found.speed));
    case Verdict::no_difference:
      break;
  }
  return fmt::format("{} and {} are not distinguished by their samples ({}).", a.name, b.name,
                     medians_apart(found.speed));
}

}  // namespace app
