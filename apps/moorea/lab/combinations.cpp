// SPDX-License-Identifier: MIT
#include "lab/combinations.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cli/input_files.h"
#include "cli/numbers.h"
#include "cli/ranges.h"
#include "cli/world.h"
#include "moorea/device_list.h"
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

std::optional<moorea::Rule> rule_of(const std::string& text) {
  try {
    return moorea::Rule::parse(text);
  } catch (const moorea::Error&) {
    return std::nullopt;
  }
}

// The rules of a list, of which some have commas themselves: as many elements as are a rule together. Throws
// moorea::Error for an element that begins none.
std::vector<moorea::Rule> rules_of(const std::vector<std::string>& elements) {
  std::vector<moorea::Rule> rules;
  for (std::size_t first = 0; first < elements.size();) {
    std::optional<moorea::Rule> longest;
    std::string text, tried;
    std::size_t next = first + 1;
    for (std::size_t i = first; i < elements.size(); ++i) {
      text += (text.empty() ? "" : ",") + elements[i];
      if (tried.empty() && (i + 1 == elements.size() || rule_of(elements[i + 1]))) tried = text;
      if (const std::optional<moorea::Rule> rule = rule_of(text)) longest = rule, next = i + 1;
    }
    rules.push_back(longest ? *longest : moorea::Rule::parse(tried));
    first = next;
  }
  return rules;
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
    any_divided_ = std::ranges::any_of(
        options.devices, [](const std::string& device) { return moorea::is_device_list(device); });
    for (const std::string& threads : expand_numbers(options.threads, "--threads"))
      threads_.push_back(static_cast<int>(parse_whole(threads, "--threads", 4096)));
    if (threads_.empty()) threads_.push_back(0);
    if (threads_.size() == 1) gpu_threads_ = threads_;
    const double density = options.density.value_or(0.5);
    const std::uint64_t seed = options.seed.empty() ? 0 : parse_whole(options.seed, "--seed", UINT64_MAX);
    if (!(density >= 0 && density <= 1))
      usage(fmt::format("--random {}: expected a density between 0 and 1", density));
    if (!options.starts.empty() && (options.density || !options.seed.empty()))
      usage("--random and --seed are for worlds without --start; in --start noise is random:DENSITY:SEED");
    std::vector<std::string> worlds = options.starts;
    for (const std::string& world : worlds) require_start(world);
    for (const std::string& device : options.devices) require_device(device);
    for (std::string& path : parse_kernel_files(options.kernel_files)) named_.push_back(std::move(path));
    if (worlds.empty()) worlds.push_back(fmt::format("random:{}:{}", density, seed));
    const std::uint64_t after = parse_whole(options.after, "--after", UINT64_MAX);
    parse_generations();
    for (const moorea::Rule& rule : rules_of(options.rules)) {
      for (const Start& place : places()) {
        for (const std::string& world : worlds) {
          starts_.push_back(place);
          starts_.back().rule = rule;
          starts_.back().world = world;
          starts_.back().after = after;
          add(starts_.back());
        }
      }
    }
    require_measurable();
    add_notes();
    for (const Reference& reference : options.also) add(reference, false);
    if (options.relative_to) {
      add(*options.relative_to, true);
      // The reference is measured first, so that the speeds of the others can be related to it
      std::stable_partition(all_.begin(), all_.end(),
                            [&](const Configuration& each) { return is_of(*options.relative_to, each); });
    }
  }

  Combined combined() && { return {std::move(all_), std::move(notes_)}; }

 private:
  // Topologies and sizes, or surfaces; rule and cells are added to each.
  std::vector<Start> places() const {
    std::vector<Start> all;
    if (options_.meshes.empty()) {
      if (!options_.adjacency.empty()) usage("--adjacency is for surfaces: add --mesh NAME");
      for (const std::string& topology : options_.topologies) {
        for (const std::string& size : expand_sizes(options_.sizes, "--size")) {
          Start start;
          start.topology = parse_bounded(topology);
          start.size = parse_size(size);
          all.push_back(start);
        }
      }
      return all;
    }
    const Selection usual;
    if (options_.sizes != usual.sizes || options_.topologies != usual.topologies)
      usage("--mesh gives worlds their size and topology: leave --size and --topology out");
    for (const std::string& name : options_.meshes) {
      Start start;
      start.topology = moorea::Topology::surface;
      start.mesh = moorea::Mesh::make(name);
      start.size = start.mesh->size();
      if (!options_.adjacency.empty()) start.adjacency = moorea::parse_adjacency(options_.adjacency);
      all.push_back(start);
    }
    return all;
  }

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
    for (const moorea::KernelInfo& kernel : kernels(start)) {
      const bool on_cpu = kernel.backend == moorea::Backend::cpu;
      if (!on_cpu && threads_.size() > 1) remove(kernel, "number of CPU threads");
      measured_.insert(kernel.name);
      for (const std::string& device : options_.devices) {
        for (const int threads : on_cpu ? threads_ : gpu_threads_) {
          for (const Engine& engine : engines_) {
            Configuration configuration;
            configuration.kernel = kernel;
            configuration.start = start;
            configuration.sample_generations = sample_generations_;
            configuration.options.device = device;
            configuration.options.threads = threads;
            add(std::move(configuration), engine);
          }
        }
      }
    }
  }

  // Adds the configuration with the options that its kernel has. Some configurations are then equal; a sweep
  // measures these once.
  void add(Configuration configuration, const Engine& engine) {
    const moorea::KernelInfo& kernel = configuration.kernel;
    moorea::Options options = engine.options;
    const std::vector<std::string> removed = remove_unsupported(kernel, options);
    if (kernel.runs && named_.empty() && !removed.empty()) {
      left_out_.insert(removed.begin(), removed.end());
      return;
    }
    for (const std::string& name : removed) remove(kernel, name);
    // One of several devices may be one alone, which has all rows
    if (any_divided_ && !moorea::is_device_list(configuration.options.device)) options.shares.clear();
    options.kernel = kernel.name == automatic ? "" : kernel.name;
    options.device = configuration.options.device;
    options.threads = configuration.options.threads;
    configuration.options = options;
    if (!kernel.runs) {
      configuration.problem = fmt::format("kernel {} cannot run here: {}", kernel.name, kernel.reason);
      configuration.problem_kind = moorea::ErrorKind::unavailable;
    } else if (options.block && !engine.problem.empty()) {
      // A block that is invalid for all kernels is reported with the first
      if (!invalid_.insert(engine.problem).second) return;
      configuration.problem = engine.problem;
    } else if (options.block && kernel.block.height == 1 && options.block->height != 1) {
      configuration.problem = fmt::format("a thread block of {}: kernel {} has its threads in one row",
                                          to_string(*options.block), kernel.name);
    }
    all_.push_back(std::move(configuration));
  }

  static bool is_of(const Reference& reference, const Configuration& each) {
    static const int all_threads = moorea::list_devices().front().threads;
    const int threads = each.options.threads == 0 ? all_threads : each.options.threads;
    return each.kernel.name == reference.kernel && (!reference.threads || threads == *reference.threads);
  }

  // Adds the reference to the worlds where it is not among the kernels.
  void add(const Reference& reference, bool relative) {
    for (const Start& start : starts_) {
      const bool there = std::any_of(all_.begin(), all_.end(), [&](const Configuration& each) {
        return is_of(reference, each) && each.start.key() == start.key() && each.problem.empty();
      });
      if (there) continue;
      Configuration configuration;
      configuration.kernel = moorea::kernel_info(reference.kernel, start.rule);
      if (!configuration.kernel.runs)
        throw moorea::Error(fmt::format("--relative-to {}: it cannot run here: {}; choose another kernel",
                                        reference.str(), configuration.kernel.reason),
                            moorea::ErrorKind::unavailable);
      configuration.start = start;
      configuration.options.kernel = reference.kernel;
      for (const std::string& device : options_.devices) {
        if (moorea::backend_of_device(device) == configuration.kernel.backend)
          configuration.options.device = device;
      }
      configuration.options.threads = reference.threads.value_or(threads_.front());
      configuration.sample_generations = sample_generations_;
      configuration.only_reference = relative;
      all_.push_back(std::move(configuration));
    }
  }

  void remove(const moorea::KernelInfo& kernel, const std::string& option) {
    std::vector<std::string>& options = removed_[kernel.name];
    if (std::find(options.begin(), options.end(), option) == options.end()) options.push_back(option);
  }

  void require_measurable() const {
    if (all_.empty()) {
      throw moorea::Error(
          "no kernel that runs here takes all of these options; moorea kernels shows which options each one "
          "has",
          moorea::ErrorKind::unavailable);
    }
    if (std::all_of(all_.begin(), all_.end(),
                    [](const Configuration& each) { return !each.problem.empty(); }))
      throw moorea::Error(all_.front().problem, all_.front().problem_kind);
    // An option for none of the kernels is a mistake
    if (removed_.size() < measured_.size()) return;
    for (const std::string& option : removed_.begin()->second) {
      const bool for_none = std::all_of(removed_.begin(), removed_.end(), [&](const auto& each) {
        return std::find(each.second.begin(), each.second.end(), option) != each.second.end();
      });
      if (for_none)
        usage(fmt::format("kernel {} has no configurable {}; moorea kernels lists those that have",
                          removed_.begin()->first, option));
    }
  }

  void add_notes() {
    for (const std::string& name : named_) {
      std::string note = kernel_warning_note(name);
      if (!note.empty()) notes_.push_back(std::move(note));
    }
    for (const auto& [kernel, options] : removed_)
      notes_.push_back(fmt::format("{} has no configurable {}: it is measured without {}", kernel,
                                   joined(options, ", "), options.size() == 1 ? "this axis" : "these axes"));
    if (!left_out_.empty())
      notes_.push_back(
          fmt::format("kernels without a configurable {} are left out; --kernel NAME,... measures them too",
                      joined(std::vector(left_out_.begin(), left_out_.end()), ", ")));
  }

  // The named kernels, or all that run this rule here: on surfaces those of meshes, otherwise the others.
  std::vector<moorea::KernelInfo> kernels(const Start& start) const {
    std::vector<moorea::KernelInfo> all = moorea::list_kernels(start.rule), chosen;
    if (named_.empty()) {
      std::erase_if(all, [&](const moorea::KernelInfo& kernel) {
        return !kernel.runs || kernel.numbering.empty() != (start.mesh == nullptr);
      });
      return all;
    }
    for (const std::string& name : named_) {
      if (name == automatic) {
        chosen.push_back(automatic_kernel());
        continue;
      }
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const auto& kernel) { return kernel.name == name; });
      chosen.push_back(found != all.end() ? *found : moorea::kernel_info(name, start.rule));
    }
    return chosen;
  }

  const Selection& options_;
  std::vector<Engine> engines_;
  std::vector<std::string> named_;  // kernels and files
  std::vector<int> threads_, gpu_threads_ = {0};
  std::optional<std::uint64_t> sample_generations_;
  std::vector<Start> starts_;
  std::vector<Configuration> all_;
  std::set<std::string> measured_;                           // names of kernels
  std::map<std::string, std::vector<std::string>> removed_;  // options that a kernel does not have
  std::set<std::string> left_out_;  // options without which kernels are not measured by default
  std::set<std::string> invalid_;   // thread blocks
  bool any_divided_ = false;        // whether a list of devices is among the devices
  std::vector<std::string> notes_;
};

}  // namespace

void complete(Selection& selection, const Selection& defaults) {
  if (selection.sizes.empty()) selection.sizes = defaults.sizes;
  if (selection.rules.empty()) selection.rules = defaults.rules;
  if (selection.devices.empty()) selection.devices = defaults.devices;
}

Combined combine(const Selection& selection) { return Combinations(selection).combined(); }

}  // namespace app
