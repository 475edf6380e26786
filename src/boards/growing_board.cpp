// SPDX-License-Identifier: MIT
#include "boards/growing_board.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "model/memory.h"
#include "moorea/error.h"
#include "moorea/support/bytes.h"

namespace moorea {
namespace {

// Cells around the live cells of a new plane
std::int64_t min_margin(const Rule& rule) { return std::max(64, 4 * rule.reach()); }
constexpr double memory_share = 0.8;  // of the available memory, for a larger plane
// Generations between two checks of the distance to the edge are a multiple of this, so that tiles with
// common periods stay inactive
constexpr std::uint64_t common_period = 12;

// Near an edge are cells that could be there after so many generations. Rules of wide neighbourhoods have no
// tiles, and few patterns that move as fast as their cells reach.
std::uint64_t near_generations(const Rule& rule) { return rule.reach() > 1 ? 2 : common_period; }

std::int64_t round_down_64(std::int64_t x) { return x & ~std::int64_t{63}; }

// The plane for some live cells; its corner is a multiple of 64 columns, so that words keep their cells when
// a plane replaces another, and an even row, so that blocks stay those of the world.
Box plane_around(const Box& live, std::int64_t margin) {
  Box plane;
  plane.x = round_down_64(live.x - margin);
  plane.y = (live.y - margin) & ~std::int64_t{1};
  plane.width = round_down_64(live.right() + margin + 63) - plane.x;
  plane.height = live.bottom() + margin - plane.y;
  return plane;
}

}  // namespace

std::int64_t growing_margin(const Rule& rule) { return std::max(256, 8 * rule.reach()); }

GrowingBoard::GrowingBoard(const Rule& rule, PlaneFactory planes)
    : Board({rule, Topology::plane, 0, 0}), planes_(std::move(planes)) {}

// The old plane remains if the new one cannot be created or filled.
template <class Fill>
void GrowingBoard::replace(const Box& plane, const Fill& fill) {
  const WorldSpec world = {world_.rule, Topology::plane, plane.width, plane.height};
  std::unique_ptr<Board> next = planes_.make(world);
  fill(*next);
  if (plane_) next->set_phase(plane_->phase());
  earlier_counts_ = tile_counts();
  if (plane_) count_bytes(plane_->bytes_moved());
  plane_ = std::move(next);
  if (guard_ != nullptr) guard(guard_);
  origin_ = plane.position();
  world_ = world;
}

// Calls load(plane, at) for a plane that has room for cells in this box, with the position of its first cell.
template <class Load>
void GrowingBoard::load_with(const Box& cells, const Load& load) {
  const Box plane = plane_around(cells, min_margin(world_.rule));
  if (plane_ && box().contains(plane)) {
    load(*plane_, cells.position() - origin_);
  } else {
    replace(plane, [&](Board& next) { load(next, cells.position() - plane.position()); });
  }
  at_edge_ = false;
  prepared_ = 0;
}

void GrowingBoard::load(const Grid& cells, Position at) {
  load_with({at.x, at.y, cells.width(), cells.height()},
            [&](Board& plane, Position there) { plane.load(cells, there); });
}

void GrowingBoard::load_states(const Cells& cells, Position at) {
  load_with({at.x, at.y, cells.width(), cells.height()},
            [&](Board& plane, Position there) { plane.load_states(cells, there); });
}

// Replaces the plane by one that has room for live cells in this box.
void GrowingBoard::make_room(const std::optional<Box>& added) {
  prepared_ = 0;
  if (!added || box().contains(*added)) return;
  const Box plane = plane_around(unite(bounding_box().value_or(Box()), *added), min_margin(world_.rule));
  const double bytes = planes_.bytes({world_.rule, Topology::plane, plane.width, plane.height});
  if (planes_.max_bytes != 0 && bytes > static_cast<double>(planes_.max_bytes))
    throw Error(
        fmt::format("a plane of {} x {} cells takes {}, and {} are allowed", plane.width, plane.height,
                    human_bytes(bytes), human_bytes(static_cast<double>(planes_.max_bytes))),
        ErrorKind::memory);
  replace(plane, [&](Board& next) { next.adopt_from(*plane_, origin_ - plane.position()); });
  at_edge_ = false;
}

void GrowingBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  std::optional<Box> added = mode == PasteMode::bitwise_and_not ? std::nullopt : bounding_box_of(cells);
  if (added) added = added->translated(at);
  make_room(added);
  plane_->write(cells, at - origin_, mode);
}

void GrowingBoard::write_states(const Cells& cells, Position at) {
  std::optional<Box> added = cells.live().bounding_box();
  if (added) added = added->translated(at);
  make_room(added);
  plane_->write_states(cells, at - origin_);
}

void GrowingBoard::read(const Box& box, const GridView& to) const {
  plane_->read(box.translated(-origin_), to);
}

// Moves the live cells (in the plane's coordinates) into a plane with free space on all sides; false when
// memory does not allow it.
bool GrowingBoard::grow(const Box& live) {
  const double available = memory_share * static_cast<double>(available_memory());
  const Box at = live.translated(origin_);
  for (std::int64_t margin =
           std::max(growing_margin(world_.rule), std::max(live.width, live.height) / planes_.sides_a_margin);
       margin >= min_margin(world_.rule); margin /= 2) {
    const Box next = plane_around(at, margin);
    // Memory must also suffice for a packed copy of the cells, which saving them needs
    const double plane = planes_.bytes({world_.rule, Topology::plane, next.width, next.height});
    const double copy = grid_bytes(next.width, next.height);
    const double here = copy + (planes_.in_main_memory ? plane : 0);
    if ((planes_.max_bytes != 0 && plane > static_cast<double>(planes_.max_bytes)) || here > available)
      continue;
    try {
      replace(next, [&](Board& larger) { larger.adopt_from(*plane_, origin_ - next.position()); });
      return true;
    } catch (const Error&) {
      continue;  // the device has no memory for it, or another process took it meanwhile
    }
  }
  return false;
}

std::uint64_t GrowingBoard::prepare(std::uint64_t generations) {
  prepared_ = generations;
  bool may_grow = true;
  while (!at_edge_) {
    const std::optional<Box> live = plane_->bounding_box();
    if (!live) break;
    const std::int64_t distance =
        std::min({live->x, live->y, world_.width - live->right(), world_.height - live->bottom()});
    const auto room = static_cast<std::uint64_t>(std::max<std::int64_t>(distance, 0) / world_.rule.reach());
    // Near the edge, what flies there is as far again after a few generations: each would cost a bounding box
    const bool is_near = room <= near_generations(world_.rule) && room < generations;
    if (room > 0 && !(is_near && may_grow)) {
      prepared_ = std::min(generations, room > common_period ? room / common_period * common_period : room);
      break;
    }
    may_grow = grow(*live);
    at_edge_ = !may_grow && room == 0;
  }
  return prepared_;
}

// Generations that can be advanced at once. A caller that has prepared them pays for one bounding box, not
// two.
std::uint64_t GrowingBoard::take_prepared(std::uint64_t generations) {
  const std::uint64_t part = generations <= prepared_ ? generations : prepare(generations);
  prepared_ -= part;
  return part;
}

void GrowingBoard::advance(std::uint64_t generations) {
  while (generations > 0) {
    const std::uint64_t part = take_prepared(generations);
    plane_->advance(part);
    generations -= part;
  }
}

void GrowingBoard::advance_counting(std::uint64_t generations, std::uint64_t* populations) {
  while (generations > 0) {
    const std::uint64_t part = take_prepared(generations);
    plane_->advance_counting(part, populations);
    generations -= part;
    populations += part;
  }
}

std::uint64_t GrowingBoard::advance_comparing() {
  take_prepared(1);
  return plane_->advance_comparing();
}

BoardSummary GrowingBoard::summary(const SummaryParts& parts, Position origin) const {
  BoardSummary summary = plane_->summary(parts, origin + origin_);
  if (summary.bounding_box) summary.bounding_box = summary.bounding_box->translated(origin_);
  return summary;
}

Raster GrowingBoard::in_plane(const Raster& raster) const {
  Raster moved = raster;
  moved.x -= origin_.x;
  moved.y -= origin_.y;
  return moved;
}

std::vector<std::uint32_t> GrowingBoard::density(const Raster& raster) const {
  return plane_->density(in_plane(raster));
}

std::vector<std::uint8_t> GrowingBoard::levels(const Raster& raster,
                                               std::span<const std::uint32_t> limits) const {
  return plane_->levels(in_plane(raster), limits);
}

TileCounts GrowingBoard::tile_counts() const {
  return plane_ ? earlier_counts_ + tile_counts_of(*plane_) : earlier_counts_;
}

bool GrowingBoard::record(TileTrace* trace) {
  BoardInstruments* const instruments = plane_->instruments();
  return instruments != nullptr && instruments->record(trace);
}

bool GrowingBoard::guard(BlockGuard* guard) {
  guard_ = guard;
  BoardInstruments* const instruments = plane_->instruments();
  return instruments != nullptr && instruments->guard(guard);
}

std::vector<PartFacts> GrowingBoard::parts() const {
  const BoardInstruments* const instruments = plane_->instruments();
  std::vector<PartFacts> all;
  if (instruments != nullptr) all = instruments->parts();
  for (PartFacts& part : all) part.y += origin_.y;
  return all;
}

std::optional<KernelResources> GrowingBoard::resources() const {
  const BoardInstruments* const instruments = plane_->instruments();
  return instruments != nullptr ? instruments->resources() : std::nullopt;
}

std::optional<ConversionTimes> GrowingBoard::time_conversion() {
  BoardInstruments* const instruments = plane_->instruments();
  return instruments != nullptr ? instruments->time_conversion() : std::nullopt;
}

}  // namespace moorea
