// SPDX-License-Identifier: MIT
// moorea reduce: times algorithms for the sum of an array on a GPU. Each sum is compared with the CPU's
// before the timing and after it; the speed is related to the device's copy bandwidth, measured in the same
// run.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "cli/app.h"
#include "lab/reduce.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/lab/ceilings.h"
#include "moorea/lab/reduction.h"
#include "report/statistics.h"

namespace app {
namespace {

constexpr int samples_a_reduction = 25;

struct ReduceOptions {
  std::vector<std::string> kernels;
  std::vector<std::string> sizes = {"2^28"};
  std::vector<std::string> threads;
  std::string values = "uint32";
  std::string device = "cuda:0";
  bool json = false;
};

struct RunnableReduction {
  std::string name;
  std::vector<int> threads;
};

class Reduce {
 public:
  explicit Reduce(const ReduceOptions& options) : options_(options) {
    task_.type = parse_reduction_type(options.values);
    for (const std::string& text : options.sizes) sizes_.push_back(parse_values(text));
    for (const std::string& text : options.threads)
      threads_.push_back(static_cast<int>(parse_whole(text, "--threads", 1024)));
    if (threads_.empty()) threads_.push_back(0);
    std::vector<std::string> names = options.kernels;
    if (names.empty()) {
      for (const moorea::ReductionInfo& info : moorea::list_reductions()) names.push_back(info.name);
    }
    if (names.empty()) {
      throw moorea::Error(
          fmt::format("device \"{}\" is not available: this build has no CUDA (MOOREA_CUDA)", options.device),
          moorea::ErrorKind::unavailable);
    }
    for (const std::string& name : names) add(name);
    ceilings_ = moorea::measure_ceilings(device_, 0);
  }

  int run() {
    json_ = machine_json();
    for (const char* list : {"ceilings", "results", "not_timed"}) json_[list] = Json::array();
    json_["ceilings"].push_back(
        {{"device", device_}, {"copy_bytes_per_second", ceilings_.copy_bytes_per_second}});
    if (!options_.json) {
      print(fmt::format("{:{}} {:>12} {:>8} {:>12} {:>11} {:>8} {:>8}\n", "reduction", name_width(), "values",
                        "threads", "time", "bytes/s", "spread", "of copy"));
    }
    for (const std::int64_t n : sizes_) {
      for (const RunnableReduction& reduction : reductions_) {
        for (const int threads : reduction.threads) {
          measure(reduction.name, n, threads);
          if (was_interrupted()) return finish(interruption_exit());
        }
      }
    }
    return finish(wrong_ ? int{results_differ} : skipped_ ? int{run_error} : int{ok});
  }

 private:
  static std::int64_t parse_values(const std::string& text) {
    const std::uint64_t n = parse_count(text, "--size");
    if (n == 0 || n > static_cast<std::uint64_t>(moorea::largest_reduction))
      throw moorea::Error(
          fmt::format("--size \"{}\": expected 1 to {} values", text, moorea::largest_reduction),
          moorea::ErrorKind::usage);
    return static_cast<std::int64_t>(n);
  }

  // Timing an empty array throws for unsupported options, before the first measurement.
  void add(const std::string& name) {
    task_.name = name;
    task_.device = options_.device;
    task_.threads = 0;
    const moorea::ReductionTiming usual = moorea::time_reduction(task_);
    const bool chooses_itself = usual.threads == 0;
    if (!chooses_itself) {
      for (const int threads : threads_) {
        task_.threads = threads;
        moorea::time_reduction(task_);
      }
    }
    device_ = usual.device;
    reductions_.push_back({name, chooses_itself ? std::vector<int>{0} : threads_});
  }

  int finish(int exit) {
    if (options_.json) print_json(json_);
    return exit;
  }

  void measure(const std::string& name, std::int64_t n, int threads) {
    try {
      moorea::ReductionTask task = task_;
      task.name = name;
      task.device = device_;
      task.values = n;
      task.threads = threads;
      task.samples = samples_a_reduction;
      const moorea::ReductionTiming timing = moorea::time_reduction(task);
      if (!is_correct(timing)) {
        wrong_ = true;
        skip(name, n, fmt::format("wrong answer: {}; not timed", wrong_sum_text(timing)));
        return;
      }
      report(timing);
    } catch (const moorea::Error& error) {
      if (!moorea::is_run_error(error.kind())) throw;
      skip(name, n, error.what());
    }
  }

  void report(const moorea::ReductionTiming& timing) {
    const Summary summary = summarise(timing.seconds);
    const double bytes_per_second = static_cast<double>(timing.bytes_read) / summary.median;
    const double part = bytes_per_second / ceilings_.copy_bytes_per_second;
    json_["results"].push_back(reduction_row(timing, ceilings_.copy_bytes_per_second));
    if (options_.json) return;
    print(fmt::format("{:{}} {:>12} {:>8} {:>12} {:>11} {:>7.1f}% {:>8}\n", timing.name, name_width(),
                      timing.values, timing.threads != 0 ? std::to_string(timing.threads) : "-",
                      human_seconds(summary.median), short_number(bytes_per_second, 4), 100 * summary.spread,
                      fmt::format("{:.1f}%", 100 * part)));
  }

  void skip(const std::string& name, std::int64_t n, const std::string& reason) {
    skipped_ = true;
    json_["not_timed"].push_back({{"reduction", name}, {"values", n}, {"reason", reason}});
    say(fmt::format("{} of {} values: {}", name, n, reason));
  }

  std::size_t name_width() const {
    std::size_t width = 9;
    for (const RunnableReduction& reduction : reductions_) width = std::max(width, reduction.name.size());
    return width;
  }

  const ReduceOptions& options_;
  moorea::ReductionTask task_;
  std::vector<std::int64_t> sizes_;
  std::vector<int> threads_;
  std::vector<RunnableReduction> reductions_;
  std::string device_;
  moorea::Ceilings ceilings_;
  Json json_;
  bool wrong_ = false, skipped_ = false;
};

}  // namespace

Action add_reduce(CommandLine& line) {
  Command command = line.add_command(
      "reduce", "Time algorithms for the sum of an array on a GPU, each checked against the CPU first");
  const auto options = std::make_shared<ReduceOptions>();
  command.add_list("--kernel", options->kernels, "Reductions to time. Default: all").type_name("A,B,...");
  command.add_list("--size", options->sizes, "Values of 32 bits in the array, up to 2^32. Default: 2^28")
      .type_name("N,...");
  command
      .add_list("--threads", options->threads,
                "Threads a block, powers of two from 32 to 1024. Default: the reduction's own")
      .type_name("N,...");
  command
      .add_option("--values", options->values,
                  "uint32 (exact sums) or float (compared within the rounding of any order). Default: uint32")
      .type_name("TYPE");
  command.add_option("--device", options->device, "GPU. Default: cuda:0").type_name("NAME");
  command.add_flag("--json", options->json, "Print JSON");
  command.footer(
      "bytes/s are those of the array, from the median of the samples; spread is the distance of their "
      "quartiles. \"of copy\"\n"
      "compares with the device's copy bandwidth, reading plus writing, measured in the same run. Arrays "
      "that "
      "fit in a\n"
      "cache can exceed it. A \"-\" for threads: the library chooses them.\n"
      "Examples:\n"
      "  moorea reduce\n"
      "  moorea reduce --kernel reduce/ladder/07_shared_atomic,reduce/ladder/11_template --threads "
      "32,64,128,256,512,1024\n"
      "  moorea reduce --size 2^20,2^24,2^28,2^30 --json > reductions.json\n"
      "  moorea reduce --values float --kernel reduce/ladder/07_shared_atomic,reduce/ladder/12_library\n"
      "Exits with 3 when a sum is wrong (it is not timed then).");
  return [options] {
    catch_interruption();
    return Reduce(*options).run();
  };
}

}  // namespace app
