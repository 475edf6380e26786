// SPDX-License-Identifier: MIT
#include "lab/combinations.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "cli/numbers.h"
#include "cli/ranges.h"
#include "cli/world.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/lab/starting_worlds.h"
#include "moorea/simulation.h"

namespace app {
namespace {

moorea::KernelInfo automatic_kernel() {
  moorea::KernelInfo kernel;
  kernel.name = automatic;
  kernel.max_steps = 32;
  kernel.bits_moved_per_cell = 2;
  kernel.skips = true;
  kernel.runs = true;
  return kernel;
}

// Throws for a name that does not exist: that is an error, not an unsupported combination.
void require_start(const std::string& world) {
  try {
    moorea::starting_world(world, 1024, 1024);
  } catch (const moorea::Error& error) {
    if (error.kind() == moorea::ErrorKind::usage) throw;  // otherwise it is this size that is unsupported
  }
}

moorea::Topology parse_bounded(const std::string& text) {
  const moorea::Topology topology = moorea::parse_topology(text);
  if (topology == moorea::Topology::unbounded)
    usage("--topology unbounded: worlds that are measured have a size; choose plane or torus");
  return topology;
}

void require_device(const std::string& device) {
  if (device == "auto") return;
  moorea::Options options;
  options.device = device;
  moorea::Simulation({}, moorea::Topology::torus, moorea::Grid(64, 64), options);
}

// Collects the combinations of all axes, in the order in which they are measured and printed.
class Combinations {
 public:
  explicit Combinations(const Selection& options)
      : options_(options), engines_(options.axes.combinations()), named_(options.kernels) {
    for (const std::string& threads : expand_numbers(options.threads, "--threads"))
      threads_.push_back(static_cast<int>(parse_whole(threads, "--threads", 4096)));
    if (threads_.empty()) threads_.push_back(0);
    const double density = options.density.value_or(0.5);
    const std::uint64_t seed = options.seed.empty() ? 0 : parse_whole(options.seed, "--seed", UINT64_MAX);
    if (!(density >= 0 && density <= 1))
      usage(fmt::format("--random {}: expected a density between 0 and 1", density));
    if (!options.starts.empty() && (options.density || !options.seed.empty()))
      usage("--random and --seed are for worlds without --start; in --start noise is random:DENSITY:SEED");
    std::vector<std::string> worlds = options.starts;
    for (const std::string& world : worlds) require_start(world);
    for (const std::string& device : options.devices) require_device(device);
    for (const std::string& path : options.kernel_files) named_.push_back(parse_kernel_file(path));
    if (worlds.empty()) worlds.push_back(fmt::format("random:{}:{}", density, seed));
    const std::uint64_t after = parse_whole(options.after, "--after", UINT64_MAX);
    parse_generations();
    for (const std::string& rule : options.rules) {
      for (const std::string& topology : options.topologies) {
        for (const std::string& world : worlds) {
          for (const std::string& size : expand_sizes(options.sizes, "--size")) {
            add({moorea::Rule::parse(rule), parse_bounded(topology), parse_size(size), world, after});
          }
        }
      }
    }
    if (all_.empty()) {
      throw moorea::Error(
          "no kernel that runs here takes all of these options; moorea kernels shows which options each one "
          "has",
          moorea::ErrorKind::unavailable);
    }
    if (std::all_of(all_.begin(), all_.end(),
                    [](const Configuration& each) { return !each.problem.empty(); }))
      throw moorea::Error(all_.front().problem, all_.front().problem_kind);
  }

  std::vector<Configuration> all() && { return std::move(all_); }

 private:
  void parse_generations() {
    if (options_.generations.empty()) return;
    sample_generations_ = parse_count(options_.generations, "--generations");
    if (*sample_generations_ == 0) usage("--generations 0: a sample has at least one generation");
    for (const Engine& engine : engines_) {
      const std::optional<int> pass = engine.options.generations_a_pass;
      if (pass && static_cast<std::uint64_t>(*pass) > *sample_generations_)
        usage(
            fmt::format("--generations-per-pass {}: a pass is longer than the {} generations of a sample; "
                        "choose shorter passes or a larger --generations",
                        *pass, *sample_generations_));
    }
  }

  void add(const Start& start) {
    for (const moorea::KernelInfo& kernel : kernels(start.rule)) {
      for (const std::string& device : options_.devices) {
        for (const int threads : threads_) {
          for (const Engine& engine : engines_) {
            Configuration configuration;
            configuration.kernel = kernel;
            configuration.start = start;
            configuration.options = engine.options;
            configuration.problem = engine.problem;
            configuration.options.kernel = kernel.name == automatic ? "" : kernel.name;
            configuration.options.device = device;
            configuration.options.threads = threads;
            configuration.sample_generations = sample_generations_;
            if (!kernel.runs) {
              configuration.problem =
                  fmt::format("kernel {} cannot run here: {}", kernel.name, kernel.reason);
              configuration.problem_kind = moorea::ErrorKind::unavailable;
            } else if (const char* option = not_taken(kernel, engine.options)) {
              // Without named kernels those that have the options are measured
              if (named_.empty()) continue;
              configuration.problem =
                  fmt::format("kernel {} has no configurable {}; moorea kernels lists those that have",
                              kernel.name, option);
            }
            all_.push_back(std::move(configuration));
          }
        }
      }
    }
  }

  // The named kernels, or all for flat worlds that run this rule here.
  std::vector<moorea::KernelInfo> kernels(const moorea::Rule& rule) const {
    std::vector<moorea::KernelInfo> all = moorea::list_kernels(rule), chosen;
    if (named_.empty()) {
      std::erase_if(
          all, [](const moorea::KernelInfo& kernel) { return !kernel.runs || !kernel.numbering.empty(); });
      return all;
    }
    for (const std::string& name : named_) {
      if (name == automatic) {
        chosen.push_back(automatic_kernel());
        continue;
      }
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const auto& kernel) { return kernel.name == name; });
      chosen.push_back(found != all.end() ? *found : moorea::kernel_info(name, rule));
    }
    return chosen;
  }

  const Selection& options_;
  std::vector<Engine> engines_;
  std::vector<std::string> named_;  // kernels and files
  std::vector<int> threads_;
  std::optional<std::uint64_t> sample_generations_;
  std::vector<Configuration> all_;
};

}  // namespace

std::vector<Configuration> combine(const Selection& selection) { return Combinations(selection).all(); }

}  // namespace app
