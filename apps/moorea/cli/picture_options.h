// SPDX-License-Identifier: MIT
// Options for the content and style of pictures, shared by render and film.
#pragma once

#include <optional>
#include <string>

#include "cli/app.h"
#include "moorea/picture.h"
#include "moorea/simulation.h"
#include "moorea/surface_picture.h"

namespace app {

struct PictureOptions {
  std::string view;
  std::string zoom;
  std::string scale;
  std::string fit = "1024";
  std::string palette;
  std::string show = "cells";
  std::string camera;
  bool all = false;
};

void add_picture_options(Command& command, PictureOptions& options);

/// Adds only --palette, whose default is described so, and --show.
void add_colour_options(Command& command, PictureOptions& options, const std::string& default_colours);

/// The options as they were read; throws moorea::Error (usage).
class PictureStyle {
 public:
  explicit PictureStyle(const PictureOptions& options);

  /// Whether escapees are shown.
  bool all() const { return all_; }
  moorea::Colouring show() const { return show_; }

  /// Colours of the states, if such a view shows them: they have colours of their own, a square is a cell,
  /// and the options name no palette.
  std::optional<moorea::Palette> colours_of_states(const moorea::Rule& rule, const moorea::View& view) const;

  /// Draws the cells of a view, with Colouring::cells: the states if colours_of_states(), else the density.
  moorea::Picture draw_cells(const moorea::Simulation& simulation, const moorea::View& view) const;

  /// The palette of such a picture.
  moorea::Palette palette(const moorea::Rule& rule, const moorea::View& view) const;

  /// Whether the options choose the cells.
  const std::optional<moorea::Box>& box() const { return box_; }

  /// The view of those cells, or else of these.
  moorea::View view(const moorea::Box& usual) const;

 private:
  std::optional<moorea::Palette> palette_;  // if the options name one
  moorea::Colouring show_ = moorea::Colouring::cells;
  bool all_ = false;
  std::optional<moorea::Box> box_;
  std::optional<std::int64_t> zoom_, scale_;
  std::int64_t fit_ = 0;
};

/// Pictures of a surface in three dimensions, from flat pictures with a pixel per face.
class SurfacePictures {
 public:
  /// Throws moorea::Error (usage) for options of flat pictures.
  SurfacePictures(const PictureOptions& options, const moorea::WorldSpec& world);

  /// Draws the faces' levels from a direction `turns` around the vertical axis from that of the options.
  moorea::Picture draw(const moorea::Picture& faces, double turns = 0);
  moorea::Size size() const { return size_; }
  const moorea::Palette& palette() const { return palette_; }

  /// The view with a pixel per face.
  static moorea::View faces_of(const moorea::WorldSpec& world);

 private:
  moorea::Size size_;
  moorea::Camera camera_;
  moorea::Palette palette_;
  moorea::SurfacePainter painter_;
  double turns_ = 0;
};

/// SurfacePictures of a surface; empty for flat worlds. Throws moorea::Error (usage) for options of the
/// other.
std::optional<SurfacePictures> surface_pictures(const PictureOptions& options,
                                                const moorea::WorldSpec& world);

/// Default box of a picture: the whole of a world of fixed size, otherwise the live cells, without escapees
/// unless `all`, and a margin.
moorea::Box default_box(const moorea::Simulation& simulation, bool all);

/// A sentence about the live cells of an unbounded plane that a view leaves out; empty if there are none, or
/// if the options choose the cells.
std::string left_out_text(const PictureStyle& style, const moorea::Simulation& simulation,
                          const moorea::View& view);

/// The cells of the world in a view's squares.
moorea::Box cells_of(const moorea::View& view, const moorea::Simulation& simulation);

/// Number of generations before a picture from which its ages and activity are computed.
constexpr std::uint64_t history_generations = 255;

/// Palette of pictures for which the options name none.
constexpr const char* default_palette = "night";

}  // namespace app
