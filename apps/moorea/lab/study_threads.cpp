// SPDX-License-Identifier: MIT
// The study of threads.
#include <fmt/core.h>

#include "lab/studies.h"
#include "lab/study_findings.h"
#include "moorea/error.h"
#include "moorea/inventory.h"

namespace app {
namespace {

// All numbers of threads up to 8, else powers of two and the maximum.
std::vector<std::string> thread_counts() {
  const int maximum = moorea::list_devices().front().threads;
  std::vector<std::string> counts;
  for (int threads = 1; threads < maximum; threads = maximum <= 8 ? threads + 1 : threads * 2)
    counts.push_back(std::to_string(threads));
  counts.push_back(std::to_string(maximum));
  return counts;
}

std::string scaling_text(const std::string& kernel, const Json& size, const Measurements& rows) {
  if (!is_quiet(*rows.front()) || !is_quiet(*rows.back()))
    return fmt::format("{} at {} square: {}.", kernel, size.dump(), not_quiet);
  const double n = rows.back()->row["threads"].get<double>(), gain = rate(*rows.back()) / rate(*rows.front());
  std::string sentence =
      fmt::format("{} at {} square: {} threads are {} as fast as one, an efficiency of {:.0f} %", kernel,
                  size.dump(), n, times(gain), 100 * gain / n);
  // Amdahl's law solved for the serial part, if nothing else limits the gain
  if (gain > 1 && gain < n)
    sentence += fmt::format("; by Amdahl's law as if {:.1f} % of the work were done by one thread",
                            100 * (n / gain - 1) / (n - 1));
  return sentence + ".";
}

}  // namespace

void study_threads(Report& report) {
  Selection selection;
  selection.kernels = runnable({"cpu/ladder/03_vectorised", "cpu/bits"});
  selection.kernels.push_back(runnable({"cpu/strided_avx512", "cpu/strided_avx2", "cpu/strided"}).front());
  selection.sizes =
      report.quick() ? std::vector<std::string>{"2048"} : std::vector<std::string>{"4096", "16384"};
  selection.threads = thread_counts();
  if (selection.threads.size() < 2)
    throw moorea::Error("this machine offers one thread", moorea::ErrorKind::unavailable);
  const Results results = report.measure(selection);
  for (const std::string& kernel : selection.kernels) {
    for (const Json& size : values_of(results, "width")) {
      const Measurements rows = where(results, [&](const Measurement& each) {
        return kernel_of(each) == kernel && each.row["width"] == size;
      });
      if (rows.size() >= 2) report.find(scaling_text(kernel, size, rows));
    }
  }
  report.add_charts("Speed-up by threads", results, {ChartKind::speedup, "threads", "", "", ""});
  report.add_charts("Cells per second by threads", results, {ChartKind::line, "threads", "", "", ""});
}

}  // namespace app
