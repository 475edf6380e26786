// SPDX-License-Identifier: MIT
// The study of the clock frequency: the same step with narrow and wide vectors on all threads, while the
// frequency of each core is sampled.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "lab/studies.h"
#include "lab/study_findings.h"
#include "moorea/inventory.h"
#include "report/chart_axes.h"
#include "report/frequency.h"
#include "report/page.h"

namespace app {
namespace {

constexpr const char* balanced = "cpu/ladder/08_balanced_x86";
constexpr double quick_seconds = 0.15, full_seconds = 3;  // of each variant

// A variant in the words of the report; its samples are empty if the machine reports no frequency.
struct Variant {
  NamedFrequency frequency;
  const Measurement& measurement;

  std::optional<FrequencyStatistics> statistics() const { return statistics_of(frequency.record); }
};

std::string variant_name(const Measurement& measurement) {
  const Json share = value_at(measurement.row, "wide_share");
  return share.is_null() ? kernel_of(measurement)
                         : fmt::format("{}, {} of the threads wide", kernel_of(measurement), share.dump());
}

std::vector<Variant> variants_of(const Results& results) {
  std::vector<Variant> variants;
  for (const Measurement& each : results.measurements) {
    const Json frequency = value_at(each.row, "frequency");
    variants.push_back(
        {{variant_name(each), frequency.is_object() ? read_frequency(frequency) : FrequencyRecord()}, each});
  }
  return variants;
}

// A sentence about a variant relative to the first, which has the narrowest vectors.
std::string variant_text(const Variant& variant, const Variant& first) {
  const FrequencyStatistics own = *variant.statistics();
  std::string text = fmt::format("{}: {:.0f} MHz on average, {:.0f} to {:.0f}", variant.frequency.name,
                                 own.mean, own.min, own.max);
  if (&variant == &first || !first.statistics()) return text + ".";
  text += fmt::format("; {:.1f} % of the frequency of {}", 100 * own.mean / first.statistics()->mean,
                      first.frequency.name);
  if (!is_quiet(variant.measurement) || !is_quiet(first.measurement)) return text + ".";
  return text + fmt::format(" and {} as many cells per second.",
                            times(rate(variant.measurement) / rate(first.measurement)));
}

// The same without clocks.
std::string speed_text(const Variant& variant, const Variant& first) {
  if (!is_quiet(variant.measurement) || !is_quiet(first.measurement))
    return fmt::format("{} was {}.", variant.frequency.name, not_quiet);
  return fmt::format("{}: {} as many cells per second as {}.", variant.frequency.name,
                     times(rate(variant.measurement) / rate(first.measurement)), first.frequency.name);
}

// The time that sampling took from the kernels, as a share of one CPU.
std::string cost_text(const std::vector<Variant>& variants) {
  double seconds = 0, sampler = 0;
  for (const Variant& each : variants) {
    seconds += each.frequency.record.seconds;
    sampler += each.frequency.record.sampler_seconds;
  }
  return fmt::format("The sampling thread used {:.2f} % of one CPU.",
                     seconds > 0 ? 100 * sampler / seconds : 0);
}

void find_frequencies(Report& report, const std::vector<Variant>& variants, bool are_clocks) {
  const Variant& first = variants.front();
  for (const Variant& each : variants) {
    if (!each.statistics() || (!are_clocks && &each == &first)) continue;
    report.find(are_clocks ? variant_text(each, first) : speed_text(each, first));
  }
  report.find(cost_text(variants));
}

// Why the frequencies are not those of the clock, or are missing; empty if they were sampled.
std::string limitation(const Report& report) {
  const std::string state = report.documents().back().value("core_frequency", "absent");
  const std::string reasons = state.substr(std::min(state.find(": "), state.size() - 2) + 2);
  if (state.starts_with("nominal"))
    return fmt::format(
        "This machine reports the nominal frequency of its cores only, a constant: a lower clock would not "
        "be "
        "seen. Sources: {}.",
        reasons);
  if (state.starts_with("absent"))
    return fmt::format(
        "This machine does not report the clock frequency of its cores, so speed and clock cannot be "
        "separated. Sources that were tried: {}.",
        reasons);
  return "";
}

void add_table(Report& report, const std::vector<Variant>& variants) {
  std::vector<NamedFrequency> records;
  for (const Variant& each : variants) records.push_back(each.frequency);
  report.add_html(
      "Clock frequency of each variant",
      html_table(frequency_table(records)) +
          "<p class=\"soft\">Samples of all cores, in MHz; \"mean of min\" and \"mean of max\" are "
          "the means of the cores' minima and maxima.</p>\n");
}

// Kernels of one vector width, and the mixture of two with few and with half of the threads wide.
std::vector<Selection> selections(bool quick) {
  Selection pure;
  pure.kernels = runnable({"cpu/ladder/03_vectorised", "cpu/ladder/04_avx2", "cpu/ladder/06_avx512"});
  pure.sizes = {quick ? "1024" : "4096"};
  Selection mixed = pure;
  mixed.kernels = runnable({balanced});
  if (mixed.kernels.empty()) return {pure};
  mixed.axes.wide_shares = {"0.5"};
  const int threads = moorea::list_devices().front().threads;
  if (threads >= 4)
    mixed.axes.wide_shares.insert(mixed.axes.wide_shares.begin(), threads >= 8 ? "0.125" : "0.25");
  return {pure, mixed};
}

}  // namespace

void study_frequency(Report& report) {
  const Results results =
      report.measure(selections(report.quick()), report.quick() ? quick_seconds : full_seconds);
  const std::vector<Variant> variants = variants_of(results);
  const std::string limited = limitation(report);
  if (!limited.empty()) report.find(limited);
  find_absent(report, {"cpu/ladder/04_avx2", "cpu/ladder/06_avx512", balanced});
  const bool any = std::any_of(variants.begin(), variants.end(),
                               [](const Variant& each) { return each.statistics().has_value(); });
  if (any) {
    find_frequencies(report, variants, limited.empty());
    add_table(report, variants);
    report.add_charts("Clock frequency by core and time, each variant on all threads", results,
                      {ChartKind::maps, "", frequency_value, "", ""});
  }
  report.add_charts("Speed of the same measurements", results, {ChartKind::bars, "", "", "", ""});
}

}  // namespace app
