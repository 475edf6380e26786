// SPDX-License-Identifier: MIT
#include "moorea/cell_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "model/placed_quadtree.h"
#include "model/quadtree_squares.h"
#include "moorea/error.h"
#include "moorea/simulation.h"
#include "patterns/format.h"
#include "patterns/macrocell.h"
#include "patterns/rle_writer.h"

namespace moorea {
namespace {

// Squares that are pasted: a world is edited so many times at most, unless they become larger than this
constexpr std::size_t max_pastes = 4096;
constexpr int min_pasted_level = 10, max_pasted_level = 13;

std::size_t count_squares(const Quadtree& tree, std::uint32_t index, int level, int pasted) {
  if (index == 0 || level <= pasted) return index == 0 ? 0 : 1;
  std::size_t count = 0;
  for (const std::uint32_t child : tree.nodes[index].children) {
    count += count_squares(tree, child, level - 1, pasted);
    if (count > max_pastes) break;
  }
  return count;
}

void write_rle(const CellTree& cells, const Pattern& facts, const std::optional<BigBox>& window,
               patterns::Sink& sink) {
  const std::optional<BigBox> box = window ? window : cells.bounding_box();
  if (!box) {
    patterns::RleWriter(facts, {}, sink).finish();
    return;
  }
  const BigInteger limit(patterns::largest_coordinate), far(patterns::largest_position);
  if (box->width() > limit || box->height() > limit)
    throw Error(
        fmt::format("{} x {} cells are too many for RLE, which has at most 2^40 on a side: write a "
                    "macrocell file (.mc), or a window of the cells",
                    box->width().str(), box->height().str()));
  Pattern placed = facts;
  if (box->left > -far && box->left < far && box->top > -far && box->top < far)
    placed.position = Position{*box->left.as_signed(), *box->top.as_signed()};
  else
    placed.comments.push_back(
        fmt::format("The upper left cell is at {}, {}", box->left.str(), box->top.str()));
  patterns::RleWriter writer(placed, {*box->width().as_signed(), *box->height().as_signed()}, sink);
  const PlacedQuadtree part = cropped(cells.cells(), *box);
  const Position corner = {*(box->left - part.x).as_signed(), *(box->top - part.y).as_signed()};
  for_each_run(part.tree, [&](std::int64_t x, std::int64_t y, std::int64_t length) {
    writer.run(x - corner.x, y - corner.y, length);
  });
  writer.finish();
}

class LimitedSink final : public patterns::Sink {
 public:
  explicit LimitedSink(std::size_t max_bytes) : max_bytes_(max_bytes) {}
  void write(std::string_view bytes) override {
    if (bytes.size() > max_bytes_ - text.size())
      throw Error(fmt::format("the cells take more than {} bytes in this format", max_bytes_));
    text += bytes;
  }
  std::string text;

 private:
  std::size_t max_bytes_;
};

}  // namespace

CellTree::CellTree() : CellTree(PlacedQuadtree{}) {}
CellTree::CellTree(PlacedQuadtree cells) : cells_(std::make_shared<PlacedQuadtree>(std::move(cells))) {}

CellTree CellTree::of(std::span<const Position> cells) {
  std::vector<Position> rows(cells.begin(), cells.end());
  std::ranges::sort(rows, {}, &Position::y);
  QuadtreeOfRuns runs;
  for (const Position& at : rows) {
    if (std::max(at.x, at.y) == std::numeric_limits<std::int64_t>::max())
      throw Error(fmt::format("a cell at ({}, {}): expected coordinates below 2^63 - 1", at.x, at.y),
                  ErrorKind::usage);
    runs.add(at.x, at.y, 1);
  }
  return CellTree(PlacedQuadtree{runs.tree(), {}, {}});
}

BigInteger CellTree::population() const { return moorea::population(cells_->tree); }

std::size_t CellTree::bytes() const { return cells_->tree.nodes.size() * sizeof(Quadtree::Node); }

std::optional<BigBox> CellTree::bounding_box() const { return moorea::bounding_box(*cells_); }

CellTree CellTree::crop(const BigBox& window) const { return CellTree(cropped(*cells_, window)); }

Grid CellTree::grid(const BigBox& window) const {
  const PlacedQuadtree part = cropped(*cells_, window);
  return part.tree.window({*(window.left - part.x).as_signed(), *(window.top - part.y).as_signed(),
                           *window.width().as_signed(), *window.height().as_signed()});
}

void CellTree::paste_to(Simulation& world) const {
  const std::optional<BigBox> box = bounding_box();
  if (!box) return;
  if (!box->as_box())
    throw Error("cells beyond coordinates of 2^60 need the kernel hashlife", ErrorKind::usage);
  const PlacedQuadtree part = cropped(*cells_, *box);
  const Position centre = {*part.x.as_signed(), *part.y.as_signed()};
  const auto root = static_cast<std::uint32_t>(part.tree.nodes.size() - 1);
  int level = min_pasted_level;
  while (level < max_pasted_level && count_squares(part.tree, root, part.tree.level(), level) > max_pastes)
    ++level;
  for_each_square(part.tree, level, [&](const Position& corner, const Grid& square) {
    world.paste(square, corner + centre, PasteMode::bitwise_or);
  });
}

bool CellTree::can_write(const std::string& path, const std::string& format) {
  const std::string_view name = patterns::format_to_write(path, format).info.name;
  return name == "rle" || name == "mc";
}

// The name of the format; throws Error (usage) if it is not one of trees.
static std::string_view tree_format(const std::string& path, const std::string& format) {
  const std::string_view name = patterns::format_to_write(path, format).info.name;
  if (!CellTree::can_write(path, format))
    throw Error(fmt::format("cells that are far apart are written as RLE or macrocell, not as {}", name),
                ErrorKind::usage);
  return name;
}

static void write_to(patterns::Sink& sink, const CellTree& cells, const Pattern& facts,
                     std::string_view format, const std::optional<BigBox>& window) {
  if (format == "mc")
    patterns::write_macrocell({facts, at_origin(cells.cells())}, sink);
  else
    write_rle(cells, facts, window, sink);
}

void CellTree::write(const std::string& path, const Pattern& facts, const std::string& format,
                     const std::optional<BigBox>& window) const {
  const std::string_view name = tree_format(path, format);
  patterns::require_written_generation(facts.generation);
  patterns::FileSink sink(path);
  write_to(sink, *this, facts, name, window);
  sink.finish();
}

std::string CellTree::text(const Pattern& facts, const std::string& format, std::size_t max_bytes) const {
  patterns::require_written_generation(facts.generation);
  LimitedSink sink(max_bytes);
  write_to(sink, *this, facts, tree_format("-", format), {});
  return std::move(sink.text);
}

}  // namespace moorea
