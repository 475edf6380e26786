// SPDX-License-Identifier: MIT
// moorea trace: records which thread computed which tile, and when.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "cli/app.h"
#include "cli/clock.h"
#include "cli/cpu_watch.h"
#include "cli/input_files.h"
#include "cli/status_line.h"
#include "cli/world.h"
#include "moorea/device_list.h"
#include "moorea/error.h"
#include "moorea/lab/instruments.h"
#include "moorea/support/file_names.h"
#include "moorea/support/output_file.h"
#include "report/statistics.h"
#include "report/timeline.h"

namespace app {
namespace {

constexpr std::size_t max_events = 2'000'000;  // about a hundred bytes each in the file

struct TraceOptions {
  WorldOptions world;
  EngineOptions engine;
  std::string generations = "100";
  std::string every = "1";
  std::string against, against_schedule;  // the second run; empty: as the first
  std::string output;

  bool has_two() const { return !against.empty() || !against_schedule.empty(); }
};

double median(std::vector<double> samples) {
  return samples.empty() ? 0 : summarise(std::move(samples)).median;
}

std::string about(const moorea::Simulation& simulation) {
  std::string text =
      fmt::format("{} on a {}, {} x {} cells, {}", simulation.rule().str(),
                  moorea::to_string(simulation.topology()), simulation.width(), simulation.height(),
                  counted(static_cast<std::uint64_t>(simulation.threads()), "thread"));
  if (const auto& tiling = simulation.tiling()) {
    text += fmt::format(", tiles of {} x {}, schedule {}, placement {}", tiling->tile.width,
                        tiling->tile.height, to_string(tiling->schedule), to_string(tiling->placement));
  }
  return text;
}

// Records every n-th generation of a simulation, and times generations with and without recording.
class Recorder {
 public:
  Recorder(moorea::Simulation& simulation, std::uint64_t every)
      : simulation_(simulation), every_(every), watch_(simulation.threads()) {
    timeline_.kernel = timeline_.name = simulation.kernel();
    if (const auto& tiling = simulation.tiling())
      timeline_.name += ", schedule " + to_string(tiling->schedule);
    timeline_.threads = simulation.threads();
    const std::vector<moorea::PartState> parts = simulation.parts();
    if (parts.empty()) return;
    timeline_.threads = static_cast<int>(parts.size());
    for (const moorea::PartState& part : parts) timeline_.names.push_back(part.device);
  }

  void record(std::uint64_t generations) {
    StatusLine status;
    const std::uint64_t first = simulation_.generation();
    const auto done = [&] { return simulation_.generation() - first; };
    while (done() < generations && !was_interrupted() && !is_full()) {
      step_traced(timeline_.names.empty() ? 1 : std::min(max_at_once, generations - done()));
      for (std::uint64_t i = 1; i < every_ && done() < generations && !was_interrupted(); ++i) step_plain(1);
      if (status.due())
        status.show(
            fmt::format("generation {} of {}, {} tiles", done(), generations, timeline_.events.size()));
    }
    status.clear();
    if (is_full())
      say(fmt::format("{} tiles recorded, the maximum: stopped at generation {}; --every records fewer",
                      max_events, simulation_.generation()));
    // Generations that are not recorded, between or after the recorded ones, show the cost of recording
    const std::uint64_t plain_steps = timeline_.names.empty() ? std::min(recorded_, max_plain_steps) : 1;
    while (plain_.size() < plain_steps && !was_interrupted())
      step_plain(timeline_.names.empty() ? 1 : recorded_);
  }

  Timeline timeline() {
    timeline_.about = about(simulation_);
    timeline_.world = {simulation_.origin().x, simulation_.origin().y, simulation_.width(),
                       simulation_.height()};
    timeline_.seconds_a_generation = plain_.empty() ? 0 : median(plain_);
    timeline_.seconds_a_generation_traced = median(traced_);
    timeline_.cpu_taken = watch_.taken_part();
    return std::move(timeline_);
  }

  std::uint64_t recorded_generations() const { return recorded_; }

 private:
  static constexpr std::uint64_t max_plain_steps = 50;
  static constexpr std::uint64_t max_at_once = 4096;  // of parts, which exchange rows now and then

  bool is_full() const { return timeline_.events.size() >= max_events; }

  void step_traced(std::uint64_t generations) {
    const std::uint64_t first = simulation_.generation();
    watch_.begin();
    const auto begin = Clock::now();
    const std::vector<moorea::TileEvent> events =
        moorea::step_tracing(simulation_, generations, [] { return !was_interrupted(); });
    const double seconds = since(begin);
    watch_.end();
    const std::uint64_t done = simulation_.generation() - first;
    traced_.push_back(seconds / static_cast<double>(std::max<std::uint64_t>(done, 1)));
    recorded_ += done;
    timeline_.events.insert(timeline_.events.end(), events.begin(), events.end());
  }

  void step_plain(std::uint64_t generations) {
    const auto begin = Clock::now();
    const std::uint64_t done = simulation_.step(generations, [] { return !was_interrupted(); });
    plain_.push_back(since(begin) / static_cast<double>(std::max<std::uint64_t>(done, 1)));
  }

  moorea::Simulation& simulation_;
  const std::uint64_t every_;
  CpuWatch watch_;  // of the recorded generations
  Timeline timeline_;
  std::uint64_t recorded_ = 0;
  std::vector<double> plain_, traced_;  // seconds of generations without and with recording
};

// The options of each run.
std::vector<moorea::Options> engines(const TraceOptions& options, std::uint64_t generations) {
  std::vector<moorea::Options> runs{options.engine.options(generations)};
  if (!options.has_two()) return runs;
  moorea::Options second = runs.front();
  if (!options.against.empty()) second.kernel = options.against;
  if (!options.against_schedule.empty()) second.schedule = moorea::parse_schedule(options.against_schedule);
  runs.push_back(second);
  return runs;
}

// Runs one after the other from the same world; fewer after an interruption.
std::vector<Timeline> recorded(std::vector<moorea::Simulation>& simulations, std::uint64_t generations,
                               std::uint64_t every) {
  std::vector<Timeline> timelines;
  for (moorea::Simulation& simulation : simulations) {
    if (was_interrupted()) break;
    Recorder recorder(simulation, every);
    recorder.record(generations);
    const std::size_t recorded_generations = recorder.recorded_generations();
    timelines.push_back(recorder.timeline());
    const Timeline& timeline = timelines.back();
    if (timeline.events.empty()) throw moorea::Error("no tile was computed: nothing is alive");
    const double without = timeline.seconds_a_generation;
    say(fmt::format("{}{} {} in {}; a generation took {} with recording{}",
                    simulations.size() > 1 ? timeline.name + ": " : "", timeline.events.size(),
                    timeline.names.empty() ? "tiles" : "pieces of the parts' work",
                    counted(recorded_generations, "generation"),
                    human_seconds(timeline.seconds_a_generation_traced),
                    without > 0 ? ", " + human_seconds(without) + " without" : std::string()));
    if (const std::string busy = busy_text(timeline); !busy.empty()) say(busy);
  }
  return timelines;
}

int trace(const TraceOptions& options) {
  const std::uint64_t generations = parse_count(options.generations, "--generations"),
                      every = parse_count(options.every, "--every");
  if (generations == 0) usage("-g 0: there is nothing to record; expected at least 1 generation");
  if (every == 0) usage("--every 0: expected at least 1");
  const bool divided = moorea::is_device_list(options.engine.device);
  if (divided && every != 1)
    usage("--every is for one device: the parts of several are recorded whenever they exchange rows");
  if (!divided && !options.engine.names_kernel())
    usage("name the kernel to record by --kernel or --kernel-file; moorea kernels lists those with tiles");
  require_separate_files({{"-o", options.output}}, input_files(options.world, options.engine));
  if (options.output != "-" && !is_page_name(options.output) &&
      !moorea::has_ending(options.output, ".json") && !moorea::has_ending(options.output, ".json.gz") &&
      !is_special_file(options.output))
    usage(fmt::format("-o {}: a trace is a page (.html) or JSON (.json)", options.output));
  const World world(options.world);
  std::vector<moorea::Simulation> simulations;
  for (const moorea::Options& engine : engines(options, generations)) {
    simulations.push_back(world.simulate(engine));
    options.engine.say_plan(simulations.back().plan());
    if (simulations.size() == 1) say_kernel_warnings(options.engine.kernel_file);
    // Throws for a kernel that cannot be recorded, before anything is computed
    moorea::step_tracing(simulations.back(), 0);
  }
  moorea::OutputFile file(options.output);
  const std::vector<Timeline> timelines = recorded(simulations, generations, every);
  if (timelines.empty()) return interruption_exit();
  file.write(is_page_name(options.output)
                 ? timeline_page(timelines)
                 : chrome_trace(timelines).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  file.finish();
  return was_interrupted() ? interruption_exit() : int{ok};
}

}  // namespace

Action add_trace(CommandLine& line) {
  Command command = line.add_command("trace", "Record which thread computed which tile when");
  const auto options = std::make_shared<TraceOptions>();
  add_world_options(command, options->world);
  command
      .add_option("--kernel", options->engine.kernel,
                  "Kernel to record, one of the CPU's ladder; not needed for several devices")
      .type_name("NAME");
  command.add_option("-g,--generations", options->generations, "Generations to run. Default: 100")
      .type_name("N");
  command
      .add_option("--every", options->every,
                  "Record each N-th generation, so that the file stays small. Default: 1")
      .type_name("N");
  command
      .add_option(
          "--against", options->against,
          "Kernel of a second run from the same world, shown side by side. Default: that of --kernel, "
          "if --against-schedule is given")
      .type_name("NAME");
  command
      .add_option(
          "--against-schedule", options->against_schedule,
          "Schedule of a second run, as --schedule. Default: that of the first, if --against is given")
      .type_name("KIND[,CHUNK]");
  command
      .add_option("-o,--output", options->output,
                  "File to write: .html is an interactive page, .json is for chrome://tracing and "
                  "ui.perfetto.dev; - is JSON on standard output")
      .required()
      .type_name("FILE");
  add_engine_options(command, options->engine);
  command.footer(
      "A page has a row for each thread above a map of the world: the tile under the pointer is highlighted\n"
      "in both. Kernels without tiles are recorded as the rows that each thread computes. The cost of\n"
      "recording is measured by generations that are not recorded, and printed.\n"
      "Several devices, as in --device cpu,cuda:0, are recorded as parts of the world: what each has "
      "computed\n"
      "between two exchanges of rows.\n"
      "Two runs, by --against or --against-schedule, are side by side with one scale of time and one "
      "slider;\n"
      "in JSON they are two processes.\n"
      "Examples:\n"
      "  moorea trace --kernel cpu/ladder/09_lazy --random 0.3 --size 2048x2048 --tile 64x64 -o lazy.html\n"
      "  moorea trace --kernel cpu/ladder/04_avx2 --random 0.5 --size 1024 --tile 64x64 --schedule static "
      "--against-schedule dynamic -o two.html\n"
      "  moorea trace --device cpu,cuda:0 --random 0.5 --size 16384 -g 2000 -o parts.json\n"
      "  moorea trace --kernel cpu/ladder/02_tiled --random 0.5 --size 4096x4096 --schedule dynamic --every "
      "10 -o tiles.json");
  return [options] {
    catch_interruption();
    return trace(*options);
  };
}

}  // namespace app
