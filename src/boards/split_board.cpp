// SPDX-License-Identifier: MIT
#include "boards/split_board.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "model/hash.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// Rows of a view, which keeps its columns.
template <class View>
View rows_of(View view, std::int64_t top, std::int64_t rows) {
  view.words += top * view.words_per_row;
  view.height = rows;
  return view;
}

// Calls an action unless an earlier one has failed, and keeps what it throws.
template <class Action>
void unless_failed(std::exception_ptr& error, const Action& action) {
  if (error) return;
  try {
    action();
  } catch (...) {
    error = std::current_exception();
  }
}

// Smallest number of squares of `scale` rows that reach row `y`, which may be negative.
std::int64_t squares_until(std::int64_t y, std::int64_t scale) {
  return y <= 0 ? 0 : (y + scale - 1) / scale;
}

}  // namespace

std::vector<std::int64_t> divide_rows(std::int64_t height, std::span<const double> shares) {
  const auto parts = static_cast<std::int64_t>(shares.size());
  if (height < parts) {
    throw Error(
        fmt::format("a world of {} rows cannot be divided among {} devices: it needs at least {} rows",
                    height, parts, parts),
        ErrorKind::unavailable);
  }
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<std::int64_t> rows;
  std::int64_t top = 0;
  double sum = 0;
  for (std::int64_t i = 0; i < parts; ++i) {
    sum += shares[static_cast<std::size_t>(i)];
    const auto wanted = static_cast<std::int64_t>(std::llround(static_cast<double>(height) * sum / all));
    // A row at least for this part and for each that follows
    const std::int64_t bottom =
        i + 1 == parts ? height : std::clamp(wanted, top + 1, height - (parts - 1 - i));
    rows.push_back(bottom - top);
    top = bottom;
  }
  return rows;
}

SplitBoard::SplitBoard(const WorldSpec& world, std::int64_t halo, std::span<const SplitPart> parts)
    : Board(world),
      halo_(halo),
      borders_(parts.size()),
      phases_(static_cast<int>(parts.size())),
      crew_(static_cast<int>(parts.size())) {
  if (parts.size() < 2) throw Error("a divided world has at least two parts", ErrorKind::usage);
  std::int64_t y = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::int64_t rows = parts[i].rows;
    if (rows < halo) {
      throw Error(
          fmt::format("part {} of a divided world has {} rows: with a halo of {} rows it needs at least {}",
                      i + 1, rows, halo, halo),
          ErrorKind::usage);
    }
    Edges edges = Edges::of(world.topology);
    if (world.is_torus() || i > 0) edges.top = Edge::external;
    if (world.is_torus() || i + 1 < parts.size()) edges.bottom = Edge::external;
    WorldSpec band = world;
    band.height = rows;
    parts_.push_back({std::make_unique<BandBoard>(BandSpec{band, edges, halo}, parts[i].make), y});
    y += rows;
  }
  if (y != world.height) {
    throw Error(fmt::format("parts of {} rows do not fill a world of {} rows", y, world.height),
                ErrorKind::usage);
  }
  for (std::array<Border, 2>& turns : borders_)
    turns.fill({Grid(world.width, halo), Grid(world.width, halo)});
}

template <class Body>
void SplitBoard::for_each_part(const Body& body) const {
  std::vector<std::exception_ptr> errors(parts_.size());
  {
    const std::lock_guard lock(crew_is_used_);
    crew_.run([&](int member, int) {
      const auto part = static_cast<std::size_t>(member);
      try {
        body(part);
      } catch (...) {
        errors[part] = std::current_exception();
      }
    });
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

void SplitBoard::load(const Grid& cells, Position at) {
  for_each_part([&](std::size_t i) {
    const Part& part = parts_[i];
    const Box own = intersect({at.x, at.y, cells.width(), cells.height()}, part.rows());
    part.board->load(cells.crop(own.translated({-at.x, -at.y})), {own.x, own.y - part.y});
  });
  exact_ = 0;
}

void SplitBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  const Box box = {at.x, at.y, cells.width, cells.height};
  for (const Part& part : parts_) {
    const Box own = intersect(part.rows(), {part.rows().x, box.y, part.rows().width, box.height});
    if (own.empty()) continue;
    part.board->write(rows_of(cells, own.y - at.y, own.height), {at.x, own.y - part.y}, mode);
  }
  exact_ = 0;
}

void SplitBoard::read(const Box& box, const GridView& to) const {
  for (const Part& part : parts_) {
    const std::int64_t top = std::max(box.y, part.y), bottom = std::min(box.bottom(), part.rows().bottom());
    if (top >= bottom) continue;
    part.board->read({box.x, top - part.y, box.width, bottom - top}, rows_of(to, top - box.y, bottom - top));
  }
  for (std::int64_t y = box.y; y < box.bottom(); ++y) {
    if (y >= 0 && y < world_.height) continue;
    std::ranges::fill(to.row(y - box.y), 0);
  }
}

// Gives the outermost rows to the neighbours and fills the halo with theirs. A part that has failed keeps
// step, since the others wait for it.
void SplitBoard::exchange(std::size_t i, std::uint64_t turn, std::exception_ptr& error) {
  const std::size_t count = parts_.size();
  BandBoard& band = *parts_[i].board;
  const auto border = [&](std::size_t part) -> Border& { return borders_[part][turn % 2]; };
  unless_failed(error, [&] {
    const std::int64_t width = world_.width, height = band.world().height;
    band.read({0, 0, width, halo_}, border(i).first.view());
    band.read({0, height - halo_, width, halo_}, border(i).last.view());
  });
  phases_.next(static_cast<int>(i), static_cast<int>(count));
  unless_failed(error, [&] {
    if (const Box halo = band.halo_above(); !halo.empty())
      band.write(border((i + count - 1) % count).last, halo.position(), PasteMode::replace);
    if (const Box halo = band.halo_below(); !halo.empty())
      band.write(border((i + 1) % count).first, halo.position(), PasteMode::replace);
    band.halo_filled();
  });
}

void SplitBoard::advance_part(std::size_t part, std::uint64_t generations) {
  std::exception_ptr error;
  std::uint64_t exact = exact_, turn = turn_;
  while (generations > 0) {
    if (exact == 0) {
      exchange(part, turn++, error);
      exact = static_cast<std::uint64_t>(halo_);
    }
    const std::uint64_t now = std::min(generations, exact);
    unless_failed(error, [&] { parts_[part].board->advance(now); });
    exact -= now;
    generations -= now;
  }
  if (error) std::rethrow_exception(error);
}

void SplitBoard::advance(std::uint64_t generations) {
  constexpr std::uint64_t look_interval = 4096;  // generations between two checks for an empty world
  while (generations > 0) {
    // Without B0 an empty world stays empty
    if (generations > look_interval && !world_.rule.births_from_nothing() && population() == 0) return;
    const std::uint64_t now = std::min(generations, look_interval);
    advance_all(now);
    generations -= now;
  }
}

void SplitBoard::advance_all(std::uint64_t generations) {
  for_each_part([&](std::size_t part) { advance_part(part, generations); });
  const auto halo = static_cast<std::uint64_t>(halo_);
  const std::uint64_t late = generations - std::min(generations, exact_);  // generations after an exchange
  const std::uint64_t exchanges = (late + halo - 1) / halo;
  exact_ = late == 0 ? exact_ - generations : exchanges * halo - late;
  turn_ += exchanges;
}

std::uint64_t SplitBoard::advance_comparing() {
  std::vector<std::uint64_t> changed(parts_.size());
  for_each_part([&](std::size_t i) {
    std::exception_ptr error;
    if (exact_ == 0) exchange(i, turn_, error);
    unless_failed(error, [&] { changed[i] = parts_[i].board->advance_comparing(); });
    if (error) std::rethrow_exception(error);
  });
  if (exact_ == 0) {
    exact_ = static_cast<std::uint64_t>(halo_);
    ++turn_;
  }
  --exact_;
  return std::accumulate(changed.begin(), changed.end(), std::uint64_t{0});
}

BoardSummary SplitBoard::summary(const SummaryParts& wanted, Position origin) const {
  std::vector<BoardSummary> found(parts_.size());
  for_each_part([&](std::size_t i) {
    const Part& part = parts_[i];
    found[i] = part.board->summary(wanted, origin + Position{0, part.y});
    if (found[i].bounding_box) found[i].bounding_box = found[i].bounding_box->translated({0, part.y});
  });
  BoardSummary all;
  for (const BoardSummary& each : found) {
    all.population += each.population;
    all.hash = hash_add(all.hash, each.hash);
    if (each.bounding_box) all.bounding_box = unite(all.bounding_box.value_or(Box()), *each.bounding_box);
  }
  return all;
}

std::vector<std::uint32_t> SplitBoard::density(const Raster& raster) const {
  std::vector<std::uint32_t> squares(static_cast<std::size_t>(raster.columns * raster.rows));
  // Squares across a border are counted by both parts
  std::mutex mutex;
  for_each_part([&](std::size_t i) {
    const Part& part = parts_[i];
    const std::int64_t top = std::max<std::int64_t>(part.y - raster.y, 0) / raster.scale,
                       end = std::min(squares_until(part.rows().bottom() - raster.y, raster.scale),
                                      raster.rows);
    if (top >= end) return;
    const std::vector<std::uint32_t> own = part.board->density(
        {raster.x, raster.y + top * raster.scale - part.y, raster.columns, end - top, raster.scale});
    const std::lock_guard lock(mutex);
    std::uint32_t* const to = squares.data() + top * raster.columns;
    for (std::size_t k = 0; k < own.size(); ++k) to[k] += own[k];
  });
  return squares;
}

std::uint64_t SplitBoard::bytes_moved() const {
  std::uint64_t bytes = 0;
  for (const Part& part : parts_) bytes += part.board->bytes_moved();
  return bytes;
}

TileCounts SplitBoard::tile_counts() const {
  TileCounts all;
  for (const Part& part : parts_) {
    const TileCounts own = tile_counts_of(*part.board);
    all.computed += own.computed;
    all.skipped += own.skipped;
    all.changed += own.changed;
  }
  return all;
}

}  // namespace moorea
