// SPDX-License-Identifier: MIT
// Squares that clients see by their age, trails or activity: a history, and the frames of its last look.
// Clients that see the same squares share it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "live/square_watch.h"
#include "live/world_editor.h"
#include "moorea/picture.h"
#include "serve/frames.h"

namespace app {

class ColouredView {
 public:
  explicit ColouredView(const moorea::Raster& raster) : watch_(raster) {}

  const moorea::Raster& raster() const { return watch_.history().raster(); }

  /// Continues with other squares.
  void move_to(const moorea::Raster& raster);

  /// Looks at the present cells. Throws moorea::Error as SquareHistory::look() does.
  void look(const WorldEditor& editor);

  /// Draws the present cells, a byte per square. The lowest bit of a square that is a cell is whether it is
  /// alive, the others are those of the level. Throws moorea::Error as look() does.
  FramePointer draw(const WorldEditor& editor, moorea::Colouring colouring);

 private:
  SquareWatch watch_;
  std::map<moorea::Colouring, FramePointer> drawn_;  // of the last look
};

using ColouredViewPointer = std::shared_ptr<ColouredView>;

}  // namespace app
