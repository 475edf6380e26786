// SPDX-License-Identifier: MIT
// The options that say what a picture shows and how, shared by render and film.
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

  /// Whether escapees are to be seen, too.
  bool all() const { return all_; }
  const moorea::Palette& palette() const { return palette_; }
  Show show() const { return show_; }

  /// Whether the options say which cells are seen.
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

/// What a simulation shows where nothing else was asked for: all of a world of fixed size, else what lives,
/// without escapees unless `all` of it is wanted, and some cells around it.
moorea::Box default_box(const moorea::Simulation& simulation, bool all);

/// Live cells outside a view of an unbounded plane, as a sentence for whoever sees the picture; empty where
/// there are none, or where the options say which cells are seen.
std::string left_out_text(const PictureStyle& style, const moorea::Simulation& simulation,
                          const moorea::View& view);

/// All cells of a view's squares that are cells of the world.
moorea::Box cells_of(const moorea::View& view, const moorea::Simulation& simulation);

/// The generations before a picture that its cells' ages and changes are known from.
constexpr std::uint64_t history_generations = 255;

}  // namespace app
