// SPDX-License-Identifier: MIT
// moorea tune: measures once what is fastest on this machine, for run to know.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "cli/app.h"
#include "cli/child.h"
#include "cli/clock.h"
#include "cli/paths.h"
#include "cli/ranges.h"
#include "lab/combinations.h"
#include "lab/sweep.h"
#include "lab/tuning.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/output_file.h"
#include "moorea/start.h"
#include "report/results.h"

namespace app {
namespace {

[[noreturn]] void usage(const std::string& text) { throw moorea::Error(text, moorea::ErrorKind::usage); }

struct TuneOptions {
  std::vector<std::string> kernels;
  std::vector<std::string> sizes, rules;  // empty: as below
  double budget = 0.1;
  std::string output;
  std::string results;
  bool allow_busy = false;
};

// The kernels that Moorea takes by itself are measured more thoroughly than others, for those it mostly is.
const std::vector<std::string> sizes_of_own = {"256:4096:x4"}, sizes_of_own_on_gpus = {"1024:16384:x4"},
                               sizes_of_others = {"512", "4096"};
const std::vector<std::string> rules_of_own = {"Life", "HighLife", "B36/S124"};  // by what their logic costs
const std::vector<std::string> rules_of_others = {"Life"};

// What Moorea takes by itself on a device for a busy world of this size; asked once.
std::string own_kernel(const std::string& device, const moorea::Size& size) {
  static std::map<std::tuple<std::string, std::int64_t, std::int64_t>, std::string> known;
  const auto [found, is_new] = known.try_emplace({device, size.width, size.height});
  if (is_new) {
    moorea::Options options;
    options.device = device;
    const std::string kernels =
        moorea::Simulation({}, moorea::Topology::torus, moorea::Grid(size.width, size.height), options)
            .kernel();
    found->second = kernels.substr(0, kernels.find(" + "));
  }
  return found->second;
}

// Of a process that makes an empty world there and ends.
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

// What is tried of what a kernel lets be chosen, beside what it takes by itself.
Axes axes_of(const moorea::KernelInfo& kernel) {
  Axes axes;
  const moorea::TileSize tile = kernel.tile;
  if (tile.width != 0)
    axes.tiles = {fmt::format("{}x{}", tile.width, tile.height * 4),
                  fmt::format("{}x{}", tile.width * 2, tile.height)};
  if (kernel.passes_chosen && kernel.max_steps >= 8) {
    // All of them only with another tile: else that is the kernel as it is
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

// Every kernel that is no step of the ladder, but for the last one that takes tiles. Those that leave out
// what rests have no speed of their own; Moorea takes them where a world has become quiet.
std::vector<Configuration> candidates(const TuneOptions& options,
                                      const std::map<std::string, Tuning::Device>& devices) {
  const std::vector<moorea::KernelInfo> kernels = moorea::list_kernels();
  for (const std::string& name : options.kernels) {
    const auto found =
        std::find_if(kernels.begin(), kernels.end(), [&](const auto& each) { return each.name == name; });
    if (found == kernels.end())
      throw moorea::Error(fmt::format("there is no kernel \"{}\" in this build; see moorea kernels", name),
                          moorea::ErrorKind::usage);
    if (!found->runs)
      throw moorea::Error(fmt::format("kernel {} cannot run here: {}", name, found->reason),
                          moorea::ErrorKind::unavailable);
    if (found->skips || name == reference_kernel)
      throw moorea::Error(fmt::format("kernel {} is not measured: {}", name,
                                      found->skips ? "it leaves out what rests, so its speed is the world's"
                                                   : "it is what others are compared with"),
                          moorea::ErrorKind::usage);
  }
  const auto wanted = [&](const moorea::KernelInfo& kernel) {
    if (!kernel.runs || kernel.skips || kernel.name == reference_kernel) return false;
    if (options.kernels.empty())
      return kernel.name.find("/ladder/") == std::string::npos ||
             kernel.name.find("13_bits_temporal") != std::string::npos;
    return std::find(options.kernels.begin(), options.kernels.end(), kernel.name) != options.kernels.end();
  };
  std::vector<Configuration> all;
  for (const auto& [device, about] : devices) {
    const std::vector<std::string>& usual =
        moorea::backend_of_device(device) == moorea::Backend::cuda ? sizes_of_own_on_gpus : sizes_of_own;
    std::set<std::string> own;
    for (const std::string& size : expand_sizes(options.sizes.empty() ? usual : options.sizes, "--size"))
      own.insert(own_kernel(device, parse_size(size)));
    for (const moorea::KernelInfo& kernel : kernels) {
      if (moorea::backend_of_device(device) != kernel.backend) continue;
      const bool is_own = own.contains(kernel.name);
      if (!wanted(kernel) && !is_own) continue;
      Selection selection;
      selection.kernels = {kernel.name};
      selection.devices = {device};
      selection.sizes = !options.sizes.empty() ? options.sizes : is_own ? usual : sizes_of_others;
      selection.rules = !options.rules.empty() ? options.rules : is_own ? rules_of_own : rules_of_others;
      for (const Axes& axes : {Axes(), axes_of(kernel)}) {
        selection.axes = axes;
        try {
          const std::vector<Configuration> some = combine(selection);
          all.insert(all.end(), some.begin(), some.end());  // what is twice there is measured once
        } catch (const moorea::Error& error) {
          if (error.kind() != moorea::ErrorKind::unavailable) throw;
        }
      }
    }
  }
  return all;
}

// As Tuning::Device::quiet.
std::optional<std::string> quiet_on(const std::string& device) {
  if (moorea::backend_of_device(device) == moorea::Backend::cuda) return std::nullopt;
  moorea::Options options;
  options.device = device;
  const std::string kernels =
      moorea::Simulation({}, moorea::Topology::torus, moorea::Grid(64, 64), options).kernel();
  const std::size_t plus = kernels.find(" + ");
  return plus == std::string::npos ? "" : kernels.substr(plus + 3);
}

// Seconds a generation of what Moorea takes by itself, while all is busy, where it does not begin with its
// kernel for that: in small worlds tiles are the cheaper ones even then. Throws moorea::Error for a wrong
// answer.
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
    if (simulation.tile_counts().computed == 0) return std::nullopt;
    hash = simulation.hash();
  }
  moorea::Options reference;
  reference.kernel = reference_kernel;
  moorea::Simulation expected(start.rule, start.topology, world, reference);
  expected.step(generations);
  if (hash != expected.hash()) throw moorea::Error("what Moorea takes by itself gives a wrong answer");
  const KeptSamples kept = keep(seconds, samples);
  if (kept.busy) {
    row["busy"] = true;
    row["cpu_taken"] = watch.taken_seconds() / watch.watched_seconds();
  }
  return summarise(kept.seconds).median / static_cast<double>(generations);
}

// The rows, and once more, for what Moorea takes by itself, those of the kernel that this is.
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
    if (asked != app::asked(plain)) continue;  // something else was chosen, too
    if (own_kernel(plain.options.device, plain.start.size) != plain.kernel.name) continue;
    Json own = row;
    own["asked"]["kernel"] = automatic;
    plain.options.kernel.clear();
    // A GPU counts tiles, too, but none that the samples before did not have
    if (plain.options.device == "cpu") {
      if (const std::optional<double> seconds = seconds_in_tiles(plain.start, plain.options, own))
        own["generations_per_second"] = 1 / *seconds;
    }
    all["results"].push_back(own);
  }
  return all;
}

// Every device with the time until it is ready; those that cannot be made ready are left out, and said.
std::map<std::string, Tuning::Device> ready_devices() {
  std::map<std::string, Tuning::Device> devices;
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

void show(const Tuning& tuning, const Json& results) {
  std::set<std::pair<std::string, double>> shown;
  print(fmt::format("{:16} {:>13} {:>12}  {:16} {}\n", "rule", "size", "10,000 gens", "run takes",
                    "the fastest while all is busy"));
  for (const Json& row : results) {
    const std::string rule = words(row["rule"]);
    const double cells = row["width"].get<double>() * row["height"].get<double>();
    if (!shown.emplace(rule, cells).second) continue;
    const std::vector<Prediction> list =
        tuning.predict(moorea::Rule::parse(rule), cells, 10000, [](const std::string&) { return true; });
    const auto fastest = std::min_element(list.begin(), list.end(), [](const auto& x, const auto& y) {
      return std::pair(x.seconds, !x.way->is_automatic()) < std::pair(y.seconds, !y.way->is_automatic());
    });
    print(fmt::format("{:16} {:>13} {:>12}  {:16} {}\n", rule,
                      fmt::format("{}x{}", row["width"].dump(), row["height"].dump()),
                      human_seconds(list.front().seconds), list.front().way->name,
                      fastest == list.begin() ? "the same" : fastest->way->name));
  }
}

int tune(const TuneOptions& options) {
  const std::string path = options.output.empty() ? tuning_file() : options.output;
  if (path.empty())
    usage(
        "there is no place to keep what is measured: neither XDG_CACHE_HOME nor HOME is set; -o FILE names "
        "one");
  if (path == "-" || options.results == "-") usage("standard output has the table: name a file");
  require_different_files("-o", path, "--results", options.results);
  catch_interruption();
  std::error_code ignored;
  if (options.output.empty())
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  moorea::OutputFile file(path);
  std::optional<moorea::OutputFile> results;
  if (!options.results.empty()) results.emplace(options.results);
  const std::map<std::string, Tuning::Device> devices = ready_devices();
  SweepOptions how;
  how.budget = options.budget;
  how.rounds = 1;
  Sweep sweep(candidates(options, devices), how);
  sweep.run();
  if (was_interrupted()) {
    say("interrupted: nothing is kept");
    return interruption_exit();
  }
  const Json& document = sweep.document();
  if (sweep.any_wrong()) {
    for (const Json& row : document["not_timed"])
      say(fmt::format("{}: {}", row["kernel"].get<std::string>(), row["reason"].get<std::string>()));
    return results_differ;
  }
  if (document["results"].empty()) {
    const Json& reasons = document["not_timed"];
    throw moorea::Error(
        "nothing could be measured" + (reasons.empty() ? "" : ": " + words(reasons[0]["reason"])),
        sweep.first_refusal().value_or(moorea::ErrorKind::unavailable));
  }
  const Json all = with_own(document);
  if (results) {
    results->write(document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    results->finish();
  }
  if (const std::string busy = busy_text(all["results"]); !busy.empty()) {
    if (!options.allow_busy)
      throw moorea::Error(
          busy + ": nothing is kept; end the other processes and tune again, or keep it by --allow-busy");
    say(busy + "; kept all the same");
  }
  const Tuning tuning(all, devices);
  file.write(tuning.json().dump() + "\n");
  file.finish();
  say(fmt::format("{} measurements{}; kept in {}", document["results"].size(),
                  document["not_timed"].empty()
                      ? ""
                      : fmt::format(", {} of what was tried cannot be", document["not_timed"].size()),
                  path));
  show(tuning, document["results"]);
  return ok;
}

}  // namespace

Action add_tune(CommandLine& line) {
  Command command = line.add_command("tune", "Measure once what is fastest on this machine, for run to know");
  const auto options = std::make_shared<TuneOptions>();
  command
      .add_list(
          "--kernel", options->kernels,
          "Kernels to measure beside those that Moorea takes by itself. Default: all that are no step of "
          "the ladder, and its last one that takes tiles")
      .type_name("A,B,...");
  command
      .add_list(
          "--size", options->sizes,
          "World sizes. Default: 256:4096:x4, on CUDA devices 1024:16384:x4; 512 and 4096 for kernels that "
          "Moorea does not take by itself")
      .type_name("N|WxH|RANGE,...");
  command
      .add_list("-r,--rule", options->rules,
                "Rules; others are taken for the one whose logic costs most nearly as much. Default: Life, "
                "HighLife and B36/S124; Life for kernels that Moorea does not take by itself")
      .type_name("RULE,...");
  command
      .add_option("--budget", options->budget,
                  "Seconds of sampling for one configuration while it is noisy. Default: 0.1")
      .positive()
      .type_name("SECONDS");
  command.add_option("-o,--output", options->output, "Write it here instead of where run looks for it")
      .type_name("FILE");
  command.add_option("--results", options->results, "Write all measurements here, as moorea bench does")
      .type_name("FILE");
  command.add_flag("--allow-busy", options->allow_busy,
                   "Keep what was measured while other processes used the CPUs, too");
  command.footer(
      "It takes a minute or two. Every answer is compared with the reference's before it is timed.\n"
      "moorea run then takes the device, kernel, tile, block and generations a pass that are predicted to\n"
      "be done first, where nothing of how it runs was named and the world's size is fixed; moorea run\n"
      "--explain tells that and why the other ways lost. Times are those of tori that are busy all over,\n"
      "by their number of cells. They are kept in $XDG_CACHE_HOME/moorea or ~/.cache/moorea, for this kind\n"
      "of processor, this number of threads and this version; what -o wrote is not looked for.\n"
      "Nothing is kept where other processes used the CPUs meanwhile (exit 1).\n"
      "Examples:\n"
      "  moorea tune\n"
      "  moorea run --random 0.5 --size 4096 -g 1000 --explain");
  return [options] { return tune(*options); };
}

}  // namespace app
