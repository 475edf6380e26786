// SPDX-License-Identifier: MIT
// The study of kernels that skip inactive tiles, against their eager counterparts.
#include <algorithm>
#include <utility>

#include "lab/studies.h"
#include "lab/study_findings.h"

namespace app {
namespace {

// Kernels that compute all cells, and those that skip inactive tiles
constexpr std::pair<const char*, const char*> pairs[] = {{"cpu/ladder/03_vectorised", "cpu/ladder/09_lazy"},
                                                         {"cpu/ladder/04_avx2", "cpu/ladder/09_lazy_avx2"},
                                                         {"cpu/bits", "cpu/ladder/14_bits_lazy"},
                                                         {"opencl/bits", "opencl/bits_lazy"},
                                                         {"cuda/strided", "cuda/strided_lazy"}};

// Compares a pair from one starting world in the largest size.
void compare_pair(Report& report, const Results& results, const std::string& start,
                  const std::pair<const char*, const char*>& pair) {
  const Json& largest = results.measurements.back().row["width"];
  const auto measured = [&](const char* name) {
    return fastest(where(results, [&](const Measurement& each) {
      return kernel_of(each) == name && each.row["start"] == start && each.row["width"] == largest;
    }));
  };
  const Measurement *eager = measured(pair.first), *lazy = measured(pair.second);
  if (eager == nullptr || lazy == nullptr) return;
  report.find(start + ": " + comparison_text({pair.second, *lazy}, {pair.first, *eager}));
}

}  // namespace

void study_lazy(Report& report) {
  Selection selection;
  for (const auto& [eager, lazy] : pairs) {
    const std::vector<std::string> both = runnable({eager, lazy});
    if (both.size() == 2) selection.kernels.insert(selection.kernels.end(), both.begin(), both.end());
  }
  selection.sizes = {report.quick() ? "1024" : "1024:8192:x2"};
  selection.starts = {"spaceships:512", "r-pentominoes:512", "random:0.5:0"};
  const Results results = report.measure(selection);
  for (const auto& pair : pairs) {
    for (const std::string& start : selection.starts) compare_pair(report, results, start, pair);
  }
  for (const std::string& start : selection.starts) {
    Results part = results;
    std::erase_if(part.measurements, [&](const Measurement& each) { return each.row["start"] != start; });
    report.add_charts(
        "From " + start, part,
        {report.quick() ? ChartKind::bars : ChartKind::line, report.quick() ? "" : "size", "", "", ""});
  }
}

}  // namespace app
