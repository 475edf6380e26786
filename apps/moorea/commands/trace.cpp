// SPDX-License-Identifier: MIT
// moorea trace: which thread computed which tile, and when.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "cli/app.h"
#include "cli/clock.h"
#include "cli/status_line.h"
#include "cli/world.h"
#include "moorea/error.h"
#include "moorea/output_file.h"
#include "report/statistics.h"
#include "report/timeline.h"

namespace app {
namespace {

constexpr std::size_t max_events = 2'000'000;  // some hundred bytes each in the file

struct TraceOptions {
  WorldOptions world;
  EngineOptions engine;
  std::string generations = "100";
  std::string every = "1";
  std::string output;
};

double median(std::vector<double> samples) {
  return samples.empty() ? 0 : summarise(std::move(samples)).median;
}

std::string about(const moorea::Simulation& simulation) {
  std::string text = fmt::format("{} on a {} of {} x {} cells, {} threads", simulation.rule().str(),
                                 moorea::to_string(simulation.topology()), simulation.width(),
                                 simulation.height(), simulation.threads());
  if (const auto& tiling = simulation.tiling()) {
    text += fmt::format(", tiles of {} x {}, schedule {}, placement {}", tiling->tile.width,
                        tiling->tile.height, to_string(tiling->schedule), to_string(tiling->placement));
  }
  return text;
}

int trace(const TraceOptions& options) {
  const std::uint64_t generations = parse_count(options.generations, "--generations"),
                      every = parse_count(options.every, "--every");
  if (generations == 0)
    throw moorea::Error("-g 0: there is nothing to record; expected at least 1 generation",
                        moorea::ErrorKind::usage);
  if (every == 0) throw moorea::Error("--every 0: expected at least 1", moorea::ErrorKind::usage);
  if (!options.engine.names_kernel())
    throw moorea::Error(
        "name the kernel to record by --kernel or --kernel-file; moorea kernels shows those that take tiles",
        moorea::ErrorKind::usage);
  const bool page = options.output.ends_with(".html");
  moorea::Simulation simulation = World(options.world).simulate(options.engine.options());
  simulation.step_tracing(0);  // an error before anything is computed
  moorea::OutputFile file(options.output);
  Timeline timeline;
  timeline.kernel = simulation.kernel();
  timeline.threads = simulation.threads();
  StatusLine status;
  std::vector<double> plain, traced;
  const std::uint64_t first = simulation.generation();
  const auto done = [&] { return simulation.generation() - first; };
  while (done() < generations && !was_interrupted() && timeline.events.size() < max_events) {
    const auto start = Clock::now();
    const std::vector<moorea::TileEvent> events = simulation.step_tracing(1);
    traced.push_back(since(start));
    timeline.events.insert(timeline.events.end(), events.begin(), events.end());
    for (std::uint64_t i = 1; i < every && done() < generations && !was_interrupted(); ++i) {
      const auto next = Clock::now();
      simulation.step();
      plain.push_back(since(next));
    }
    if (status.due())
      status.show(fmt::format("generation {} of {}, {} tiles", done(), generations, timeline.events.size()));
  }
  status.clear();
  if (timeline.events.size() >= max_events)
    say(fmt::format("{} tiles recorded, which is enough: stopped at generation {}; --every records fewer",
                    max_events, simulation.generation()));
  // What it costs is told by generations that were not recorded, between or behind those that were
  while (plain.size() < std::min<std::size_t>(traced.size(), 50) && !was_interrupted()) {
    const auto next = Clock::now();
    simulation.step();
    plain.push_back(since(next));
  }
  timeline.about = about(simulation);
  timeline.world = {simulation.origin().x, simulation.origin().y, simulation.width(), simulation.height()};
  timeline.seconds_a_generation = median(plain);
  timeline.seconds_a_generation_traced = median(traced);
  if (timeline.events.empty()) throw moorea::Error("no tile was computed: nothing is alive");
  file.write(page ? timeline_page(timeline)
                  : chrome_trace(timeline).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  file.finish();
  say(fmt::format("{} tiles in {} generations; a generation took {} with recording, {} without",
                  timeline.events.size(), traced.size(), human_seconds(timeline.seconds_a_generation_traced),
                  human_seconds(timeline.seconds_a_generation)));
  return was_interrupted() ? interruption_exit() : int{ok};
}

}  // namespace

Action add_trace(CommandLine& line) {
  Command command = line.add_command("trace", "Record which thread computed which tile when");
  const auto options = std::make_shared<TraceOptions>();
  add_world_options(command, options->world);
  command.add_option("--kernel", options->engine.kernel, "Kernel to record, one of the CPU's ladder")
      .type_name("NAME");
  command.add_option("-g,--generations", options->generations, "Generations to run. Default: 100")
      .type_name("N");
  command
      .add_option("--every", options->every,
                  "Record each N-th generation, so that the file stays small. Default: 1")
      .type_name("N");
  command
      .add_option("-o,--output", options->output,
                  "File to write: .html is a page to look at, else JSON for chrome://tracing and "
                  "ui.perfetto.dev; - is standard output")
      .required()
      .type_name("FILE");
  add_engine_options(command, options->engine);
  command.footer(
      "A page has a row for each thread above a map of the world: what the pointer is on in one lights up "
      "in\n"
      "both. Kernels without tiles are recorded as the rows that each thread computes. What recording costs "
      "is\n"
      "measured by generations that are not recorded, and said.\n"
      "Examples:\n"
      "  moorea trace --kernel cpu/ladder/09_lazy --random 0.3 --size 2048x2048 --tile 64x64 -o lazy.html\n"
      "  moorea trace --kernel cpu/ladder/02_tiled --random 0.5 --size 4096x4096 --schedule dynamic --every "
      "10 -o tiles.json");
  return [options] {
    catch_interruption();
    return trace(*options);
  };
}

}  // namespace app
