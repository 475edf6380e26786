// SPDX-License-Identifier: MIT
#include "cli/picture_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <span>
#include <vector>

#include "moorea/error.h"

namespace app {
namespace {

constexpr std::int64_t max_fit = 65536;
constexpr std::int64_t max_surface_fit = 16384;
constexpr int default_zoom = 16;  // at most, where no zoom is named

moorea::Box parse_box(const std::string& text) {
  std::int64_t numbers[4] = {};
  const char *at = text.data(), *const end = at + text.size();
  bool good = true;
  for (int i = 0; i < 4 && good; ++i) {
    if (i > 0) good = at != end && *at++ == ',';
    const auto [next, error] = std::from_chars(at, end, numbers[i]);
    good = good && error == std::errc();
    at = next;
  }
  constexpr std::int64_t far = std::int64_t{1} << 58;
  if (!good || at != end || numbers[2] < 1 || numbers[3] < 1 || numbers[2] > far || numbers[3] > far ||
      numbers[0] < -far || numbers[1] < -far || numbers[0] > far || numbers[1] > far) {
    usage(fmt::format(
        "--view \"{}\": expected X,Y,WIDTH,HEIGHT in cells, such as -50,-50,100,100, at least one cell",
        text));
  }
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

// Names of palettes or colourings, as a command line has choices.
template <class Info>
std::string choices(std::span<const Info> infos) {
  std::string names;
  for (const Info& info : infos) names += fmt::format("{}{}", names.empty() ? "" : "|", info.name);
  return names;
}

std::string palette_names() {
  std::string names;
  for (const moorea::PaletteInfo& info : moorea::palettes())
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", info.name, info.summary);
  return names;
}

moorea::Camera parse_camera(const std::string& text) {
  double numbers[3] = {30, 30, 1};
  const char *at = text.data(), *const end = at + text.size();
  bool good = text.empty();
  for (int i = 0; i < 3 && at != end; ++i) {
    const auto [next, error] = std::from_chars(at, end, numbers[i]);
    good = error == std::errc() && (next == end || (*next == ',' && next + 1 != end && i < 2));
    if (!good) break;
    at = next == end ? end : next + 1;
  }
  if (!good || at != end || text.find(',') == text.npos) {
    if (!text.empty())
      usage(
          fmt::format("--camera \"{}\": expected AZIMUTH,ELEVATION in degrees and an optional zoom, such as "
                      "30,20 or 30,20,1.5",
                      text));
  }
  return {numbers[0], numbers[1], numbers[2]};
}

// Three quarters as high as wide, and even, as films want it.
moorea::Size picture_size(const PictureOptions& options) {
  const std::int64_t width = parse_from_one(options.fit, "--fit", max_surface_fit);
  return {width, std::max<std::int64_t>(width * 3 / 8 * 2, 1)};
}

}  // namespace

SurfacePictures::SurfacePictures(const PictureOptions& options, const moorea::WorldSpec& world)
    : size_(picture_size(options)),
      camera_(parse_camera(options.camera)),
      palette_(moorea::surface_palette(
          moorea::palette(options.palette.empty() ? default_palette : options.palette))),
      painter_(world.mesh, size_) {
  if (!options.view.empty() || !options.zoom.empty() || !options.scale.empty() || options.all)
    usage("--view, --zoom, --scale and --all are for flat pictures: a surface has --camera");
  painter_.look(camera_);
}

moorea::Picture SurfacePictures::draw(const moorea::Picture& faces, double turns) {
  if (turns != turns_) {
    moorea::Camera camera = camera_;
    camera.azimuth += 360 * turns;
    painter_.look(camera);
    turns_ = turns;
  }
  return painter_.draw(faces);
}

moorea::View SurfacePictures::faces_of(const moorea::WorldSpec& world) {
  return {{0, 0, world.width, world.height, 1}, 1};
}

std::optional<SurfacePictures> surface_pictures(const PictureOptions& options,
                                                const moorea::WorldSpec& world) {
  if (world.is_surface()) return SurfacePictures(options, world);
  if (!options.camera.empty()) usage("--camera is for surfaces: add --mesh NAME");
  return std::nullopt;
}

void add_picture_options(Command& command, PictureOptions& options) {
  command
      .add_option(
          "--view", options.view,
          "Cells to draw: column and row of the first one, width and height. Default: the whole world, "
          "or the live cells of an unbounded plane")
      .type_name("X,Y,W,H");
  command.add_flag("--all", options.all,
                   "On an unbounded plane, draw all live cells. By default the few that would enlarge the "
                   "picture much, such "
                   "as gliders that flew away, are left out");
  command.add_option("--zoom", options.zoom, "Pixels per cell, 1 to 64. Default: as many as --fit allows")
      .type_name("N");
  command
      .add_option("--scale", options.scale,
                  "Width of a pixel in cells; its shade depends on how many of them are alive. Default: as "
                  "--fit requires")
      .type_name("N");
  command.add_option("--fit", options.fit, "Maximum pixels of the longer side. Default: 1024").type_name("N");
  add_colour_options(command, options,
                     "night, but where a pixel is a cell whose states have colours of their own, those");
  command
      .add_option("--camera", options.camera,
                  "Direction from which a surface is seen, in degrees around its vertical axis and above the "
                  "horizontal plane, and a zoom. Default: 30,30,1")
      .type_name("AZIMUTH,ELEVATION[,ZOOM]");
}

void add_colour_options(Command& command, PictureOptions& options, const std::string& default_colours) {
  command
      .add_option("--palette", options.palette,
                  fmt::format("Colours: {}. Default: {}", palette_names(), default_colours))
      .type_name(choices(moorea::palettes()));
  command
      .add_option("--show", options.show,
                  "cells; age: how long a cell has been alive, up to 255 generations; trails: new cells are "
                  "brightest and dead ones fade; or activity: how often a cell changed in the last 255 "
                  "generations. Default: cells")
      .type_name(choices(moorea::colourings()));
}

PictureStyle::PictureStyle(const PictureOptions& options)
    : all_(options.all), fit_(parse_from_one(options.fit, "--fit", max_fit)) {
  if (!options.palette.empty()) palette_ = moorea::palette(options.palette);
  try {
    show_ = moorea::colouring(options.show);
  } catch (const moorea::Error& error) {
    usage(fmt::format("--show: {}", error.what()));
  }
  if (!options.view.empty()) box_ = parse_box(options.view);
  if (!options.zoom.empty()) zoom_ = parse_from_one(options.zoom, "--zoom", moorea::max_zoom);
  if (!options.scale.empty()) scale_ = parse_from_one(options.scale, "--scale", moorea::max_far_scale);
  if (scale_ && *scale_ > moorea::max_raster_scale && show_ != moorea::Colouring::cells)
    usage(fmt::format("--scale {}: a pixel shows the age, trails or activity of at most {} x {} cells",
                      *scale_, moorea::max_raster_scale, moorea::max_raster_scale));
  if (zoom_ && scale_)
    usage("--zoom is in pixels per cell, --scale in cells per pixel: leave one of them out");
}

moorea::View PictureStyle::view(const moorea::Box& usual) const {
  const moorea::Box box = box_.value_or(usual);
  if (!zoom_ && !scale_) {
    const moorea::View view = moorea::fitted(box, fit_, default_zoom);
    const std::int64_t longest = std::max(view.raster.columns, view.raster.rows);
    if (longest > fit_)
      usage(fmt::format(
          "{} x {} cells are more than --fit {} pixels show, of {} x {} cells each; --fit {} does", box.width,
          box.height, fit_, view.raster.scale, view.raster.scale, longest));
    return view;
  }
  const std::int64_t scale = scale_.value_or(1);
  return {{box.x, box.y, std::max<std::int64_t>((box.width + scale - 1) / scale, 1),
           std::max<std::int64_t>((box.height + scale - 1) / scale, 1), scale},
          static_cast<int>(zoom_.value_or(1))};
}

std::optional<moorea::Palette> PictureStyle::colours_of_states(const moorea::Rule& rule,
                                                               const moorea::View& view) const {
  if (palette_ || show_ != moorea::Colouring::cells || view.raster.scale != 1) return {};
  return moorea::state_colours(rule);
}

moorea::Picture PictureStyle::draw_cells(const moorea::Simulation& simulation,
                                         const moorea::View& view) const {
  return colours_of_states(simulation.rule(), view) ? moorea::draw_states(simulation, view)
                                                    : moorea::draw_density(simulation, view);
}

moorea::Palette PictureStyle::palette(const moorea::Rule& rule, const moorea::View& view) const {
  if (const std::optional<moorea::Palette> colours = colours_of_states(rule, view)) return *colours;
  return palette_ ? *palette_ : moorea::palette(default_palette);
}

moorea::Box cells_of(const moorea::View& view, const moorea::Simulation& simulation) {
  const moorea::Raster& raster = view.raster;
  moorea::Box box{raster.x, raster.y, raster.columns * raster.scale, raster.rows * raster.scale};
  if (simulation.grows()) return box;
  const std::int64_t right = std::min(box.right(), simulation.width()),
                     bottom = std::min(box.bottom(), simulation.height());
  box.x = std::clamp<std::int64_t>(box.x, 0, simulation.width() - 1);
  box.y = std::clamp<std::int64_t>(box.y, 0, simulation.height() - 1);
  return {box.x, box.y, std::max<std::int64_t>(right - box.x, 1), std::max<std::int64_t>(bottom - box.y, 1)};
}

moorea::Box default_box(const moorea::Simulation& simulation, bool all) {
  if (!simulation.grows()) return simulation.box();
  const std::optional<moorea::Framing> framing = moorea::frame_of(simulation);
  const moorea::Box live = !framing ? moorea::Box{0, 0, 1, 1} : all ? framing->all : framing->box;
  const std::int64_t margin = 2 + std::max(live.width, live.height) / 25;
  return {live.x - margin, live.y - margin, live.width + 2 * margin, live.height + 2 * margin};
}

std::string left_out_text(const PictureStyle& style, const moorea::Simulation& simulation,
                          const moorea::View& view) {
  if (!simulation.grows() || style.box()) return {};
  if (view.raster.scale > moorea::max_raster_scale) {
    const std::optional<moorea::Box> live = simulation.bounding_box();
    return !live || cells_of(view, simulation).contains(*live)
               ? ""
               : "some live cells are outside the picture; --all shows them";
  }
  const std::vector<std::uint32_t> squares = simulation.density(view.raster);
  const std::uint64_t seen = std::accumulate(squares.begin(), squares.end(), std::uint64_t{0}),
                      population = simulation.population();
  if (seen == population) return {};
  return fmt::format("{} of {} live cells are outside the picture; --all shows them", population - seen,
                     population);
}

}  // namespace app
