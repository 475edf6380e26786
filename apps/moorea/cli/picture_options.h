// SPDX-License-Identifier: MIT
// Options for the content and style of pictures, shared by render and film.
#pragma once

#include <optional>
#include <string>

#include "cli/app.h"
#include "moorea/picture.h"
#include "moorea/simulation.h"

namespace app {

struct PictureOptions {
  std::string view;
  std::string zoom;
  std::string scale;
  std::string fit = "1024";
  std::string palette = "night";
  std::string show = "cells";
  bool all = false;
};

void add_picture_options(Command& command, PictureOptions& options);

/// The options as they were read; throws moorea::Error (usage).
class PictureStyle {
 public:
  enum class Show { cells, age, activity };

  explicit PictureStyle(const PictureOptions& options);

  /// Whether escapees are shown.
  bool all() const { return all_; }
  const moorea::Palette& palette() const { return palette_; }
  Show show() const { return show_; }

  /// Whether the options choose the cells.
  const std::optional<moorea::Box>& box() const { return box_; }

  /// The view of those cells, or else of these.
  moorea::View view(const moorea::Box& usual) const;

 private:
  moorea::Palette palette_;
  Show show_ = Show::cells;
  bool all_ = false;
  std::optional<moorea::Box> box_;
  std::optional<std::int64_t> zoom_, scale_;
  std::int64_t fit_ = 0;
};

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

}  // namespace app
