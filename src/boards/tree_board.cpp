// SPDX-License-Identifier: MIT
#include "boards/tree_board.h"

#include "model/bits.h"
#include "moorea/error.h"
#include "trees/tree_squares.h"

namespace moorea {
namespace {

std::uint64_t differing(const Grid& a, const Grid& b) {
  std::uint64_t count = 0;
  for (std::int64_t y = 0; y < a.height(); ++y) {
    for (std::int64_t j = 0; j < a.words_per_row(); ++j) count += popcount(a.row(y)[j] ^ b.row(y)[j]);
  }
  return count;
}

}  // namespace

TreeBoard::TreeBoard(const WorldSpec& world, const MakeBase& make_base, const EngineOptions& options)
    : Board(world), tree_(world, make_base, options) {}

std::optional<Box> TreeBoard::live_box() const {
  const std::optional<Extent> extent = extent_of(tree_.store(), tree_.cells_once());
  if (!extent) return {};
  const auto left = extent->left.as_signed(), top = extent->top.as_signed();
  const auto right = extent->right.as_signed(), bottom = extent->bottom.as_signed();
  const auto is_near = [](const std::optional<std::int64_t>& x) {
    return x && *x >= -max_coordinate && *x < max_coordinate;
  };
  if (!is_near(left) || !is_near(top) || !is_near(right) || !is_near(bottom))
    throw Error(
        "the cells have moved beyond coordinates of 2^60: compute fewer generations, or, with the command, "
        "choose the kernel hashlife");
  return Box{*left, *top, *right - *left + 1, *bottom - *top + 1}.translated(-tree_.corner());
}

Box TreeBoard::box() const {
  if (!world_.is_unbounded()) return world_.box();
  return live_box().value_or(Box{});
}

void TreeBoard::load(const Grid& cells, Position at) { tree_.load(cells, at); }

void TreeBoard::load_squares(const CellSquares& squares) {
  if (!world_.is_unbounded()) return Board::load_squares(squares);
  CellSquares sorted = squares;
  tree_.adopt(universe_of(tree_.store(), sorted));
}

void TreeBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  tree_.write(cells, at, mode);
}

void TreeBoard::read(const Box& box, const GridView& to) const { tree_.read(box, to); }

void TreeBoard::advance(std::uint64_t generations) { tree_.advance(generations); }

std::uint64_t TreeBoard::advance_comparing() {
  const Box seen = world_.is_unbounded() ? box().expanded(1) : world_.box();
  const Grid before = window(seen);
  advance(1);
  return differing(before, window(seen));
}

BoardSummary TreeBoard::summary(const SummaryParts& parts, Position origin) const {
  BoardSummary summary;
  if (parts.population) {
    const std::optional<std::uint64_t> population = tree_.population().as_unsigned();
    if (!population)
      throw Error(
          "the population exceeds 2^64: compute fewer generations, or, with the command, choose "
          "the kernel hashlife without checkpoint and receipt");
    summary.population = *population;
  }
  if (!tree_.has_cells() && (parts.hash || parts.bounding_box)) {
    const Grid cells = window(world_.box());
    if (parts.hash) summary.hash = cells.hash(origin);
    if (parts.bounding_box) summary.bounding_box = cells.bounding_box();
    return summary;
  }
  if (parts.hash) summary.hash = hash_of_cells(tree_.store(), tree_.cells_once(), origin - tree_.corner());
  if (parts.bounding_box) summary.bounding_box = live_box();
  return summary;
}

std::vector<std::uint32_t> TreeBoard::density(const Raster& raster) const {
  if (!tree_.has_cells()) return Board::density(raster);
  Raster moved = raster;
  moved.x += tree_.corner().x;
  moved.y += tree_.corner().y;
  const Box seen = {raster.x, raster.y, raster.columns * raster.scale, raster.rows * raster.scale};
  const bool is_inside = world_.is_unbounded() || world_.box().contains(seen);
  return density_of_cells(tree_.store(), is_inside ? tree_.universe() : tree_.cells_once(), moved);
}

std::vector<Box> TreeBoard::live_boxes(const Box& box) const {
  const Box inside = intersect(box, this->box());
  if (tree_.background()) return {inside};
  std::vector<Box> boxes = live_squares(tree_.store(), tree_.universe(), inside.translated(tree_.corner()));
  for (Box& each : boxes) each = each.translated(-tree_.corner());
  return boxes;
}

}  // namespace moorea
