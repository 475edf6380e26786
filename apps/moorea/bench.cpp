// SPDX-License-Identifier: MIT
// moorea bench: every configuration's answer is compared with the reference's before it is timed; then
// samples are taken until the median is known, beside the ceilings of this machine measured in the same run.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>

#include "app.h"
#include "axes.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/simulation.h"
#include "statistics.h"

namespace app {
namespace {

using moorea::Simulation;
using Clock = std::chrono::steady_clock;

constexpr const char* reference_kernel = "cpu/reference";
constexpr const char* large_reference =
    "cpu/bits";                                  // itself compared with the reference, here and in the tests
constexpr double most_reference_updates = 2e10;  // a minute's work for the reference
constexpr double reference_updates =
    1e9;  // cells times generations that the reference may spend on one check
constexpr std::uint64_t check_generations = 64;
constexpr double sample_seconds = 0.02;  // at least, so that the clock's and the call's cost vanish
constexpr double warm_up_seconds = 0.1;
constexpr std::size_t least_samples = 9;
constexpr double enough_noise = 0.01;
constexpr int questions = 5;  // how often the population and the hash are asked for

// What Moorea runs where no kernel is named, as a row of its own.
constexpr const char* automatic = "auto";

// Kernels that leave out what rests begin each sample anew, after some generations in which they find it.
constexpr std::uint64_t settling_generations = 48;
constexpr std::uint64_t most_generations = 12 << 20;  // of a sample: worlds at rest take no time

struct BenchOptions {
  std::vector<std::string> kernels;
  std::vector<std::string> sizes = {"4096"};
  std::vector<std::string> threads;
  std::vector<std::string> devices = {"auto"};
  Axes axes;
  std::string rule = "Life";
  std::string topology = "torus";
  double density = 0.5;
  std::string seed = "0";
  std::string after = "0";
  double budget = 2;
  bool json = false;
};

struct Configuration {
  moorea::KernelInfo kernel;
  Size size;
  moorea::Options options;
};

struct Measured {
  std::string device;
  int threads = 1;
  std::optional<moorea::Tiling> tiling;
  std::optional<moorea::LaunchShape> launch_shape;
  std::optional<moorea::KernelResources> resources;
  std::optional<moorea::ConversionTimes> conversion;
  double population_seconds = 0, hash_seconds = 0;  // what asking for them costs
  std::uint64_t generations = 1;                    // of one sample
  std::vector<double> samples;                      // seconds
  Summary summary;
  std::string checked_with;
};

class Bench {
 public:
  explicit Bench(const BenchOptions& options)
      : options_(options),
        rule_(moorea::Rule::parse(options.rule)),
        topology_(moorea::parse_topology(options.topology)),
        seed_(parse_whole(options.seed, "--seed", UINT64_MAX)),
        after_(parse_whole(options.after, "--after", UINT64_MAX)),
        engines_(options.axes.combinations()) {
    for (const std::string& threads : options.threads) {
      threads_.push_back(static_cast<int>(parse_whole(threads, "--threads", 4096)));
    }
    if (threads_.empty()) threads_.push_back(0);
    const std::vector<moorea::KernelInfo> all = moorea::list_kernels(rule_);
    for (const std::string& name : options.kernels) {
      if (name == automatic) {
        kernels_.push_back(automatic_kernel());
        continue;
      }
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const auto& kernel) { return kernel.name == name; });
      if (found == all.end())
        throw moorea::Error(fmt::format("there is no kernel \"{}\"; see moorea kernels", name),
                            moorea::ErrorKind::usage);
      if (!found->runs)
        throw moorea::Error(fmt::format("kernel {} cannot run here: {}", name, found->reason),
                            moorea::ErrorKind::unavailable);
      kernels_.push_back(*found);
    }
    for (const moorea::KernelInfo& kernel : kernels_) {
      for (const moorea::Options& engine : engines_) {
        if (const char* option = not_taken(kernel, engine)) {
          throw moorea::Error(
              fmt::format("kernel {} does not let a {} be chosen; moorea kernels shows for which it can be",
                          kernel.name, option),
              moorea::ErrorKind::usage);
        }
      }
    }
    if (!options.kernels.empty()) return;
    for (const moorea::KernelInfo& kernel : all) {
      const bool asked = std::any_of(engines_.begin(), engines_.end(),
                                     [&](const moorea::Options& engine) { return takes(kernel, engine); });
      if (kernel.runs && asked) kernels_.push_back(kernel);
    }
    if (kernels_.empty()) {
      throw moorea::Error("no kernel that runs here takes all of these options; moorea kernels shows why",
                          moorea::ErrorKind::unavailable);
    }
  }

  int run() {
    json_ = header();
    if (!options_.json) print_header();
    for (const std::string& text : options_.sizes) {
      const Size size = parse_size(text);
      for (const moorea::KernelInfo& kernel : kernels_) {
        for (const std::string& device : options_.devices) {
          for (const int threads : threads_) {
            for (moorea::Options engine : engines_) {
              if (options_.kernels.empty() && !takes(kernel, engine)) continue;
              engine.kernel = kernel.name == automatic ? "" : kernel.name;
              engine.device = device;
              engine.threads = threads;
              measure({kernel, size, engine});
              if (was_interrupted()) return finish(interruption_exit());
            }
          }
        }
      }
    }
    return finish(wrong_ ? int{results_differ} : skipped_ ? int{run_error} : int{ok});
  }

 private:
  static moorea::KernelInfo automatic_kernel() {
    moorea::KernelInfo kernel;
    kernel.name = automatic;
    kernel.max_steps = 32;
    kernel.bits_moved_per_cell = 2;
    kernel.skips = true;
    return kernel;
  }

  int finish(int exit) {
    if (options_.json) print_json(json_);
    return exit;
  }

  // The world that is timed; kept until another size is asked for.
  const moorea::Grid& start(const Size& size) {
    if (start_.width() == size.width && start_.height() == size.height) return start_;
    start_ = moorea::Grid::random(size.width, size.height, options_.density, seed_);
    if (after_ != 0) {
      Simulation simulation(rule_, topology_, start_);
      simulation.step(after_, [] { return !was_interrupted(); });
      start_ = simulation.grid();
    }
    return start_;
  }

  static const char* checked_with(const Size& size, std::uint64_t generations) {
    const double updates =
        static_cast<double>(size.width) * static_cast<double>(size.height) * static_cast<double>(generations);
    return updates > most_reference_updates ? large_reference : reference_kernel;
  }

  // What every kernel's state must hash to after *generations. Few where the world is large, but a whole pass
  // of each kernel at least, and some of one that leaves out what rests.
  std::uint64_t expected_hash(const Size& size, std::uint64_t* generations) {
    const double cells = static_cast<double>(size.width) * static_cast<double>(size.height);
    *generations = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(reference_updates / cells), 1,
                                             check_generations);
    for (const moorea::KernelInfo& kernel : kernels_) {
      *generations = std::max({*generations, static_cast<std::uint64_t>(kernel.max_steps),
                               kernel.skips ? settling_generations : std::uint64_t{0}});
    }
    const auto key = std::make_pair(size.width, size.height);
    if (const auto found = expected_.find(key); found != expected_.end()) return found->second;
    moorea::Options engine;
    engine.kernel = checked_with(size, *generations);
    Simulation reference(rule_, topology_, start(size), engine);
    reference.step(*generations);
    return expected_[key] = reference.hash();
  }

  void measure(const Configuration& configuration) {
    const Size& size = configuration.size;
    try {
      std::uint64_t generations = 0;
      const std::uint64_t expected = expected_hash(size, &generations);
      Simulation simulation(rule_, topology_, start(size), configuration.options);
      simulation.step(generations);
      if (configuration.kernel.name != automatic && simulation.kernel() != configuration.kernel.name)
        throw moorea::Error("another kernel ran: " + simulation.kernel());
      if (const std::uint64_t hash = simulation.hash(); hash != expected) {
        wrong_ = true;
        skip(
            configuration,
            fmt::format("wrong answer: after {} generations the hash is {}, the reference's is {}; not timed",
                        generations, hash_text(hash), hash_text(expected)));
        return;
      }
      Measured measured = time(configuration, std::move(simulation));
      measured.checked_with = checked_with(size, generations);
      if (!measured.samples.empty()) report(configuration, measured);
    } catch (const moorea::Error& error) {
      if (error.kind() == moorea::ErrorKind::usage) throw;
      skip(configuration, error.what());
    }
  }

  Measured time(const Configuration& configuration, Simulation simulation) {
    Measured measured;
    measured.device = simulation.device();
    measured.threads = simulation.threads();
    measured.tiling = simulation.tiling();
    measured.launch_shape = simulation.launch_shape();
    measured.resources = simulation.resources();
    // Whole passes: who runs a kernel that makes many generations of one asks for many
    measured.generations =
        static_cast<unsigned>(configuration.kernel.skips ? 96 : configuration.kernel.max_steps);
    const auto sample = [&] {
      if (configuration.kernel.skips) {
        // Later generations have more at rest, and the next sample is to find what this one found
        simulation = Simulation(rule_, topology_, start(configuration.size), configuration.options);
        simulation.step(settling_generations);
      }
      const auto begin = Clock::now();
      simulation.step(measured.generations);
      return std::chrono::duration<double>(Clock::now() - begin).count();
    };
    // An empty world takes no time at all, whichever kernel would have run it
    const auto require_life = [&] {
      if (simulation.population() == 0) throw moorea::Error("every cell has died; there is nothing to time");
    };
    const auto begin = Clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    for (;;) {
      const double seconds = sample();
      if (was_interrupted()) return measured;
      require_life();
      if (seconds < sample_seconds && measured.generations < most_generations) {
        measured.generations *= 2;
      } else if (elapsed() > warm_up_seconds) {
        break;
      }
    }
    std::vector<double> samples;
    const auto timed = Clock::now();
    const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - timed).count(); };
    do {
      samples.push_back(sample());
      measured.summary = summarise(samples);
    } while (!was_interrupted() &&
             (samples.size() < least_samples ||
              (measured.summary.noise > enough_noise && spent() < options_.budget)) &&
             spent() < 20 * options_.budget);
    require_life();
    measured.samples = std::move(samples);
    measured.population_seconds = time_question([&] { return simulation.population(); });
    measured.hash_seconds = time_question([&] { return simulation.hash(); });
    measured.conversion = simulation.time_conversion();
    return measured;
  }

  // The median of some times
  template <class Question>
  static double time_question(const Question& question) {
    std::vector<double> samples;
    for (int i = 0; i < questions; ++i) {
      const auto begin = Clock::now();
      question();
      samples.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }
    return summarise(samples).median;
  }

  const moorea::Ceilings& ceilings(const std::string& device, int threads) {
    const auto key = std::make_pair(device, threads);
    const auto found = ceilings_.find(key);
    if (found != ceilings_.end()) return found->second;
    const moorea::Ceilings& measured = ceilings_[key] = moorea::measure_ceilings(device, threads);
    json_["ceilings"].push_back({{"device", device},
                                 {"threads", threads},
                                 {"copy_bytes_per_second", measured.copy_bytes_per_second},
                                 {"logic_words_per_second", measured.logic_words_per_second},
                                 {"logic_instruction", measured.logic_instruction}});
    return measured;
  }

  void report(const Configuration& configuration, const Measured& measured) {
    const Size& size = configuration.size;
    const moorea::KernelInfo& kernel = configuration.kernel;
    const double cells = static_cast<double>(size.width) * static_cast<double>(size.height);
    const double generations_per_second = static_cast<double>(measured.generations) / measured.summary.median;
    const double cells_per_second = cells * generations_per_second;
    const moorea::Ceilings& limit = ceilings(measured.device, measured.threads);
    const double copy =
        cells_per_second * kernel.bits_moved_per_cell / 8 / kernel.max_steps / limit.copy_bytes_per_second;
    const double logic = cells_per_second / 64 * kernel.operations_per_word / limit.logic_words_per_second;
    // What is left out is neither moved nor computed
    const bool moves = !kernel.skips, computes = !kernel.skips && kernel.operations_per_word > 0;
    Json row = {{"kernel", kernel.name},
                {"device", measured.device},
                {"rule", rule_.str()},
                {"topology", moorea::to_string(topology_)},
                {"width", size.width},
                {"height", size.height},
                {"threads", measured.threads},
                {"generations", measured.generations},
                {"samples", measured.samples.size()},
                {"median_seconds", measured.summary.median},
                {"spread", measured.summary.spread},
                {"noise", measured.summary.noise},
                {"generations_per_second", generations_per_second},
                {"cells_per_second", cells_per_second},
                {"part_of_copy_bandwidth", moves ? Json(copy) : Json()},
                {"part_of_logic_throughput", computes ? Json(logic) : Json()},
                {"checked_with", measured.checked_with}};
    if (measured.tiling) row["tiling"] = tiling_json(*measured.tiling);
    if (measured.launch_shape) add_launch_shape(row, *measured.launch_shape);
    if (measured.resources) {
      const std::optional<double> occupancy = measured.resources->occupancy;
      row["registers_per_thread"] = measured.resources->registers;
      row["shared_bytes_per_block"] = measured.resources->shared_bytes;
      row["occupancy"] = occupancy ? Json(*occupancy) : Json();
    }
    row["population_seconds"] = measured.population_seconds;
    row["hash_seconds"] = measured.hash_seconds;
    row["sample_seconds"] = measured.samples;
    if (measured.conversion) {
      row["encode_seconds"] = measured.conversion->encode_seconds;
      row["decode_seconds"] = measured.conversion->decode_seconds;
    }
    json_["results"].push_back(row);
    if (options_.json) return;
    print(fmt::format("{:{}} {:>13} {:>7} {:>12} {:>11.4g} {:>7.1f}% {:>8} {:>8}{}{}{}\n", kernel.name,
                      name_width(), fmt::format("{}x{}", size.width, size.height), measured.threads,
                      fmt::format("{:.5g}", generations_per_second), cells_per_second,
                      100 * measured.summary.spread, moves ? fmt::format("{:.1f}%", 100 * copy) : "-",
                      computes ? fmt::format("{:.1f}%", 100 * logic) : "-",
                      any_cuda() ? resources_text(measured.resources) : "",
                      options_.axes.tiles_asked() && measured.tiling ? tiling_text(*measured.tiling) : "",
                      options_.axes.launches_asked() && measured.launch_shape
                          ? "  " + launch_shape_text(*measured.launch_shape)
                          : ""));
  }

  void skip(const Configuration& configuration, const std::string& reason) {
    skipped_ = true;
    json_["not_timed"].push_back({{"kernel", configuration.kernel.name},
                                  {"width", configuration.size.width},
                                  {"height", configuration.size.height},
                                  {"reason", reason}});
    say(fmt::format("{} at {}x{}: {}", configuration.kernel.name, configuration.size.width,
                    configuration.size.height, reason));
  }

  Json header() const {
    Json json = machine_json();
    json["start"] = {{"density", options_.density}, {"seed", seed_}, {"generations", after_}};
    for (const char* list : {"ceilings", "results", "not_timed"}) json[list] = Json::array();
    return json;
  }

  void print_header() const {
    print(fmt::format(
        "{} {}, {}, density {}{}; every answer is compared with {} ({} in very large worlds) before it is "
        "timed\n",
        rule_.str(), rule_.name(), moorea::to_string(topology_), options_.density,
        after_ != 0 ? fmt::format(" after {} generations", after_) : "", reference_kernel, large_reference));
    print(fmt::format("{:{}} {:>13} {:>7} {:>12} {:>11} {:>8} {:>8} {:>8}{}{}{}\n", "kernel", name_width(),
                      "size", "threads", "gens/s", "cells/s", "spread", "of copy", "of logic",
                      any_cuda() ? " registers occupancy" : "", options_.axes.tiles_asked() ? "  tiles" : "",
                      options_.axes.launches_asked() ? "  block" : ""));
  }

  std::size_t name_width() const {
    std::size_t width = 24;
    for (const moorea::KernelInfo& kernel : kernels_) width = std::max(width, kernel.name.size());
    return width;
  }

  bool any_cuda() const {
    return std::any_of(kernels_.begin(), kernels_.end(),
                       [](const moorea::KernelInfo& kernel) { return kernel.backend == "cuda"; });
  }

  static std::string resources_text(const std::optional<moorea::KernelResources>& resources) {
    return fmt::format(
        " {:>9} {:>9}", resources ? fmt::to_string(resources->registers) : "-",
        resources && resources->occupancy ? fmt::format("{:.1f}%", 100 * *resources->occupancy) : "-");
  }

  static std::string tiling_text(const moorea::Tiling& tiling) {
    return fmt::format("  {}x{} {} {}", tiling.tile.width, tiling.tile.height, to_string(tiling.schedule),
                       to_string(tiling.placement));
  }

  const BenchOptions& options_;
  moorea::Rule rule_;
  moorea::Topology topology_;
  std::uint64_t seed_, after_;
  std::vector<moorea::Options> engines_;
  moorea::Grid start_{0, 0};
  std::vector<int> threads_;
  std::vector<moorea::KernelInfo> kernels_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> expected_;
  std::map<std::pair<std::string, int>, moorea::Ceilings> ceilings_;
  Json json_;
  bool wrong_ = false, skipped_ = false;
};

}  // namespace

Action add_bench(CommandLine& line) {
  Command command =
      line.add_command("bench", "Time kernels on noise, each checked against the reference first");
  const auto options = std::make_shared<BenchOptions>();
  command
      .add_list("--kernel", options->kernels,
                "Kernels to time; auto is what runs where none is named. Default: all that run here")
      .type_name("A,B,...");
  command.add_list("--size", options->sizes, "World sizes. Default: 4096").type_name("N|WxH,...");
  command.add_option("-r,--rule", options->rule, "Rule. Default: Life").type_name("RULE");
  command.add_option("--topology", options->topology, "plane or torus. Default: torus")
      .type_name("plane|torus");
  command.add_list("--threads", options->threads, "CPU threads. Default: all cores").type_name("N,...");
  command.add_list("--device", options->devices, "Devices. Default: auto").type_name("NAME,...");
  add_axes(command, options->axes);
  command.add_option("--random", options->density, "Density of the noise to start from. Default: 0.5")
      .type_name("P");
  command.add_option("--seed", options->seed, "Seed of the noise. Default: 0").type_name("S");
  command
      .add_option("--after", options->after,
                  "Generations that the noise has behind it before anything is timed. Default: 0")
      .type_name("N");
  command
      .add_option("--budget", options->budget,
                  "Seconds of sampling for one configuration while its median is noisy. Default: 2")
      .positive()
      .type_name("SECONDS");
  command.add_flag("--json", options->json, "Print JSON");
  command.footer(
      "gens/s and cells/s are from the median of the samples; spread is the distance of their quartiles. "
      "\"of copy\"\n"
      "and \"of logic\" compare with this machine's copy bandwidth and logic throughput, measured in the "
      "same run: what\n"
      "a kernel would reach if memory, or the logic units, were its only limit. Worlds that fit in a cache "
      "can exceed\n"
      "100 % of the copy bandwidth.\n"
      "With --tile, --schedule, --placement, --block or --bytes-per-thread the kernels timed by default are "
      "those that\n"
      "take them. For CUDA kernels registers are those of a thread, occupancy the part of a "
      "multiprocessor's threads that\n"
      "can be at work at a time; --json also has the times for the cells' way to the kernel's layout and "
      "back, which are\n"
      "no part of a generation's.\n"
      "Examples:\n"
      "  moorea bench\n"
      "  moorea bench --kernel cpu/ladder/02_tiled --tile 32x32,256x64 --schedule static --schedule "
      "dynamic,4\n"
      "  moorea bench --kernel cuda/ladder/11_bits_bytes --block 64,256 --bytes-per-thread 1,8,64\n"
      "  moorea bench --kernel cpu/bits --size 1024,4096,16384 --threads 1,2 --json > results.json\n"
      "Exits with 3 when a kernel's answer is wrong (it is not timed then).");
  return [options] {
    catch_interruption();
    return Bench(*options).run();
  };
}

}  // namespace app
