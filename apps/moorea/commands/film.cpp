// SPDX-License-Identifier: MIT
// moorea film: generations of a world as MP4 or animated GIF.
#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "cli/app.h"
#include "cli/input_files.h"
#include "cli/picture_options.h"
#include "cli/progress.h"
#include "cli/world.h"
#include "media/background_queue.h"
#include "media/film_writer.h"
#include "moorea/error.h"
#include "moorea/picture.h"
#include "moorea/support/file_names.h"

namespace app {
namespace {

constexpr std::size_t frames_waiting = 16;
constexpr double min_frames_per_second = 0.01;
constexpr double max_frames_per_second = 240, max_gif_frames_per_second = 50;

struct FilmOptions {
  WorldOptions world;
  EngineOptions engine;
  PictureOptions picture;
  std::string generations = "1000";
  std::string every = "1";
  double frames_per_second = 30;
  double turns = 1;
  bool full_colour = false;
  bool json = false;
  std::string output;
};

// All pictures of a film show the same box. On an unbounded plane it is known only after a run.
moorea::Box box_of(const World& world, const moorea::Options& engine, const PictureStyle& style,
                   const moorea::Simulation& simulation, std::uint64_t generations) {
  if (style.box()) return *style.box();
  const moorea::Box first = default_box(simulation, style.all());
  if (!simulation.grows() || generations == 0) return first;
  moorea::Simulation ahead = world.simulate(engine);
  Progress progress(ahead, generations);
  ahead.step(generations, [&] {
    progress.update();
    return !was_interrupted();
  });
  return unite(first, default_box(ahead, style.all()));
}

int film(const FilmOptions& options) {
  const std::uint64_t generations = parse_count(options.generations, "generations"),
                      every = parse_count(options.every, "--every");
  if (every == 0) usage("--every 0: expected at least 1");
  FilmWriter::check(options.output);
  require_separate_files({{"-o", options.output}}, input_files(options.world, options.engine));
  const double maximum =
      moorea::has_ending(options.output, ".gif") ? max_gif_frames_per_second : max_frames_per_second;
  if (!(options.frames_per_second >= min_frames_per_second) || options.frames_per_second > maximum)
    usage(fmt::format("--fps {}: expected {} to {}", options.frames_per_second, min_frames_per_second,
                      maximum));
  if (options.full_colour && moorea::has_ending(options.output, ".gif"))
    usage("--full-colour is for MP4: a GIF has all its colours in each pixel");
  const PictureStyle style(options.picture);
  const World world(options.world.for_engine(options.engine));
  const moorea::Options engine = options.engine.options(generations);
  catch_interruption();
  moorea::Simulation simulation = world.simulate(engine);
  options.engine.say_plan(simulation.plan());
  const std::uint64_t first = simulation.generation(), last = first + generations;
  if (last / every * every < first)
    usage(fmt::format("no generation from {} to {} is a multiple of --every {}", first, last, every));
  const moorea::Box box = box_of(world, engine, style, simulation, generations);
  if (was_interrupted()) {
    say(fmt::format("{} before the film began", interruption_text()));
    return interruption_exit();
  }
  std::optional<SurfacePictures> surface = surface_pictures(options.picture, simulation.world());
  const moorea::View view = surface ? SurfacePictures::faces_of(simulation.world()) : style.view(box);
  FilmFormat format;
  format.frames_per_second = options.frames_per_second;
  format.width = view.raster.columns * view.zoom;
  format.height = view.raster.rows * view.zoom;
  format.palette = surface ? surface->palette() : style.palette(simulation.rule(), view);
  if (surface) format.width = surface->size().width, format.height = surface->size().height;
  format.full_colour = options.full_colour;
  const std::unique_ptr<FilmWriter> writer = FilmWriter::open(options.output, format);

  const bool shows_cells = style.show() == moorea::Colouring::cells;
  std::optional<moorea::CellHistory> history;
  if (!shows_cells) history.emplace(cells_of(view, simulation));
  // Few frames wait, so that an interrupted film is soon complete
  BackgroundQueue background(std::min<std::size_t>(
      max_queued_bytes, frames_waiting * static_cast<std::size_t>(format.width * format.height)));
  std::exception_ptr failure;
  std::uint64_t frames = 0;
  const auto look = [&](const moorea::Simulation& now) {
    if (failure) return;
    try {
      if (history) history->add(now);
      if (now.generation() % every != 0) return;
      moorea::Picture picture = shows_cells ? style.draw_cells(now, view) : history->draw(style.show(), view);
      const std::size_t bytes = picture.levels.size();
      // A turn of the camera takes the whole film
      const double turn = options.turns * static_cast<double>(now.generation() - first) /
                          static_cast<double>(std::max<std::uint64_t>(generations, 1));
      background.add(bytes, [&writer, &surface, turn, picture = std::move(picture)] {
        writer->add(surface ? surface->draw(picture, turn) : picture);
      });
      ++frames;
    } catch (...) {
      failure = std::current_exception();
    }
  };
  look(simulation);
  const moorea::Observation observation = simulation.observe(history ? 1 : every, look);
  Progress progress(simulation, generations);
  simulation.step(generations, [&] {
    progress.update();
    return !was_interrupted() && !failure;
  });
  stop_time_limit();
  progress.clear();
  if (failure) std::rethrow_exception(failure);
  if (const auto edge = edge_text(simulation)) say(*edge);
  if (was_interrupted()) say(fmt::format("{}; the film is finished with what it has", interruption_text()));
  background.finish();
  if (frames == 0) throw moorea::Error(fmt::format("{} before the first frame", interruption_text()));
  writer->finish();
  if (options.json) {
    Json json = {{"file", options.output},
                 {"frames", frames},
                 {"width", writer->width()},
                 {"height", writer->height()},
                 {"fps", options.frames_per_second},
                 {"generation", simulation.generation()},
                 {"cells_per_pixel", view.raster.scale},
                 {"pixels_per_cell", view.zoom}};
    if (simulation.edge_met()) json["edge_met"] = *simulation.edge_met();
    if (was_interrupted()) add_interruption(json);
    print_json(json);
  } else {
    print(fmt::format("{}: {} of {} x {} pixels, {} of film\n", options.output, counted(frames, "frame"),
                      writer->width(), writer->height(),
                      human_seconds(static_cast<double>(frames) / options.frames_per_second)));
  }
  if (!was_interrupted()) return ok;
  say(fmt::format("{} at generation {}", interruption_text(), simulation.generation()));
  return interruption_exit();
}

}  // namespace

std::unique_ptr<FilmWriter> FilmWriter::open(const std::string& path, const FilmFormat& format) {
  return moorea::has_ending(path, ".gif") ? open_gif(path, format) : open_mp4(path, format);
}

void FilmWriter::check(const std::string& path) {
  if (!moorea::has_ending(path, ".mp4") && !moorea::has_ending(path, ".gif"))
    usage(fmt::format("film \"{}\": expected a file whose name ends in .mp4 or .gif", path));
}

Action add_film(CommandLine& line) {
  Command command = line.add_command("film", "Film a pattern or noise, as MP4 or animated GIF");
  const auto options = std::make_shared<FilmOptions>();
  add_world_options(command, options->world);
  command.add_option("-g,--generations", options->generations, "Generations to film. Default: 1000")
      .type_name("N");
  command.add_option("-o,--output", options->output, "File to write: .mp4, which needs ffmpeg, or .gif")
      .required()
      .type_name("FILE");
  command.add_option("--every", options->every, "Film only generations that are multiples of N. Default: 1")
      .type_name("N");
  command
      .add_option("--fps", options->frames_per_second, "Frames per second, at most 50 for GIF. Default: 30")
      .type_name("N");
  command
      .add_option("--turns", options->turns,
                  "Turns of the camera around a surface during the film; 0: it stands still. Default: 1")
      .type_name("N");
  command.add_flag("--full-colour,--full-color", options->full_colour,
                   "MP4 with full colour resolution (4:4:4), which some players cannot show");
  add_picture_options(command, options->picture);
  add_kernel_option(command, options->engine);
  add_engine_options(command, options->engine);
  command.add_flag("--json", options->json, "Print what was filmed as JSON");
  command.footer(
      "On an unbounded plane the film shows the area of the live cells at its beginning and end, unless "
      "--view "
      "is\n"
      "given. Ctrl-C ends the film early and keeps it.\n"
      "Examples:\n"
      "  moorea film --rule Anneal --size 1024x1024 --random 0.5 --seed 1 -g 1024 -o anneal.mp4\n"
      "  moorea film --mesh sphere:64 --random 0.3 -g 300 --turns 0.5 -o sphere.mp4\n"
      "  moorea film patterns/acorn.rle -g 600 --view -60,-60,120,120 --every 2 -o acorn.gif");
  return [options] { return film(*options); };
}

}  // namespace app
