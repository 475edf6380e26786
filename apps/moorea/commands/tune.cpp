// SPDX-License-Identifier: MIT
// moorea tune: measures once which plans are fastest on this machine, for all simulations.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "cli/app.h"
#include "cli/child.h"
#include "cli/clock.h"
#include "cli/paths.h"
#include "cli/ranges.h"
#include "lab/combinations.h"
#include "lab/sweep.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/lab/instruments.h"
#include "moorea/lab/starting_worlds.h"
#include "moorea/lab/tuning.h"
#include "moorea/support/output_file.h"
#include "report/results.h"

namespace app {
namespace {

struct TuneOptions {
  std::vector<std::string> kernels;
  std::vector<std::string> sizes, rules;  // empty: defaults below
  double budget = 0.1;
  std::string output;
  std::string results;
  bool allow_busy = false;
};

// Moorea's default kernels are measured more thoroughly than others, because most runs use them.
const std::vector<std::string> sizes_of_own = {"256:4096:x4"}, sizes_of_own_on_gpus = {"1024:16384:x4"},
                               sizes_of_others = {"512", "4096"};
const std::vector<std::string> rules_of_own = {"Life", "HighLife", "B36/S124"};  // by what their logic costs
const std::vector<std::string> rules_of_others = {"Life"};

using Devices = std::map<std::string, moorea::TunedDevice>;  // by name

double cells_of(const Json& row) { return row.at("width").get<double>() * row.at("height").get<double>(); }

// Moorea's default kernels on a device; as the device is named, without earlier measurements.
moorea::KernelPair default_kernels(const std::string& device, const moorea::Size& size) {
  moorea::Options options;
  options.device = device;
  const moorea::WorldSpec world = {{}, moorea::Topology::torus, size.width, size.height};
  return moorea::KernelPair::parse(moorea::plan_run(world, options).kernel);
}

// Seconds of a process that creates an empty world on the device and ends.
double start_of(const std::string& device) {
  std::vector<double> samples;
  for (int i = 0; i < 3; ++i) {
    const auto begin = Clock::now();
    const ChildEnd end =
        run_child({"run", "--random", "0", "--size", "64", "-g", "0", "--json", "--device", device});
    if (!end.started || end.signal != 0 || end.exit != ok)
      throw moorea::Error(
          fmt::format("moorea run --device {} did not run, so its start could not be timed", device));
    samples.push_back(since(begin));
  }
  return summarise(samples).median;
}

// The options of a kernel that are measured in addition to its defaults.
Axes axes_of(const moorea::KernelInfo& kernel) {
  Axes axes;
  const moorea::TileSize tile = kernel.tile;
  if (tile.width != 0)
    axes.tiles = {fmt::format("{}x{}", tile.width, tile.height * 4),
                  fmt::format("{}x{}", tile.width * 2, tile.height)};
  if (kernel.passes_chosen && kernel.max_steps >= 8) {
    // The maximum only with another tile: otherwise it is the default
    for (int part = tile.width != 0 ? 1 : 2; part <= 4; part *= 2)
      axes.generations_a_pass.push_back(std::to_string(kernel.max_steps / part));
  }
  if (kernel.block.width != 0 && kernel.block.height == 1) {
    for (const int threads : {64, 128, 256}) {
      if (threads != kernel.block.width) axes.blocks.push_back(std::to_string(threads));
    }
  }
  return axes;
}

// Throws for a named kernel that does not exist, does not run, or is never measured.
void require_measurable(const std::string& name, const std::vector<moorea::KernelInfo>& kernels) {
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const auto& each) { return each.name == name; });
  if (found == kernels.end())
    usage(fmt::format("there is no kernel \"{}\" in this build; see moorea kernels", name));
  if (!found->runs)
    throw moorea::Error(fmt::format("kernel {} cannot run here: {}", name, found->reason),
                        moorea::ErrorKind::unavailable);
  if (found->skips || name == reference_kernel)
    usage(fmt::format("kernel {} is not measured: {}", name,
                      found->skips ? "it skips inactive regions, so its speed depends on the world"
                                   : "it is the reference of the others"));
}

// By default all kernels of flat worlds outside the ladder, and the ladder's last one with tiles. The speed
// of those that skip inactive tiles is a property of the world; Moorea changes to them when it has become
// quiet.
bool is_wanted(const moorea::KernelInfo& kernel, const std::vector<std::string>& named) {
  if (!kernel.runs || kernel.skips || kernel.name == reference_kernel) return false;
  const auto has = [&](const char* part) { return kernel.name.find(part) != std::string::npos; };
  if (named.empty()) return has("13_bits_temporal") || !(has("/ladder/") || has("/mesh/"));
  return std::find(named.begin(), named.end(), kernel.name) != named.end();
}

// Adds the combinations of a selection for a kernel with its defaults, and with the options of axes_of().
void add_kernel(std::vector<Configuration>& all, const moorea::KernelInfo& kernel, Selection selection) {
  selection.kernels = {kernel.name};
  for (const Axes& axes : {Axes(), axes_of(kernel)}) {
    selection.axes = axes;
    try {
      const std::vector<Configuration> some = combine(selection).configurations;
      all.insert(all.end(), some.begin(), some.end());  // the sweep measures equal ones once
    } catch (const moorea::Error& error) {
      if (error.kind() != moorea::ErrorKind::unavailable) throw;
    }
  }
}

void add_device(std::vector<Configuration>& all, const std::string& device, const TuneOptions& options,
                const std::vector<moorea::KernelInfo>& kernels) {
  const std::optional<moorea::Backend> backend = moorea::backend_of_device(device);
  const std::vector<std::string>& default_sizes =
      backend == moorea::Backend::cuda ? sizes_of_own_on_gpus : sizes_of_own;
  const auto chosen = [](const auto& requested, const auto& by_default) {
    return requested.empty() ? by_default : requested;
  };
  std::set<std::string> own;
  for (const std::string& size : expand_sizes(chosen(options.sizes, default_sizes), "--size"))
    own.insert(default_kernels(device, parse_size(size)).busy);
  for (const moorea::KernelInfo& kernel : kernels) {
    const bool is_own = own.contains(kernel.name);
    if (kernel.backend != backend || !(is_own || is_wanted(kernel, options.kernels))) continue;
    Selection selection;
    selection.devices = {device};
    selection.sizes = chosen(options.sizes, is_own ? default_sizes : sizes_of_others);
    selection.rules = chosen(options.rules, is_own ? rules_of_own : rules_of_others);
    add_kernel(all, kernel, selection);
  }
}

// The configurations to measure on these devices.
std::vector<Configuration> candidates(const TuneOptions& options, const Devices& devices) {
  const std::vector<moorea::KernelInfo> kernels = moorea::list_kernels();
  for (const std::string& name : options.kernels) require_measurable(name, kernels);
  std::vector<Configuration> all;
  for (const auto& [device, about] : devices) add_device(all, device, options, kernels);
  return all;
}

// Value of TunedDevice::quiet.
std::optional<std::string> quiet_on(const std::string& device) {
  if (moorea::backend_of_device(device) == moorea::Backend::cuda) return std::nullopt;
  return default_kernels(device, {64, 64}).quiet;
}

// Seconds per generation of Moorea's own choice in a busy world, if it starts with its kernel for quiet
// worlds: in small worlds that one is faster even then. Throws moorea::Error for a wrong answer.
std::optional<double> seconds_in_tiles(const Start& start, const moorea::Options& options, Json& row) {
  constexpr std::uint64_t generations = 48;
  constexpr std::size_t samples = 9, tries = 27;
  const moorea::Grid world = moorea::starting_world(start.world, start.size.width, start.size.height);
  std::vector<TimedSample> seconds;
  std::optional<std::uint64_t> hash;
  CpuWatch watch(0);
  while (seconds.size() < samples || (keep(seconds, samples).busy && seconds.size() < tries)) {
    moorea::Simulation simulation(start.rule, start.topology, world, options);
    watch.begin();
    const auto begin = Clock::now();
    simulation.step(generations);
    const double taken = since(begin);
    seconds.push_back({taken, watch.end()});
    if (moorea::tile_counts(simulation).computed == 0) return std::nullopt;
    hash = simulation.hash();
  }
  moorea::Options reference;
  reference.kernel = reference_kernel;
  moorea::Simulation expected(start.rule, start.topology, world, reference);
  expected.step(generations);
  if (hash != expected.hash()) throw moorea::Error("Moorea's own choice of kernels gives a wrong answer");
  const KeptSamples kept = keep(seconds, samples);
  if (kept.busy) {
    row["busy"] = true;
    row["cpu_taken"] = watch.taken_seconds() / watch.watched_seconds();
  }
  return summarise(kept.seconds).median / static_cast<double>(generations);
}

// The rows, and those of Moorea's default kernel once more as the rows of "auto".
Json with_own(const Json& document) {
  Json all = document;
  for (const Json& row : document["results"]) {
    const Json& asked = row["asked"];
    Configuration plain;
    plain.kernel.name = row["kernel"].get<std::string>();
    plain.start = {moorea::Rule::parse(row["rule"].get<std::string>()),
                   moorea::parse_topology(row["topology"].get<std::string>()),
                   {row["width"].get<std::int64_t>(), row["height"].get<std::int64_t>()},
                   row["start"].get<std::string>(),
                   row["after"].get<std::uint64_t>()};
    plain.options.device = asked["device"].get<std::string>();
    if (asked != app::asked(plain)) continue;  // other options were chosen as well
    if (default_kernels(plain.options.device, plain.start.size).busy != plain.kernel.name) continue;
    Json own = row;
    own["asked"]["kernel"] = automatic;
    plain.options.kernel.clear();
    // A GPU counts tiles as well, but those are in the samples already
    if (plain.options.device == "cpu") {
      if (const std::optional<double> seconds = seconds_in_tiles(plain.start, plain.options, own))
        own["generations_per_second"] = 1 / *seconds;
    }
    all["results"].push_back(own);
  }
  return all;
}

// All devices with the time until they are ready; those that fail are left out and reported.
Devices ready_devices() {
  Devices devices;
  for (const moorea::DeviceInfo& device : moorea::list_devices()) {
    if (was_interrupted()) break;
    try {
      devices[device.name] = {device.description, start_of(device.name), quiet_on(device.name)};
    } catch (const moorea::Error& error) {
      if (!was_interrupted()) say(fmt::format("{}; it is left out", error.what()));
    }
  }
  const double of_cpu = devices["cpu"].start_seconds;
  for (auto& [name, device] : devices) device.start_seconds = std::max(0.0, device.start_seconds - of_cpu);
  return devices;
}

// From the results, in which "auto" has the times of the kernel that it is in a busy world.
moorea::Tuning tuning_of(const Json& document, const Devices& devices) {
  moorea::Tuning tuning;
  tuning.date = document.at("date").get<std::string>();
  tuning.devices = devices;
  for (const Json& row : document.at("results"))
    tuning.add(read_options(row.at("asked")), moorea::Rule::parse(words(row.at("rule"))), cells_of(row),
               1 / row.at("generations_per_second").get<double>());
  return tuning;
}

void show(const moorea::Tuning& tuning, const Json& results) {
  std::set<std::pair<std::string, double>> shown;
  print(fmt::format("{:16} {:>13} {:>12}  {:16} {}\n", "rule", "size", "10,000 gens", "run takes",
                    "the fastest in a busy world"));
  for (const Json& row : results) {
    const std::string rule = words(row["rule"]);
    if (!shown.emplace(rule, cells_of(row)).second) continue;
    const moorea::WorldSpec world = {moorea::Rule::parse(rule), moorea::Topology::torus,
                                     row["width"].get<std::int64_t>(), row["height"].get<std::int64_t>()};
    const std::vector<moorea::Estimate> list =
        moorea::estimate_runs(tuning, world, moorea::default_generations);
    const auto fastest = std::min_element(list.begin(), list.end(), [](const auto& x, const auto& y) {
      return std::pair(x.seconds, !x.options.kernel.empty()) <
             std::pair(y.seconds, !y.options.kernel.empty());
    });
    print(fmt::format("{:16} {:>13} {:>12}  {:16} {}\n", rule,
                      fmt::format("{}x{}", row["width"].dump(), row["height"].dump()),
                      human_seconds(list.front().seconds), list.front().name,
                      fastest == list.begin() ? "the same" : fastest->name));
  }
}

std::string output_path(const TuneOptions& options) {
  const std::string path = options.output.empty() ? moorea::tuning_file() : options.output;
  if (path.empty())
    usage(
        "there is no place to keep the measurements: neither XDG_CACHE_HOME nor HOME is set; -o FILE names "
        "one");
  if (path == "-" || options.results == "-") usage("standard output has the table: name a file");
  require_different_files("-o", path, "--results", options.results);
  std::error_code ignored;
  if (options.output.empty())
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  return path;
}

// Throws if the sweep measured nothing.
void require_results(const Sweep& sweep) {
  const Json& document = sweep.document();
  if (!document["results"].empty()) return;
  const Json& reasons = document["not_timed"];
  throw moorea::Error(
      "nothing could be measured" + (reasons.empty() ? "" : ": " + words(reasons[0]["reason"])),
      sweep.first_refusal().value_or(moorea::ErrorKind::unavailable));
}

void require_quiet(const Json& results, bool allow_busy) {
  const std::string busy = busy_text(results);
  if (busy.empty()) return;
  if (!allow_busy)
    throw moorea::Error(
        busy + ": nothing is kept; end the other processes and tune again, or keep it by --allow-busy");
  say(busy + "; kept nevertheless");
}

int report_wrong_answers(const Json& not_timed) {
  for (const Json& row : not_timed)
    say(fmt::format("{}: {}", row["kernel"].get<std::string>(), row["reason"].get<std::string>()));
  return results_differ;
}

int tune(const TuneOptions& options) {
  const std::string path = output_path(options);
  catch_interruption();
  moorea::OutputFile file(path);
  std::optional<moorea::OutputFile> results;
  if (!options.results.empty()) results.emplace(options.results);
  const Devices devices = ready_devices();
  SweepOptions how;
  how.sampling.budget = options.budget;
  how.sampling.rounds = 1;
  Sweep sweep(candidates(options, devices), how);
  sweep.run();
  if (was_interrupted()) {
    say(fmt::format("{}: nothing is kept", interruption_text()));
    return interruption_exit();
  }
  const Json& document = sweep.document();
  if (sweep.any_wrong()) return report_wrong_answers(document["not_timed"]);
  require_results(sweep);
  const Json all = with_own(document);
  if (results) {
    results->write(document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    results->finish();
  }
  require_quiet(all["results"], options.allow_busy);
  const moorea::Tuning tuning = tuning_of(all, devices);
  file.write(moorea::format_tuning(tuning));
  file.finish();
  const std::size_t refused = document["not_timed"].size();
  say(fmt::format("{} measurements{}; kept in {}", document["results"].size(),
                  refused == 0 ? "" : fmt::format(", {} unsupported configurations", refused), path));
  show(tuning, document["results"]);
  return ok;
}

constexpr const char* footer =
    "It takes a few minutes. Every answer is compared with the reference's before it is timed.\n"
    "From then on run, view, serve, film, render, bench and programs that use the library take the\n"
    "device, kernel, tile, block and generations per pass that are predicted to finish first, if none of\n"
    "these was chosen and the world's size is fixed; --explain prints the predictions, and --no-tuning\n"
    "ignores them. Times are those of tori that are active everywhere, by their number of cells. They are\n"
    "kept in $XDG_CACHE_HOME/moorea or ~/.cache/moorea, for this kind of processor, this number of threads\n"
    "and this version. Nothing is kept if other processes used the CPUs meanwhile (exit 1).\n"
    "Examples:\n"
    "  moorea tune\n"
    "  moorea run --random 0.5 --size 4096 -g 1000 --explain";

}  // namespace

Action add_tune(CommandLine& line) {
  Command command =
      line.add_command("tune", "Measure once what is fastest on this machine, for all simulations");
  const auto options = std::make_shared<TuneOptions>();
  command
      .add_list("--kernel", options->kernels,
                "Kernels to measure in addition to Moorea's default ones. Default: all outside the ladder "
                "but those of meshes, and its last one with tiles")
      .type_name("A,B,...");
  command
      .add_list("--size", options->sizes,
                "World sizes. Default: 256:4096:x4, on CUDA devices 1024:16384:x4; 512 and 4096 for kernels "
                "other than Moorea's default ones")
      .type_name("N|WxH|RANGE,...");
  command
      .add_list("-r,--rule", options->rules,
                "Rules; another rule is predicted like the one with the most similar logic. Default: Life, "
                "HighLife and B36/S124; Life for kernels other than Moorea's default ones")
      .type_name("RULE,...");
  command
      .add_option("--budget", options->budget,
                  "Maximum seconds of sampling for one configuration while it is noisy. Default: 0.1")
      .positive()
      .type_name("SECONDS");
  command.add_option("-o,--output", options->output, "Write it here instead of where simulations look for it")
      .type_name("FILE");
  command.add_option("--results", options->results, "Write all measurements here, as moorea bench does")
      .type_name("FILE");
  command.add_flag("--allow-busy", options->allow_busy,
                   "Keep measurements made while other processes used the CPUs as well");
  command.footer(footer);
  return [options] { return tune(*options); };
}

}  // namespace app
