// SPDX-License-Identifier: MIT
// The colours of a world in the terminal: what they mean and the palette. They change while the world runs.
#pragma once

#include <optional>
#include <string>

#include "cli/picture_options.h"
#include "live/player.h"
#include "live/square_watch.h"
#include "live/world_editor.h"
#include "moorea/picture.h"
#include "terminal/inks.h"

namespace app {

class ViewColours {
 public:
  /// Begins with --show and --palette of these options. Throws moorea::Error (usage) for unknown ones.
  explicit ViewColours(const PictureOptions& options);

  /// Chooses the next of moorea::colourings().
  void next_colouring();
  /// Chooses the next of moorea::palettes(); after the last one the default colours.
  void next_palette();

  /// Looks at the view of a running world, if its colours depend on the past and a look is due.
  void watch(const WorldEditor& editor, const Player& player, const moorea::View& view);

  struct Drawing {
    moorea::Picture picture;
    Inks inks;
  };
  /// Draws the present cells of a view.
  Drawing draw(const WorldEditor& editor, const moorea::View& view);

  /// What the colours mean, for a status line; empty if they are the default ones.
  std::string text() const;

 private:
  bool shows_cells() const { return colouring_ == moorea::Colouring::cells; }
  void look(const WorldEditor& editor, const moorea::Raster& raster);

  moorea::Colouring colouring_;
  std::string palette_;  // empty: the default colours
  std::optional<SquareWatch> watch_;
  LookPace pace_;
};

}  // namespace app
