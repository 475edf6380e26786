// SPDX-License-Identifier: MIT
// The study of kernels that skip inactive tiles on GPUs, by starting pattern and size, also against a CPU's.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "lab/studies.h"
#include "lab/study_findings.h"
#include "moorea/error.h"

namespace app {
namespace {

// Kernels that compute all cells, and those that skip inactive tiles.
struct Pair {
  const char *eager, *lazy;
};
constexpr Pair gpu_pairs[] = {{"opencl/ladder/01_naive", "opencl/ladder/06_lazy"},
                              {"opencl/bits", "opencl/bits_lazy"},
                              {"cuda/strided", "cuda/strided_lazy"}};

// Kernel with a byte per cell; CUDA has no lazy partner of it.
constexpr const char* cuda_naive = "cuda/ladder/07_ghost";

// Starts from soup, which is active everywhere, to worlds that are active hardly anywhere; the last one dies.
const std::vector<std::string> all_starts = {"random:0.5:0",      "random:0.03:0",     "guns:256",
                                             "r-pentominoes:512", "diehard-pairs:256", "spaceships:512",
                                             "swarm:256",         "still-picture",     "diehards:512"};
const std::vector<std::string> quick_starts = {"random:0.5:0", "spaceships:512", "diehards:512"};
// Starts of the largest worlds, where the reference alone takes most of a minute.
const std::vector<std::string> large_starts = {"random:0.5:0", "swarm:256", "spaceships:512",
                                               "still-picture"};

const Measurement* row_of(const Results& results, const std::string& kernel, const std::string& start,
                          const Json& size) {
  return fastest(where(results, [&](const Measurement& each) {
    return kernel_of(each) == kernel && each.row["start"] == start && each.row["width"] == size;
  }));
}

std::string size_text(const Json& size) { return size.dump() + " square"; }

// Minimum and maximum ratio of two kernels' speeds over the sizes, from one start.
void compare_over_sizes(Report& report, const Results& results, const Pair& pair, const std::string& start) {
  double minimum = 0, maximum = 0;
  Json min_at, max_at;
  bool quiet = true;
  for (const Json& size : values_of(results, "width")) {
    const Measurement *eager = row_of(results, pair.eager, start, size),
                      *lazy = row_of(results, pair.lazy, start, size);
    if (eager == nullptr || lazy == nullptr) continue;
    quiet = quiet && is_quiet(*eager) && is_quiet(*lazy);
    const double gain = rate(*lazy) / rate(*eager);
    if (min_at.is_null() || gain < minimum) minimum = gain, min_at = size;
    if (max_at.is_null() || gain > maximum) maximum = gain, max_at = size;
  }
  if (min_at.is_null()) return;
  if (!quiet) {
    report.find(fmt::format("From {}, {} and {}: {}.", start, pair.lazy, pair.eager, not_quiet));
  } else if (min_at == max_at) {
    report.find(fmt::format("From {} at {}: ", start, size_text(min_at)) +
                comparison_text({pair.lazy, *row_of(results, pair.lazy, start, min_at)},
                                {pair.eager, *row_of(results, pair.eager, start, min_at)}));
  } else {
    report.find(fmt::format("From {}, {} is {} as fast as {} at {}, and {} at {}.", start, pair.lazy,
                            times(minimum), pair.eager, size_text(min_at), times(maximum),
                            size_text(max_at)));
  }
}

// The starts and sizes at which a lazy kernel of the CPU is faster than a GPU's kernel.
void compare_with_cpu(Report& report, const Results& results, const std::string& cpu_kernel,
                      const char* gpu_kernel) {
  std::vector<std::string> faster;
  std::size_t compared = 0;
  for (const Json& value : values_of(results, "start")) {
    const std::string start = words(value);
    for (const Json& size : values_of(results, "width")) {
      const Measurement *cpu = row_of(results, cpu_kernel, start, size),
                        *gpu = row_of(results, gpu_kernel, start, size);
      if (cpu == nullptr || gpu == nullptr || !is_quiet(*cpu) || !is_quiet(*gpu)) continue;
      ++compared;
      if (rate(*cpu) > rate(*gpu)) faster.push_back(fmt::format("{} at {}", start, size_text(size)));
    }
  }
  if (compared > 0)
    report.find(fmt::format("{} on the CPU is faster than {} in {} of {} worlds{}{}.", cpu_kernel, gpu_kernel,
                            faster.size(), compared, faster.empty() ? "" : ": ", joined(faster, ", ")));
}

// Speeds relative to the first kernel's, by start, in the largest worlds of the CPU's kernels.
void add_chart_by_start(Report& report, const Results& results) {
  Results part = results;
  const Json largest = part.measurements.back().row["width"];
  std::erase_if(part.measurements, [&](const Measurement& each) { return each.row["width"] != largest; });
  report.add_charts("Speed by start", part, {ChartKind::speedup, "start", relative_value, "", ""});
}

void append(Results& all, Results part) {
  const bool is_first = all.measurements.empty();
  if (is_first) {
    all = std::move(part);
    return;
  }
  std::move(part.measurements.begin(), part.measurements.end(), std::back_inserter(all.measurements));
}

}  // namespace

void study_lazy_gpu(Report& report) {
  Selection selection;
  for (const Pair& pair : gpu_pairs) {
    const std::vector<std::string> both = runnable({pair.eager, pair.lazy});
    if (both.size() == 2) selection.kernels.insert(selection.kernels.end(), both.begin(), both.end());
  }
  const std::vector<std::string> cuda_bytes = runnable({cuda_naive});
  selection.kernels.insert(selection.kernels.end(), cuda_bytes.begin(), cuda_bytes.end());
  if (selection.kernels.empty())
    throw moorea::Error(
        "lazy kernels of GPUs are studied on an NVIDIA GPU or an OpenCL device; "
        "moorea kernels says why there is none",
        moorea::ErrorKind::unavailable);
  selection.relative_to = Reference{selection.kernels.front(), std::nullopt};
  Results results;
  const std::vector<std::string> starts = report.quick() ? quick_starts : all_starts;
  if (!report.quick()) {
    selection.sizes = {"16384"};
    selection.starts = large_starts;
    append(results, report.measure(selection));
    selection.sizes = {"4096"};
    selection.starts = starts;
    append(results, report.measure(selection));
  }
  selection.starts = starts;
  // The CPU would take minutes in larger worlds
  selection.sizes = {report.quick() ? "512" : "512:2048:x2"};
  const std::vector<std::string> cpu_kernels =
      runnable({"cpu/ladder/04_avx2", "cpu/ladder/09_lazy", "cpu/ladder/09_lazy_avx2"});
  selection.kernels.insert(selection.kernels.end(), cpu_kernels.begin(), cpu_kernels.end());
  append(results, report.measure(selection));
  for (const Pair& pair : gpu_pairs) {
    for (const std::string& start : starts) compare_over_sizes(report, results, pair, start);
  }
  for (const Pair& pair : gpu_pairs) {
    for (const char* kernel : {pair.eager, pair.lazy})
      compare_with_cpu(report, results, cpu_kernels.back(), kernel);
  }
  add_chart_by_start(report, results);
  for (const std::string& start : starts) {
    Results part = results;
    std::erase_if(part.measurements, [&](const Measurement& each) { return each.row["start"] != start; });
    report.add_charts(
        fmt::format("From {}", start), part,
        {report.quick() ? ChartKind::bars : ChartKind::line, report.quick() ? "" : "size", "", "", ""});
  }
}

}  // namespace app
