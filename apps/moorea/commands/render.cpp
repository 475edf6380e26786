// SPDX-License-Identifier: MIT
// moorea render: a picture of a world at a generation.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/app.h"
#include "cli/input_files.h"
#include "cli/paths.h"
#include "cli/picture_options.h"
#include "cli/progress.h"
#include "cli/world.h"
#include "moorea/error.h"
#include "moorea/picture.h"

namespace app {
namespace {

struct RenderOptions {
  WorldOptions world;
  EngineOptions engine;
  PictureOptions picture;
  std::string generations = "0";
  std::string output;
  bool json = false;
};

// Runs to the last generation, and looks at those before it where ages or changes are to be seen.
moorea::Picture draw(moorea::Simulation& simulation, const PictureStyle& style, std::uint64_t generations,
                     moorea::View& view) {
  const auto view_of = [&](const moorea::Box& box) {
    return simulation.world().is_surface() ? SurfacePictures::faces_of(simulation.world()) : style.view(box);
  };
  Progress progress(simulation, generations);
  const auto go_on = [&] {
    progress.update();
    return !was_interrupted();
  };
  if (style.show() == moorea::Colouring::cells) {
    simulation.step(generations, go_on);
    view = view_of(default_box(simulation, style.all()));
    return style.draw_cells(simulation, view);
  }
  const std::uint64_t looked = std::min(generations, history_generations);
  simulation.step(generations - looked, go_on);
  moorea::Box box = cells_of(view_of(default_box(simulation, style.all())), simulation);
  if (simulation.grows() && !style.box()) {  // room for what it becomes: a cell a generation at most
    const auto room = static_cast<std::int64_t>(looked);
    box = {box.x - room, box.y - room, box.width + 2 * room, box.height + 2 * room};
  }
  moorea::CellHistory history(box);
  history.add(simulation);
  for (std::uint64_t i = 0; i < looked && go_on(); ++i) {
    simulation.step(1);
    history.add(simulation);
  }
  view = view_of(default_box(simulation, style.all()));
  return history.draw(style.show(), view);
}

int render(const RenderOptions& options) {
  const std::uint64_t generations = parse_count(options.generations, "generations");
  moorea::check_picture_path(options.output);
  const bool to_stdout = options.output == "-";
  if (to_stdout && options.json)
    throw moorea::Error("-o - and --json both want standard output; write the picture to a file",
                        moorea::ErrorKind::usage);
  require_separate_files({{"-o", options.output}}, input_files(options.world, options.engine));
  const PictureStyle style(options.picture);
  const World world(options.world.for_engine(options.engine));
  catch_interruption();
  moorea::Simulation simulation = world.simulate(options.engine.options(generations));
  options.engine.say_plan(simulation.plan());
  // A picture that cannot be written is refused before a long run, if its size is known
  std::optional<SurfacePictures> surface = surface_pictures(options.picture, simulation.world());
  if (!surface && (!simulation.grows() || style.box()))
    moorea::check_picture(style.view(default_box(simulation, style.all())), options.output);
  moorea::View view;
  moorea::Picture picture = draw(simulation, style, generations, view);
  stop_time_limit();
  if (surface) picture = surface->draw(picture);
  if (const auto edge = edge_text(simulation)) say(*edge);
  if (const std::string left_out = left_out_text(style, simulation, view); !left_out.empty()) say(left_out);
  moorea::write_picture(picture, surface ? surface->palette() : style.palette(simulation.rule(), view),
                        options.output);
  const moorea::Raster& raster = view.raster;
  if (options.json) {
    Json json = {{"file", options.output},
                 {"width", picture.width},
                 {"height", picture.height},
                 {"cells_per_pixel", raster.scale},
                 {"pixels_per_cell", view.zoom},
                 {"x", raster.x},
                 {"y", raster.y},
                 {"show", options.picture.show},
                 {"generation", simulation.generation()},
                 {"population", simulation.population()},
                 {"hash", hash_text(simulation.hash())}};
    if (simulation.edge_met()) json["edge_met"] = *simulation.edge_met();
    if (was_interrupted()) add_interruption(json);
    print_json(json);
  } else if (!to_stdout) {
    print(surface ? fmt::format("{}: generation {}, {} x {} pixels of {}\n", options.output,
                                simulation.generation(), picture.width, picture.height,
                                simulation.world().mesh->name())
                  : fmt::format(
                        "{}: generation {}, {} x {} pixels from cell ({}, {}) on, {}\n", options.output,
                        simulation.generation(), picture.width, picture.height, raster.x, raster.y,
                        raster.scale > 1 ? fmt::format("{} x {} cells per pixel", raster.scale, raster.scale)
                        : view.zoom > 1  ? fmt::format("{} x {} pixels per cell", view.zoom, view.zoom)
                                         : "a cell per pixel"));
  }
  if (!was_interrupted()) return ok;
  say(fmt::format("{} at generation {}", interruption_text(), simulation.generation()));
  return interruption_exit();
}

}  // namespace

Action add_render(CommandLine& line) {
  Command command = line.add_command("render", "Draw a pattern or noise, at any generation, as PNG or PBM");
  const auto options = std::make_shared<RenderOptions>();
  add_world_options(command, options->world);
  command.add_option("-g,--generations", options->generations, "Generations to run first. Default: 0")
      .type_name("N");
  command
      .add_option("-o,--output", options->output, "File to write: .png or .pbm; - is PNG on standard output")
      .required()
      .type_name("FILE");
  add_picture_options(command, options->picture);
  add_kernel_option(command, options->engine);
  add_engine_options(command, options->engine);
  command.add_flag("--json", options->json, "Print what was drawn as JSON");
  command.footer(
      "If the world is larger than the picture, the shade of a pixel depends on how many of its cells are "
      "alive;\n"
      "they are counted on the device that holds the world.\n"
      "Examples:\n"
      "  moorea render patterns/acorn.rle -g 5206 -o acorn.png\n"
      "  moorea render --random 0.5 --size 65536 --fit 2048 -g 1000 --device cuda -o soup.png\n"
      "  moorea render --mesh torus:256x96 --random 0.3 -g 200 --camera 30,40 -o torus.png\n"
      "  moorea render --random 0.5 --size 400x300 -g 500 --show age --palette cividis --zoom 2 -o ages.png");
  return [options] { return render(*options); };
}

}  // namespace app
