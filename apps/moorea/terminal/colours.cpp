// SPDX-License-Identifier: MIT
#include "terminal/colours.h"

#include <fmt/core.h>

#include <algorithm>

namespace app {

ViewColours::ViewColours(const PictureOptions& options)
    : colouring_(PictureStyle(options).show()), palette_(options.palette) {}

void ViewColours::next_colouring() {
  const auto all = moorea::colourings();
  const auto now = std::ranges::find(all, colouring_, &moorea::ColouringInfo::colouring);
  colouring_ = now + 1 == all.end() ? all.front().colouring : (now + 1)->colouring;
  if (shows_cells()) watch_.reset();
}

void ViewColours::next_palette() {
  const auto all = moorea::palettes();
  const auto now = std::ranges::find(all, palette_, &moorea::PaletteInfo::name);
  const auto next = now == all.end() ? all.begin() : now + 1;
  palette_ = next == all.end() ? "" : next->name;
}

void ViewColours::look(const WorldEditor& editor, const moorea::Raster& raster) {
  const auto begin = Clock::now();
  if (!watch_) watch_.emplace(raster);
  watch_->move_to(raster);
  if (watch_->look(editor)) pace_.looked(begin);
}

void ViewColours::watch(const WorldEditor& editor, const Player& player, const moorea::View& view) {
  if (!shows_cells() && pace_.is_due(player)) look(editor, view.raster);
}

ViewColours::Drawing ViewColours::draw(const WorldEditor& editor, const moorea::View& view) {
  const moorea::Simulation& simulation = editor.simulation();
  if (!shows_cells()) {
    look(editor, view.raster);
    return {watch_->history().draw(colouring_, view.zoom),
            palette_.empty() ? shades() : inks_of_levels(moorea::palette(palette_))};
  }
  // (--palette replaces the colours of states, as in pictures)
  PictureOptions options;
  options.palette = palette_;
  const PictureStyle style(options);
  const std::optional<moorea::Palette> states = style.colours_of_states(simulation.rule(), view);
  return {style.draw_cells(simulation, view), states             ? inks_of_states(*states)
                                              : palette_.empty() ? shades()
                                                                 : inks_of_levels(moorea::palette(palette_))};
}

std::string ViewColours::text() const {
  std::string text;
  if (!shows_cells()) {
    text = std::ranges::find(moorea::colourings(), colouring_, &moorea::ColouringInfo::colouring)->name;
    const std::uint64_t unit = watch_ ? watch_->history().unit() : 0;
    if (unit > 1) text += fmt::format(" per {} generations", unit);
  }
  return palette_.empty() ? text : text.empty() ? palette_ : fmt::format("{}, {}", text, palette_);
}

}  // namespace app
