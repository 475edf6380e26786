// SPDX-License-Identifier: MIT
#include "boards/band_board.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include "model/hash.h"
#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

bool is_external(Edge edge) { return edge == Edge::external; }

// The topology of a board that has the edges which are not external.
Topology topology_inside(const Edges& edges) {
  const auto refuse = [](const char* reason) {
    throw Error(std::string("edges of a band: ") + reason, ErrorKind::usage);
  };
  if (is_external(edges.left) || is_external(edges.right))
    refuse("left and right must be dead or joined; partition the world by rows");
  if (edges.left != edges.right) refuse("left and right must be of one kind");
  for (const Edge edge : {edges.top, edges.bottom}) {
    if (!is_external(edge) && edge != edges.left)
      refuse("top and bottom must be external or of the same kind as left and right");
  }
  if ((edges.top == Edge::wrap) != (edges.bottom == Edge::wrap))
    refuse("top and bottom must both be joined, or neither");
  return edges.left == Edge::wrap ? Topology::torus : Topology::plane;
}

const BandSpec& checked(const BandSpec& band) {
  if (band.halo < band.world.rule.reach()) {
    throw Error(
        fmt::format("a band has a halo of at least as many rows as cells reach, {}", band.world.rule.reach()),
        ErrorKind::usage);
  }
  return band;
}

// Subtracts the live cells of a row from a raster's row of squares.
void subtract_live(const Grid& row, std::int64_t scale, std::uint32_t* squares) {
  for (std::int64_t j = 0; j < row.words_per_row(); ++j) {
    for (std::uint64_t word = row.row(0)[j]; word != 0; word &= word - 1)
      --squares[(j * 64 + std::countr_zero(word)) / scale];
  }
}

}  // namespace

Edges Edges::of(Topology topology) {
  const Edge edge = topology == Topology::torus ? Edge::wrap : Edge::dead;
  return {edge, edge, edge, edge};
}

BandBoard::BandBoard(const BandSpec& band, const Factory& make)
    : Board(checked(band).world),
      halo_(band.halo),
      above_(is_external(band.edges.top) ? band.halo : 0),
      below_(is_external(band.edges.bottom) ? band.halo : 0) {
  board_ = make({world_.rule, topology_inside(band.edges), world_.width, above_ + world_.height + below_});
  if (above_ + below_ == 0) exact_ = unlimited;
}

void BandBoard::halo_filled() {
  if (above_ + below_ > 0) exact_ = static_cast<std::uint64_t>(halo_ / world_.rule.reach());
}

// A load has cleared the halo rows.
void BandBoard::loaded() {
  if (above_ + below_ > 0) exact_ = 0;
}

void BandBoard::load(const Grid& cells, Position at) {
  board_->load(cells, inside(at));
  loaded();
}

void BandBoard::load_states(const Cells& cells, Position at) {
  board_->load_states(cells, inside(at));
  loaded();
}

void BandBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  board_->write(cells, inside(at), mode);
}

void BandBoard::write_states(const Cells& cells, Position at) { board_->write_states(cells, inside(at)); }

void BandBoard::read(const Box& box, const GridView& to) const {
  board_->read(box.translated(inside({})), to);
}

Cells BandBoard::states(const Box& box) const { return board_->states(box.translated(inside({}))); }

std::uint64_t BandBoard::prepare(std::uint64_t generations) {
  return board_->prepare(std::clamp<std::uint64_t>(generations, 1, std::max<std::uint64_t>(exact_, 1)));
}

void BandBoard::use_up(std::uint64_t generations) {
  if (generations > exact_) throw std::logic_error("halo rows of a band must be filled before it advances");
  if (exact_ != unlimited) exact_ -= generations;
}

void BandBoard::advance(std::uint64_t generations) {
  use_up(generations);
  board_->advance(generations);
}

// Of the halo, rows are needed for the generations that it is exact for afterwards.
void BandBoard::enqueue(std::uint64_t generations, RowRange needed) {
  use_up(generations);
  const auto rows_of = [&](std::int64_t halo) {
    if (exact_ == unlimited) return halo;
    return std::min(halo, static_cast<std::int64_t>(exact_) * world_.rule.reach());
  };
  board_->queue()->enqueue(generations,
                           {above_ + needed.first - rows_of(above_), above_ + needed.end + rows_of(below_)});
}

void BandBoard::read_rows(std::int64_t y, std::int64_t rows, std::uint64_t* to) {
  board_->queue()->read_rows(y + above_, rows, to);
}

void BandBoard::write_rows(std::int64_t y, std::int64_t rows, const std::uint64_t* from) {
  board_->queue()->write_rows(y + above_, rows, from);
}

RowMemory BandBoard::make_row_memory(std::size_t words, const BoardQueue* writer) {
  const auto* const band = dynamic_cast<const BandBoard*>(writer);
  return board_->queue()->make_row_memory(words, band != nullptr ? band->board_->queue() : writer);
}

// Population, hash and density add up over the parts of a world: those of the halo rows, of which there are
// few, are subtracted, so that a device computes over all its rows and needs no code for bands.
BoardSummary BandBoard::summary(const SummaryParts& parts, Position origin) const {
  BoardSummary own = board_->summary(parts, origin - inside({}));
  bool is_halo_empty = true;
  for (const Box& halo : {halo_above(), halo_below()}) {
    const Cells cells = states(halo);
    const std::uint64_t population = cells.live().population();
    if (population == 0) continue;
    is_halo_empty = false;
    if (parts.population) own.population -= population;
    if (parts.hash) own.hash = hash_subtract(own.hash, cells.hash(origin + halo.position()));
  }
  if (!own.bounding_box) return own;
  const Box live = own.bounding_box->translated(-inside({}));
  own.bounding_box = is_halo_empty ? live : own_bounding_box(live);
  if (own.bounding_box->empty()) own.bounding_box.reset();
  return own;
}

// The bounding box of the own cells, from one that includes the halo rows. Rows are read from the top until
// the box is as wide as that one, and then from the bottom until there is a live cell.
Box BandBoard::own_bounding_box(const Box& with_halo) const {
  constexpr std::int64_t cells_at_once = 1 << 22;
  const Box rows = intersect(with_halo, world_.box());
  const std::int64_t rows_at_once =
      std::max<std::int64_t>(1, cells_at_once / std::max<std::int64_t>(rows.width, 1));
  const auto live_in = [&](std::int64_t top, std::int64_t bottom) {
    const Grid part = window({rows.x, top, rows.width, bottom - top});
    const std::optional<Box> live = part.bounding_box();
    return live ? live->translated({rows.x, top}) : Box();
  };
  Box live;
  std::int64_t top = rows.y;
  while (top < rows.bottom() && live.width < rows.width) {
    const std::int64_t end = std::min(top + rows_at_once, rows.bottom());
    live = unite(live, live_in(top, end));
    top = end;
  }
  for (std::int64_t bottom = rows.bottom(); bottom > top;) {
    const std::int64_t begin = std::max(bottom - rows_at_once, top);
    const Box last = live_in(begin, bottom);
    live = unite(live, last);
    if (!last.empty()) break;
    bottom = begin;
  }
  return live;
}

std::vector<std::uint32_t> BandBoard::density(const Raster& raster) const {
  Raster moved = raster;
  moved.y += above_;
  std::vector<std::uint32_t> squares = board_->density(moved);
  const Box area = {raster.x, raster.y, raster.columns * raster.scale, raster.rows * raster.scale};
  for (const Box& halo : {halo_above(), halo_below()}) {
    const Box counted = intersect(halo, area);
    for (std::int64_t y = counted.y; y < counted.bottom(); ++y) {
      const Grid row = window({area.x, y, area.width, 1});
      subtract_live(row, raster.scale, squares.data() + (y - area.y) / raster.scale * raster.columns);
    }
  }
  return squares;
}

std::optional<DeviceView> BandBoard::device_cells() const {
  std::optional<DeviceView> cells = board_->device_cells();
  if (!cells) return cells;
  cells->words += above_ * cells->bytes_per_row / static_cast<std::int64_t>(sizeof(*cells->words));
  cells->size = world_.box().size();
  return cells;
}

}  // namespace moorea
