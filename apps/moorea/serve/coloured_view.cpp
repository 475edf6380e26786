// SPDX-License-Identifier: MIT
#include "serve/coloured_view.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace app {
namespace {

// The page draws and erases by what a cell is now, which colours of the past do not say.
void mark_live_cells(std::vector<std::uint8_t>& levels, const std::vector<std::uint8_t>& seen) {
  for (std::size_t i = 0; i < levels.size(); ++i)
    levels[i] = static_cast<std::uint8_t>((levels[i] & 0xFE) | (seen[i] != 0 ? 1 : 0));
}

}  // namespace

void ColouredView::move_to(const moorea::Raster& raster) {
  watch_.move_to(raster);
  drawn_.clear();
}

void ColouredView::look(const WorldEditor& editor) {
  if (watch_.look(editor)) drawn_.clear();
}

FramePointer ColouredView::draw(const WorldEditor& editor, moorea::Colouring colouring) {
  look(editor);
  FramePointer& known = drawn_[colouring];
  if (!known) {
    std::vector<std::uint8_t> levels = watch_.history().levels(colouring);
    if (raster().scale == 1) mark_live_cells(levels, watch_.history().seen());
    Frame frame{raster(), 8, {levels.begin(), levels.end()}, colouring, watch_.history().unit()};
    known = std::make_shared<const Frame>(std::move(frame));
  }
  return known;
}

}  // namespace app
