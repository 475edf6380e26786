// SPDX-License-Identifier: MIT
// moorea view: a world in the terminal. Keys follow Golly where it has the same function.
#include <fmt/core.h>

#include <memory>
#include <optional>
#include <string>

#include "cli/app.h"
#include "cli/clock.h"
#include "cli/picture_options.h"
#include "cli/world.h"
#include "live/player.h"
#include "live/world_editor.h"
#include "moorea/error.h"
#include "terminal/screen.h"
#include "terminal/viewer.h"

namespace app {
namespace {

struct ViewOptions {
  WorldOptions world;
  EngineOptions engine;
  PictureOptions picture;
  std::string generations;
  std::string step = "0";
  bool play = false;
};

// Without a terminal: a line each second.
void run_without_screen(const WorldEditor& editor, Player& player, std::optional<std::uint64_t> last) {
  constexpr double line_seconds = 1;
  const std::uint64_t first = editor.generation();
  player.step(last ? *last - first : std::uint64_t{1} << 62);
  const auto begin = Clock::now();
  auto said = begin;
  const auto say_line = [&] {
    const std::uint64_t generation = editor.generation();
    print(fmt::format("generation {}, population {}, {} generations/s\n", generation,
                      editor.simulation().far_population().str(),
                      human_rate(static_cast<double>(generation - first) / since(begin))));
    said = Clock::now();
  };
  while (!was_interrupted() && player.busy()) {
    player.run(line_seconds, UINT64_MAX);
    if (since(said) >= line_seconds) say_line();
  }
  say_line();
}

int view(const ViewOptions& options) {
  const std::uint64_t exponent = parse_whole(options.step, "--step", Player::fastest);
  std::optional<std::uint64_t> generations;
  if (!options.generations.empty()) generations = parse_count(options.generations, "generations");
  const PictureStyle checked(options.picture);  // before a large world is made
  const World world(options.world.for_engine(options.engine));
  catch_interruption();
  const bool on_screen = Screen::is_there();
  WorldEditor editor({[&](const moorea::Options& engine) { return world.simulate(engine); }, world.about(),
                      options.engine.options(generations), on_screen ? default_history_bytes() : 0});
  Player player(editor, static_cast<int>(exponent));
  std::optional<std::uint64_t> last;
  if (generations) last = editor.generation() + *generations;
  options.engine.say_plan(editor.simulation().plan());
  if (!on_screen) {
    run_without_screen(editor, player, last);
  } else {
    if (options.play) player.play();
    show_in_terminal(editor, player, last, options.picture);
    say(fmt::format("generation {}, population {}", editor.generation(),
                    editor.simulation().far_population().str()));
  }
  if (const auto edge = edge_text(editor.simulation())) say(*edge);
  return was_interrupted() ? interruption_exit() : int{ok};
}

}  // namespace

Action add_view(CommandLine& line) {
  Command command = line.add_command("view", "Watch a pattern or noise in the terminal");
  const auto options = std::make_shared<ViewOptions>();
  add_world_options(command, options->world);
  command
      .add_option("-g,--generations", options->generations,
                  "Stop after N generations. Default: run until stopped")
      .type_name("N");
  command
      .add_option("--step", options->step,
                  "Generations per step (frame), as a power of two: 10 is 1024, 40 the most. Default: 0")
      .type_name("K");
  command.add_flag("--play", options->play, "Start playing at once; otherwise Enter does");
  add_colour_options(command, options->picture, "greys, and the colours of states that have some");
  add_kernel_option(command, options->engine);
  add_engine_options(command, options->engine);
  std::string keys;
  for (const char* text : terminal_keys()) keys += fmt::format("  {}\n", text);
  command.footer(
      "Keys follow Golly where it has the same function:\n" + keys +
      "Going back in time (,) keeps the later generations; u returns to where r was pressed.\n"
      "A cell is a half block, or a braille dot if the world fits the screen only so. If a dot is many "
      "cells, its shade\n"
      "is the number of live ones. Ages, trails and activity (c) count generations while a step is one "
      "generation;\n"
      "with longer steps they count pictures. The variable NO_COLOR leaves out colours unless --palette is "
      "given.\n"
      "Without a terminal it prints a line each second.\n"
      "Examples:\n"
      "  moorea view patterns/acorn.rle\n"
      "  moorea view patterns/acorn.rle --show trails --palette viridis --play\n"
      "  moorea view --random 0.5 --size 65536 --device cuda --step 6 --play");
  return [options] { return view(*options); };
}

}  // namespace app
