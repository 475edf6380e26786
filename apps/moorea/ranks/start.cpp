// SPDX-License-Identifier: MIT
#include "ranks/start.h"

#include "moorea/error.h"

namespace app {

RankedStart::RankedStart(const WorldOptions& options) {
  if (options.pattern == "-")
    usage("standard input reaches rank 0 alone: name a file that all ranks can read");
  if (!options.pattern.empty()) bitmap_ = moorea::BitmapReader::open(options.pattern);
  if (bitmap_) {
    moorea::Pattern header = bitmap_->header();
    header.header = bitmap_->size();
    world_ = std::make_unique<World>(options, std::move(header));
    const moorea::Size size = bitmap_->size();
    at_ = place_of(*world_->pattern(), spec().box().size());
    if (spec().box().contains(moorea::Box{at_.x, at_.y, size.width, size.height})) return;
    bitmap_.reset();  // its dead borders may lie outside, which shows when all of it is read
  }
  world_ = std::make_unique<World>(options);
}

std::uint64_t RankedStart::generation() const {
  return world_->pattern() ? world_->pattern()->generation : 0;
}

moorea::Grid RankedStart::rows(std::int64_t top, std::int64_t rows) const {
  if (!bitmap_) return world_->rows(top, rows);
  moorea::Grid cells(spec().width, rows);
  const moorea::Size size = bitmap_->size();
  const moorea::Box part =
      intersect(moorea::Box{0, top, spec().width, rows}, {at_.x, at_.y, size.width, size.height});
  if (!part.empty()) cells.paste(bitmap_->rows(part.y - at_.y, part.height), {at_.x, part.y - top});
  return cells;
}

}  // namespace app
