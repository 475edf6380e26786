// SPDX-License-Identifier: MIT
// The study of the ladder: all kernels that run here, rung by rung.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "lab/lessons.h"
#include "lab/studies.h"
#include "lab/study_findings.h"
#include "moorea/inventory.h"

namespace app {
namespace {

// Number of a rung: that of its file, or of a default kernel that continues a ladder, as in docs/ladder.md; 0
// for other kernels.
int rung_of(const std::string& kernel) {
  static const std::map<std::string, int> production = {{"cpu/bits", 10},
                                                        {"cpu/bits_avx2", 11},
                                                        {"cpu/bits_avx512", 12},
                                                        {"cpu/strided", 15},
                                                        {"cpu/strided_avx2", 15},
                                                        {"cpu/strided_avx512", 15},
                                                        {"cpu/tiles", 16},
                                                        {"cpu/tiles_avx2", 16},
                                                        {"cpu/tiles_avx512", 16},
                                                        {"cuda/strided", 16},
                                                        {"cuda/chip", 17},
                                                        {"cuda/strided_lazy", 18},
                                                        {"opencl/bits", 7},
                                                        {"opencl/bits_vector", 8},
                                                        {"opencl/bits_lazy", 9},
                                                        {"opencl/strided", 10},
                                                        {"opencl/strided_vector", 11}};
  if (const std::size_t at = kernel.find("/ladder/"); at != std::string::npos)
    return std::atoi(kernel.c_str() + at + 8);
  const auto found = production.find(kernel);
  return found == production.end() ? 0 : found->second;
}

// The sequential kernel, with which everything can be compared.
const Reference sequential{"cpu/ladder/01_serial", 1};

// Place of a kernel in the report: its device, its rung, its name.
auto place_of(const Measurement& each) {
  const std::string kernel = kernel_of(each);
  return std::tuple(words(each.row["device"]), rung_of(kernel), kernel);
}

// "_avx512" of a kernel whose name ends so.
std::string vectors_of(const std::string& kernel) {
  for (const std::string ending : {"_avx2", "_avx512"}) {
    if (kernel.ends_with(ending)) return ending;
  }
  return "";
}

struct Rung {
  const Measurement* measurement;
  const Measurement* below;  // of the rung before, the variant with equal vectors, else the fastest; or null

  double gain() const { return rate(*measurement) / rate(*below); }
  bool is_comparable() const { return below != nullptr && is_quiet(*measurement) && is_quiet(*below); }
};

const Measurement* rung_below(const Measurements& list, const Measurement& each) {
  const auto [device, number, kernel] = place_of(each);
  int before = 0;
  for (const Measurement* other : list) {
    const auto [its_device, its_number, name] = place_of(*other);
    if (its_device == device && its_number < number) before = std::max(before, its_number);
  }
  if (before == 0) return nullptr;
  Measurements below;
  for (const Measurement* other : list) {
    const auto [its_device, its_number, name] = place_of(*other);
    if (its_device == device && its_number == before) below.push_back(other);
  }
  const Json threads = each.row["threads"];
  const bool any_equal = std::any_of(below.begin(), below.end(),
                                     [&](const auto* other) { return other->row["threads"] == threads; });
  if (any_equal) std::erase_if(below, [&](const auto* other) { return other->row["threads"] != threads; });
  const auto alike = std::find_if(below.begin(), below.end(), [&, k = kernel](const auto* other) {
    return vectors_of(kernel_of(*other)) == vectors_of(k);
  });
  return alike != below.end() ? *alike : fastest(below);
}

std::vector<Rung> climbed(const Results& results) {
  Measurements list = where(results, [](const Measurement&) { return true; });
  std::stable_sort(list.begin(), list.end(),
                   [](const auto* a, const auto* b) { return place_of(*a) < place_of(*b); });
  std::vector<Rung> rungs;
  for (const Measurement* each : list) rungs.push_back({each, rung_below(list, *each)});
  return rungs;
}

// The gain over the rung below, and the kernel's summary.
std::string note_of(const Rung& rung, const std::vector<moorea::KernelInfo>& kernels) {
  const std::string kernel = kernel_of(*rung.measurement);
  const auto info = std::find_if(kernels.begin(), kernels.end(),
                                 [&](const moorea::KernelInfo& each) { return each.name == kernel; });
  std::string note = info != kernels.end() ? info->summary : "";
  if (note.starts_with("ladder: ")) note = note.substr(8);
  return rung.is_comparable()
             ? fmt::format("{} {}: {}", times(rung.gain()), short_name(kernel_of(*rung.below)), note)
             : note;
}

Chart ladder_chart(const Results& results, const std::vector<Rung>& rungs, const std::string& value) {
  Chart chart = make_charts(results, {ChartKind::bars, "", value, "", "The ladder, rung by rung"}).front();
  const std::vector<ChartPoint> points = chart.series.front().points;
  const std::vector<moorea::KernelInfo> kernels = moorea::list_kernels();
  chart.series.front().points.clear();
  chart.y.names.clear();
  for (const Rung& rung : rungs) {
    const std::string kernel = kernel_of(*rung.measurement);
    ChartPoint point = points[rung.measurement - results.measurements.data()];
    const int number = rung_of(kernel);
    const std::string name = short_name(kernel);
    point.label = number > 0 && kernel.find("/ladder/") == std::string::npos
                      ? fmt::format("{:02}_{}", number, name)
                      : name;
    // The kernel is measured with all threads too
    if (sequential.matches(rung.measurement->row)) point.label += ", 1 thread";
    point.group = words(rung.measurement->row["device"]);
    point.note = note_of(rung, kernels);
    point.x = static_cast<double>(chart.y.names.size());
    chart.y.names.push_back(point.label);
    chart.series.front().points.push_back(point);
  }
  return chart;
}

void find_fastest_kernel(Report& report, const Results& results, const Json& device) {
  const Measurements all =
      where(results, [&](const Measurement& each) { return each.row["device"] == device; });
  Measurements here = all;
  std::erase_if(here, [](const Measurement* each) { return !is_quiet(*each); });
  if (here.empty()) {
    report.find(fmt::format("All kernels on {} were {}.", words(device), not_quiet));
    return;
  }
  const std::size_t others = all.size() - here.size();
  // The speed of a kernel that skips tiles is a property of the world
  std::erase_if(here, [](const Measurement* each) { return is_mostly_skipped(each->row); });
  if (here.empty()) return;
  const Measurement *best = fastest(here), *worst = slowest(here);
  report.find(fmt::format(
      "On {} the fastest of {} kernels that compute all cells is {}: {} cells per second, {} as many as the "
      "slowest, {}.{}",
      words(device), here.size(), kernel_of(*best), short_number(rate(*best)),
      times(rate(*best) / rate(*worst)), kernel_of(*worst),
      others == 0 ? "" : fmt::format(" {} more {} {}.", others, others == 1 ? "was" : "were", not_quiet)));
}

void find_greatest_step(Report& report, const std::vector<Rung>& rungs) {
  const Rung* greatest = nullptr;
  std::size_t busy = 0;
  for (const Rung& rung : rungs) {
    // The speed of a kernel that skips tiles is a property of the world
    if (rung.below == nullptr || is_mostly_skipped(rung.measurement->row)) continue;
    if (words(rung.measurement->row["device"]) != "cpu") continue;
    if (!rung.is_comparable()) {
      ++busy;
      continue;
    }
    if (greatest == nullptr || rung.gain() > greatest->gain()) greatest = &rung;
  }
  if (greatest != nullptr)
    report.find(fmt::format("The greatest step between two rungs of the CPU's ladder is from {} to {}: {}.{}",
                            kernel_of(*greatest->below), kernel_of(*greatest->measurement),
                            times(greatest->gain()),
                            busy == 0 ? "" : fmt::format(" Of {} steps a rung was {}.", busy, not_quiet)));
}

// Compares the fastest kernel with the sequential one.
void find_whole_gain(Report& report, const Results& results) {
  const Measurement* const first =
      fastest(where(results, [](const Measurement& each) { return sequential.matches(each.row); }));
  const Measurement* const best = fastest(
      where(results, [](const Measurement& each) { return is_quiet(each) && !is_mostly_skipped(each.row); }));
  if (first == nullptr || best == nullptr) return;
  if (!is_quiet(*first))
    return report.find(fmt::format("{} on one thread was {}.", sequential.kernel, not_quiet));
  report.find(fmt::format("On all devices the fastest kernel is {}, on {}: {} as fast as {} on one thread.",
                          kernel_of(*best), words(best->row["device"]), times(rate(*best) / rate(*first)),
                          sequential.kernel));
}

}  // namespace

void study_ladder(Report& report) {
  Selection selection;
  selection.sizes = {report.quick() ? "512" : "4096"};
  selection.also = {sequential};
  selection.relative_to = sequential;
  const Results results = report.measure(selection);
  for (const Json& device : values_of(results, "device")) find_fastest_kernel(report, results, device);
  const std::vector<Rung> rungs = climbed(results);
  find_greatest_step(report, rungs);
  find_whole_gain(report, results);
  find_absent_rungs(report);
  report.add_chart("The ladder, rung by rung", ladder_chart(results, rungs, report.chart_value()));
  std::string taught, last;
  for (const Rung& rung : rungs) {
    const std::string kernel = kernel_of(*rung.measurement);
    if (kernel != last) taught += lesson_html(kernel);
    last = kernel;
  }
  if (!taught.empty()) report.add_html("What each rung teaches", taught);
  report.add_charts("Against what memory and logic allow", results, {ChartKind::roofline, "", "", "", ""});
}

}  // namespace app
