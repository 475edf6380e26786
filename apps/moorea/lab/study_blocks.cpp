// SPDX-License-Identifier: MIT
// Studies of thread blocks (OpenCL: work-groups): their size and shape, and kernels in equal ones.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "lab/studies.h"
#include "lab/study_findings.h"
#include "moorea/error.h"
#include "moorea/inventory.h"

namespace app {
namespace {

constexpr const char *naive = "cuda/ladder/02_naive_bool", *on_bits = "cuda/ladder/11_bits_bytes";

// Kernels of a byte per cell whose blocks have any width and height.
constexpr const char *opencl_naive = "opencl/ladder/01_naive", *ghosts = "cuda/ladder/07_ghost",
                     *shared_ghosts = "cuda/ladder/08_ghost_shared";

std::string shape_of(const Measurement& measurement) {
  const Json& block = measurement.row["block"];
  return fmt::format("{} x {}", block["width"].dump(), block["height"].dump());
}

Measurements at_size(const Results& results, const std::string& kernel, const Json& size) {
  return where(results, [&](const Measurement& each) {
    return kernel_of(each) == kernel && each.row["width"] == size;
  });
}

// Generations that a measurement's kernel computes in the time that a key has.
std::string generations_of(const Measurement& each, const char* key) {
  return human_number(each.row[key].get<double>() * each.row["generations_per_second"].get<double>());
}

std::string best_block_text(const Json& size, const Measurements& rows) {
  const Measurement *best = fastest(rows), *worst = slowest(rows);
  return fmt::format(
      "{10} at {0} square: {1} threads per block and {2} bytes per thread are the best of {3}: {4} cells per "
      "second, {5} as many as with {6} and {7}. Encoding the cells from a byte each takes as long as {8} "
      "generations, decoding them {9}.",
      size.dump(), best->row["block"]["width"].dump(), best->row["bytes_per_thread"].dump(), rows.size(),
      short_number(rate(*best)), times(rate(*best) / rate(*worst)), worst->row["block"]["width"].dump(),
      worst->row["bytes_per_thread"].dump(), generations_of(*best, "encode_seconds"),
      generations_of(*best, "decode_seconds"), on_bits);
}

std::string best_shape_text(const std::string& kernel, const Json& size, const Measurements& rows) {
  if (!std::all_of(rows.begin(), rows.end(), [](const auto* each) { return is_quiet(*each); }))
    return fmt::format("{} at {} square: {}.", kernel, size.dump(), not_quiet);
  const Measurement *best = fastest(rows), *worst = slowest(rows);
  return fmt::format(
      "{} at {} square: the best of {} thread blocks is {}: {} cells per second, {} as many as "
      "with the worst, {}.",
      kernel, size.dump(), rows.size(), shape_of(*best), short_number(rate(*best)),
      times(rate(*best) / rate(*worst)), shape_of(*worst));
}

// Threads per block of a kernel with a byte per cell; of one with a bit, bytes per thread too.
void study_threads_and_bytes(Report& report) {
  Selection selection;
  selection.kernels = runnable({naive, on_bits});
  selection.sizes = {report.quick() ? "1024" : "1024:16384:x2"};
  selection.axes.blocks = {report.quick() ? "64:256:x4" : "32:1024:x2"};
  selection.axes.bytes_a_thread = {report.quick() ? "4,16" : "1,8,16,32,64"};
  const Results results = report.measure(selection);
  Results bits = results;
  std::erase_if(bits.measurements, [](const Measurement& each) { return kernel_of(each) != on_bits; });
  for (const Json& size : values_of(results, "width")) {
    const Measurements bytes = at_size(results, naive, size), packed = at_size(results, on_bits, size);
    if (!bytes.empty()) report.find(best_shape_text(naive, size, bytes));
    if (packed.empty()) continue;
    report.find(best_block_text(size, packed));
    if (!bytes.empty())
      report.find(fmt::format("At {} square, each in its best block: ", size.dump()) +
                  comparison_text({on_bits, *fastest(packed)}, {naive, *fastest(bytes)}));
  }
  if (!report.quick())
    report.add_charts("All operations by size", results, {ChartKind::line, "size", "", "", ""});
  if (!bits.measurements.empty())
    report.add_charts("Threads per block and bytes per thread", bits,
                      {ChartKind::heatmap, "block", "", "bytes-per-thread", ""});
}

// Width and height of the block, of kernels with a thread per cell.
void study_shapes(Report& report, const std::vector<std::string>& kernels) {
  Selection selection;
  selection.kernels = kernels;
  selection.sizes = {report.quick() ? "512" : "4096"};
  selection.axes.blocks = {report.quick() ? "4:16:x4x4:16:x4" : "4:256:x2x1:64:x2"};
  const Results results = report.measure(selection);
  for (const std::string& kernel : kernels) {
    for (const Json& size : values_of(results, "width")) {
      const Measurements rows = at_size(results, kernel, size);
      if (!rows.empty()) report.find(best_shape_text(kernel, size, rows));
    }
  }
  report.add_charts("Width and height of a thread block", results,
                    {ChartKind::heatmap, "block-width", "", "block-height", ""});
}

// Names the kernels that were not measured in these blocks.
void find_missing(Report& report, const Results& results, const std::vector<std::string>& kernels,
                  const moorea::ThreadBlock& block) {
  std::vector<std::string> missing;
  for (const std::string& kernel : kernels) {
    const Measurements rows = where(results, [&](const Measurement& each) {
      return kernel_of(each) == kernel && each.row["block"]["width"] == block.width &&
             each.row["block"]["height"] == block.height;
    });
    if (rows.empty()) missing.push_back(kernel);
  }
  if (!missing.empty())
    report.find(fmt::format("Not possible in thread blocks of {} x {}: {}.", block.width, block.height,
                            joined(missing, ", ")));
}

// Compares two kernels in each of the blocks that both have, in each size.
void compare_in_blocks(Report& report, const Results& results, const std::string& kernel,
                       const std::string& with) {
  for (const Measurement& each : results.measurements) {
    if (kernel_of(each) != kernel) continue;
    const Measurement* const other = fastest(where(results, [&](const Measurement& row) {
      return kernel_of(row) == with && row.row["block"] == each.row["block"] &&
             row.row["width"] == each.row["width"];
    }));
    if (other != nullptr)
      report.find(fmt::format("{}, {} square, blocks of {}: ", words(each.row["rule"]),
                              each.row["width"].dump(), shape_of(each)) +
                  comparison_text({kernel, each}, {with, *other}));
  }
}

// Charts of the rows with each block.
void add_charts_by_block(Report& report, const std::string& heading, const Results& results) {
  for (const Json& block : values_of(results, "block")) {
    Results part = results;
    std::erase_if(part.measurements, [&](const Measurement& each) { return each.row["block"] != block; });
    report.add_charts(
        fmt::format("{}: blocks of {} x {}", heading, block["width"].dump(), block["height"].dump()), part,
        {ChartKind::bars, "", "", "", ""});
  }
}

// Whether both backends run on GPUs, where their kernels can be compared.
bool have_gpus_for_both() {
  bool cuda = false, opencl = false;
  for (const moorea::DeviceInfo& device : moorea::list_devices()) {
    const auto backend = moorea::backend_of_device(device.name);
    cuda = cuda || backend == moorea::Backend::cuda;
    opencl = opencl || (backend == moorea::Backend::opencl && !device.uses_cpus);
  }
  return cuda && opencl;
}

void study_techniques(Report& report) {
  Selection selection;
  selection.kernels =
      runnable({opencl_naive, "opencl/ladder/02_vector", "opencl/ladder/03_local", "opencl/ladder/04_shift",
                "opencl/ladder/05_two_cells", "cuda/ladder/02_naive_bool", "cuda/ladder/03_naive_branch",
                "cuda/ladder/04_shared", "cuda/ladder/05_lut_256", "cuda/ladder/05_lut_256_shared", ghosts,
                shared_ghosts, "cuda/ladder/09_runtime_rule", "cuda/ladder/10_template_rule"});
  selection.sizes =
      report.quick() ? std::vector<std::string>{"512"} : std::vector<std::string>{"4096", "16384"};
  selection.axes.blocks = {"256", "32x8"};
  const Results results = report.measure(selection);
  for (const std::string& block : selection.axes.blocks)
    find_missing(report, results, selection.kernels, moorea::parse_thread_block(block));
  for (const std::string& kernel : selection.kernels) {
    const bool on_opencl = kernel.starts_with("opencl/");
    const std::string base = on_opencl ? opencl_naive : ghosts;
    if (kernel != base) compare_in_blocks(report, results, kernel, base);
  }
  // A thread per cell and a halo that is filled before; the same in local memory
  if (have_gpus_for_both()) {
    compare_in_blocks(report, results, opencl_naive, ghosts);
    compare_in_blocks(report, results, "opencl/ladder/03_local", "cuda/ladder/04_shared");
  }
  add_charts_by_block(report, "The same thread block for all kernels", results);
}

// Ghost cells in global memory, and also in shared memory, under ANNEAL.
void study_ghosts(Report& report) {
  Selection selection;
  selection.kernels = runnable({ghosts, shared_ghosts});
  if (selection.kernels.size() < 2) return;
  selection.rules = {"Anneal"};
  selection.sizes =
      report.quick() ? std::vector<std::string>{"512"} : std::vector<std::string>{"4096", "16384"};
  selection.axes.blocks = {"16x16", "32x8", "32x32"};
  const Results results = report.measure(selection);
  compare_in_blocks(report, results, shared_ghosts, ghosts);
  report.add_charts("Anneal with ghost cells, without and with shared memory", results,
                    {ChartKind::bars, "", "", "", ""});
}

[[noreturn]] void no_device(const char* subject) {
  throw moorea::Error(
      fmt::format(
          "{} are studied on an NVIDIA GPU or an OpenCL device; moorea kernels says why there is none",
          subject),
      moorea::ErrorKind::unavailable);
}

}  // namespace

void study_blocks(Report& report) {
  const std::vector<std::string> by_shape = runnable({opencl_naive, ghosts});
  if (by_shape.empty()) no_device("thread blocks");
  if (!runnable({on_bits}).empty()) study_threads_and_bytes(report);
  study_shapes(report, by_shape);
}

void study_groups(Report& report) {
  if (runnable({opencl_naive, ghosts}).empty()) no_device("kernels in equal thread blocks");
  study_techniques(report);
  study_ghosts(report);
}

}  // namespace app
