// SPDX-License-Identifier: MIT
// moorea export: a page that runs a pattern in a browser, without a server.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/app.h"
#include "cli/input_files.h"
#include "cli/numbers.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/world.h"
#include "moorea/error.h"
#include "moorea/support/output_file.h"
#include "report/export_page.h"

namespace app {
namespace {

struct ExportOptions {
  WorldOptions world;
  EngineOptions engine;
  std::string generations = "0";
  std::string title;
  std::string output;
  bool json = false;
};

int export_page(const ExportOptions& options) {
  const std::uint64_t generations = parse_count(options.generations, "generations");
  const bool to_stdout = options.output == "-";
  if (to_stdout && options.json) usage("-o - and --json both want standard output; write the page to a file");
  if (!to_stdout) require_page_name("-o", options.output);
  require_separate_files({{"-o", options.output}}, input_files(options.world, options.engine));
  const World world(options.world.for_engine(options.engine));
  require_exportable(world.spec());
  catch_interruption();
  moorea::Simulation simulation = world.simulate(options.engine.options(generations));
  options.engine.say_plan(simulation.plan());
  Progress progress(simulation, generations);
  simulation.step(generations, [&] {
    progress.update();
    return !was_interrupted();
  });
  stop_time_limit();
  const ExportedPage page =
      make_export_page(simulation, options.title.empty() ? world.about().name : options.title);
  if (to_stdout) {
    print(page.text);
  } else {
    moorea::OutputFile file(options.output);
    file.write(page.text);
    file.finish();
  }
  if (options.json) {
    Json json = {{"file", options.output},
                 {"bytes", page.text.size()},
                 {"engine_bytes", page.engine_bytes},
                 {"rule", simulation.rule().str()},
                 {"generation", simulation.generation()},
                 {"population", simulation.population()},
                 {"hash", hash_text(simulation.hash())}};
    if (was_interrupted()) add_interruption(json);
    print_json(json);
  } else if (!to_stdout) {
    print(fmt::format("{}: {} bytes, {} of them the engine; generation {}, population {}\n", options.output,
                      page.text.size(), page.engine_bytes, simulation.generation(), simulation.population()));
  }
  if (!was_interrupted()) return ok;
  say(fmt::format("{} at generation {}", interruption_text(), simulation.generation()));
  return interruption_exit();
}

}  // namespace

Action add_export(CommandLine& line) {
  Command command =
      line.add_command("export", "Write a page that runs a pattern in a browser, without a server");
  const auto options = std::make_shared<ExportOptions>();
  add_world_options(command, options->world);
  command.add_option("-g,--generations", options->generations, "Generations to run first. Default: 0")
      .type_name("N");
  command.add_option("-o,--output", options->output, "Page to write: .html; - is standard output")
      .required()
      .type_name("FILE");
  command.add_option("--title", options->title, "Title of the page. Default: the pattern's name")
      .type_name("TEXT");
  add_kernel_option(command, options->engine);
  add_engine_options(command, options->engine);
  command.add_flag("--json", options->json, "Print what was written as JSON");
  command.footer(
      "The page is one file: the pattern, its rule as WebAssembly, and controls to run, step, zoom and "
      "copy.\n"
      "It needs no network and no server: open it, send it, or put it on a website.\n"
      "Examples:\n"
      "  moorea export patterns/acorn.rle -o acorn.html\n"
      "  moorea export --random 0.4 --size 512 -r \"Brian's Brain\" -o brain.html --title \"Brian's Brain\"");
  return [options] { return export_page(*options); };
}

}  // namespace app
